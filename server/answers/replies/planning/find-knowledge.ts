import { pieceSimilarities } from "#server/knowledge/embeddings/learn-pieces.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { numberOf, ownThing } from "#server/knowledge/language/ask-back.ts";
import { isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import { joinFollowUp } from "#server/knowledge/language/question/contextual-query.ts";
import {
  correctSpelling,
  type FollowUp,
  type QuestionPart,
  questionParts,
} from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { reorderByLikelihood } from "#server/knowledge/search/reorder-by-likelihood.ts";
import { RERANKED } from "#server/knowledge/search/reranker.ts";
import type { ChunkContent } from "#server/knowledge/search/twin-hits.ts";
import type { ChunkHit, OpenHit, ReplyExampleHit, TwinIndex } from "#server/knowledge/search/twin-index.ts";
import { traced } from "#server/platform/process/tracing.ts";
import { sortByConfidence } from "../sort-by-confidence.ts";

/** Hits of a search for a single number. */
const CANDIDATES = 8;
const REPLY_EXAMPLES = 6;
const RANKED = 4;

interface KnowledgeQuery {
  audience: Audience;
  message: string;
  before: FollowUp | null;
  parts: readonly QuestionPart[];
  queryEmbedding: QueryEmbedding | null;
  /** Likelihood from a reranker that each chunk answers, 0..1 by chunk id; null keeps the order of the search. */
  likelihoods: ReadonlyMap<number, number> | null;
  /** Hits of one search. */
  candidates: number;
}

interface FoundKnowledge {
  chunks: ReplyChunk[];
  replyExamples: (ReplyExampleHit | OpenHit)[];
  /** Rarity of a stem among everything that the asker may see, 0..1. */
  rarity: (stem: string) => number;
  /** Likelihood that a chunk means what the question means, whatever the words; 0..1, by chunk id. */
  meant: ReadonlyMap<string, number>;
  /** Similarities of the found chunks' pieces, see `pieceSimilarities`. */
  pieces: ReadonlyMap<number, readonly number[]>;
  /** «номер заказа» when the contact asks about his own order and the documents mention order numbers. */
  asksFor: string | null;
}

export const findKnowledge = (index: TwinIndex, sought: KnowledgeQuery): Promise<FoundKnowledge> =>
  traced("reply search", {}, () => find(index, sought));

async function find(index: TwinIndex, sought: KnowledgeQuery): Promise<FoundKnowledge> {
  const { audience, message, before, queryEmbedding } = sought;
  const { found, replyExamples } = await search(index, sought);
  const ids = found.map(({ id }) => id);
  const pieces = queryEmbedding === null ? NO_PIECES : await pieceSimilarities(index.tx, ids, queryEmbedding);
  const query = correctSpelling(contextual(message, before));
  const ranked = await index.rankSentences(audience, query, found.slice(0, RANKED));
  return {
    chunks: [...ranked, ...found.slice(RANKED)].map(toChunk),
    meant: new Map(found.map(({ id, meant }) => [String(id), meant])),
    replyExamples,
    rarity: await index.rarity(audience),
    pieces,
    asksFor: await missingNumber(index, audience, message),
  };
}

export const toChunk = (hit: ChunkHit): ReplyChunk => ({
  ...unscored(hit),
  score: hit.score,
  sentences: hit.sentences,
});

export const unscored = (content: ChunkContent): ReplyChunk => ({
  id: String(content.id),
  documentId: content.documentId,
  name: content.documentName,
  ...(content.documentType === undefined ? {} : { type: content.documentType }),
  ...(content.documentDate === undefined ? {} : { date: new Date(content.documentDate) }),
  heading: content.heading ?? "",
  text: content.text,
  score: 0,
  sentences: [],
});

/** Everything that the asker may know, for a model that reads it all; empty when it does not fit. @param room characters */
export async function wholeKnowledge(index: TwinIndex, audience: Audience, room: number): Promise<ReplyChunk[]> {
  return (await index.wholeKnowledge(audience, room)).map(unscored);
}

/** Returns the chunks that share words with a query of the model's own, best first. */
export async function findChunks(index: TwinIndex, audience: Audience, query: string): Promise<ReplyChunk[]> {
  const words = wordsOf(questionParts(query, null));
  const asked = { audience, kinds: ["chunk" as const], limit: CANDIDATES, sentences: false };
  const found = await index.searchAll([
    { ...asked, query },
    { ...asked, query: withSynonyms(words) },
  ]);
  return [...new Map(found.flat().map((hit) => [hit.id, toChunk(hit)])).values()];
}

/** Returns the chunks for a reranker: the first ones found by the whole question. */
export function findCandidates(
  index: TwinIndex,
  {
    audience,
    message,
    before,
    queryEmbedding,
  }: Pick<KnowledgeQuery, "audience" | "message" | "before" | "queryEmbedding">,
): Promise<ChunkHit[]> {
  const query = correctSpelling(contextual(message, before));
  return index.search({ audience, query, kinds: ["chunk"], limit: RERANKED, sentences: false, queryEmbedding });
}

const NO_PIECES: ReadonlyMap<number, readonly number[]> = new Map();

async function missingNumber(index: TwinIndex, audience: Audience, message: string): Promise<string | null> {
  const thing = ownThing(message);
  if (thing === null) return null;
  const query = ["номер", thing, ...relatedStems(stemOf(thing))].join(" ");
  const hits = await index.search({ audience, query, kinds: ["chunk"], limit: CANDIDATES, sentences: false });
  return numberOf(
    thing,
    hits.map((hit) => hit.text),
  );
}

/** Returns the chunks for the message and each of its questions, best first, and past replies to similar messages. */
async function search(
  index: TwinIndex,
  { audience, message, before, parts, queryEmbedding, likelihoods, candidates }: KnowledgeQuery,
): Promise<{ found: ChunkHit[]; replyExamples: (ReplyExampleHit | OpenHit)[] }> {
  const related = wordsOf(parts).some((word) => relatedStems(stemOf(word)).size > 0);
  // A single question without words of its own would only repeat the search.
  const queries = new Set([correctSpelling(contextual(message, before))]);
  if (parts.length > 1 || before !== null || related) {
    for (const part of parts) queries.add(withSynonyms(wordsOf([part])));
  }
  // Searches for «ТО» alone, because a query with other words leaves out stop words.
  for (const word of wordsOf(parts)) if (stemOf(word) === "" && !isTypeWord(word)) queries.add(word);
  const [replyExamples, ...chunks] = await index.searchAll<"example" | "open" | "chunk">([
    { audience, query: message, kinds: ["example", "open"], limit: REPLY_EXAMPLES, queryEmbedding },
    ...[...queries].map((query, at) => ({
      audience,
      query,
      kinds: ["chunk" as const],
      limit: at === 0 && likelihoods !== null ? Math.max(RERANKED, candidates) : candidates,
      sentences: false,
      queryEmbedding: at === 0 ? queryEmbedding : null,
    })),
  ]);
  const best = new Map<number, ChunkHit>();
  for (const hit of chunks.flat() as ChunkHit[]) {
    const known = best.get(hit.id);
    if (known === undefined || known.score < hit.score) best.set(hit.id, hit);
  }
  const found = [...best.values()].sort((a, b) => b.score - a.score);
  return {
    found: likelihoods === null ? found : reorderByLikelihood(found, likelihoods).slice(0, candidates * queries.size),
    replyExamples: withoutRepeats(sortByConfidence(replyExamples as (ReplyExampleHit | OpenHit)[])),
  };
}

/** Drops published replies that the asker has received personally; his own copy is used instead. */
function withoutRepeats(hits: readonly (ReplyExampleHit | OpenHit)[]): (ReplyExampleHit | OpenHit)[] {
  const own = new Set(hits.flatMap(({ kind, reply }) => (kind === "example" ? [reply.trim()] : [])));
  return hits.filter(({ kind, reply }) => kind === "example" || !own.has(reply.trim()));
}

const contextual = (message: string, before: FollowUp | null) =>
  before === null ? message : joinFollowUp(before, message);
const wordsOf = (parts: readonly QuestionPart[]) => parts.flatMap((part) => part.terms.map((term) => term.word));
const withSynonyms = (words: readonly string[]) =>
  words.flatMap((word) => [word, ...relatedStems(stemOf(word))]).join(" ");
