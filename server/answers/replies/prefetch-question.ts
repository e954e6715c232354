/** Asks embedding model and reranker about a question before its answer; no model is called inside a transaction. */

import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { followUpOf, standaloneQuestion } from "#server/knowledge/language/question/contextual-query.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { type ChunkHit, openTwinIndex, type TwinIndex } from "#server/knowledge/search/twin-index.ts";
import type { Database, Tenant } from "#server/platform/db/database.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { Generator } from "./generator.ts";
import type { Models } from "./models.ts";
import { findCandidates, findChunks } from "./planning/find-knowledge.ts";

export interface Question {
  twinId: string;
  message: string;
  history: HistoryTurn[];
  /** Audience of the search for chunks; a contact who is not known yet counts as a stranger. */
  audience: Audience;
}

export interface PrefetchedQuestion {
  generator: Generator;
  question: string;
  queryEmbedding: QueryEmbedding | null;
  /** Likelihood that each chunk answers, 0..1 by chunk id. */
  likelihoods: ReadonlyMap<number, number> | null;
  /** Finds more chunks once the answer is being written; absent: nothing can be searched then. */
  findMore?: (audience: Audience, query: string) => Promise<ReplyChunk[]>;
}

export const NOTHING_PREFETCHED: Omit<PrefetchedQuestion, "generator"> = {
  question: "",
  queryEmbedding: null,
  likelihoods: null,
};

export const canPrefetch = ({ queryEmbedder, reranker }: Models): boolean =>
  queryEmbedder !== null || reranker !== null;

/**
 * Calls the models before the transaction of an answer is opened.
 * @param question null: it cannot be known beforehand, and the search uses words alone
 * @param index of a twin that is open already, where each statement is a transaction of its own
 * @throws Problem 404
 */
export async function prefetchQuestion(
  models: Models & { db: Database },
  tenant: Tenant,
  question: Question | null,
  index?: TwinIndex,
): Promise<PrefetchedQuestion> {
  const { generator: answering, queryEmbedder, reranker } = models;
  const generator = {
    generator: answering,
    ...(question === null || answering.knowledgeRoom === undefined
      ? {}
      : { findMore: moreChunksOf(models.db, tenant, question.twinId) }),
  };
  if (question === null || !canPrefetch(models)) return { ...generator, ...NOTHING_PREFETCHED };
  const { twinId, message, history, audience } = question;
  const standalone = standaloneQuestion(history, message);
  const queryEmbedding = (await queryEmbedder?.of(standalone)) ?? null;
  const embedded = { ...generator, question: standalone, queryEmbedding };
  // A greeting needs no chunks.
  if (reranker === null || smallTalkOf(message) !== null) return { ...embedded, likelihoods: null };
  const sought = { audience, message, before: followUpOf(history, message), queryEmbedding };
  const found = await findCandidates(index ?? (await openTwinIndex(eachAsTenant(models.db, tenant), twinId)), sought);
  const scores = found.length < 2 ? null : await reranker.scores(standalone, found.map(textOf), tenant);
  const likelihoods = scores && new Map(scores.map((score, at) => [found[at]!.id, score]));
  return { ...embedded, likelihoods };
}

const moreChunksOf =
  (db: Database, tenant: Tenant, twinId: string): NonNullable<PrefetchedQuestion["findMore"]> =>
  async (audience, query) =>
    findChunks(await openTwinIndex(eachAsTenant(db, tenant), twinId), audience, query);

/** The chunk below its document's name and heading, because a table row alone is unclear. */
const textOf = ({ documentName, heading, text }: ChunkHit): string =>
  [documentName, heading, text].filter(Boolean).join("\n");
