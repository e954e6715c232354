/** Shows which real past questions a correction would answer before the owner accepts it. Stores nothing. */
import { and, desc, eq } from "drizzle-orm";
import type { CorrectionPreview, PreviewInput } from "#contract/corrections.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import { EmbeddingFailure } from "#server/knowledge/embeddings/embedder.ts";
import { type QueryEmbedder, type QueryEmbedding, unitVector } from "#server/knowledge/embeddings/query-embedder.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import {
  likelihoodByEmbedding,
  matchQuestion,
  NEAR_QUESTION_LIKELIHOOD,
} from "#server/knowledge/question-similarity/question-match.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { ownConversation } from "./corrected-answer.ts";

const LINES = 400;
const FOUND = 40;
const COMPARED = 60;
const SHOWN = 5;
/** Maximum length in characters; a longer text is no question. */
const LONGEST = 300;
const EMBEDDING_MS = 3000;

/** @throws Problem 404 */
export async function previewCorrection(
  { db, queryEmbedder }: { db: Database; queryEmbedder: QueryEmbedder | null },
  caller: Caller,
  twinId: string,
  { question, rewordings = [] }: PreviewInput,
): Promise<CorrectionPreview> {
  const tx = eachAsTenant(db, caller);
  await getOwnTwin(tx, caller, twinId);
  const queryEmbedding = (await queryEmbedder?.of(question)) ?? null;
  const wordings = [question, ...rewordings];
  const past = await pastQuestions(tx, caller, twinId, wordings, queryEmbedding);
  const vectors = queryEmbedding === null ? null : await vectorsOf(queryEmbedder!, [...wordings, ...past]);
  const forms = wordings.map(questionForm);
  const compared = past.map((text, at) => {
    const meant = vectors === null ? [] : meantBy(vectors, wordings.length, wordings.length + at, queryEmbedding!);
    return { text, ...matchQuestion(questionForm(text), forms, meant) };
  });
  compared.sort((one, other) => other.like - one.like);
  const those = (same: boolean) =>
    compared
      .filter((one) => one.same === same && one.like >= NEAR_QUESTION_LIKELIHOOD)
      .slice(0, SHOWN)
      .map(({ text }) => text);
  return { caught: those(true), missed: those(false), byEmbedding: vectors !== null };
}

/**
 * Returns distinct questions from the owner's test chats, contacts' conversations and the history: those sharing words with the question
 * first, then the newest.
 */
async function pastQuestions(
  tx: Tx,
  caller: Caller,
  twinId: string,
  wordings: readonly string[],
  queryEmbedding: QueryEmbedding | null,
): Promise<string[]> {
  const lines = await tx
    .select({ text: conversationMessages.content })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(and(eq(conversationMessages.role, "user"), ownConversation({ twinId, ownerId: caller.userId })))
    .orderBy(desc(conversationMessages.id))
    .limit(LINES);
  const kinds = ["example"] as const;
  const audience = { kind: "owner" } as const;
  const pairs = await searchTwin(tx, {
    twinId,
    audience,
    query: wordings.join(" "),
    kinds,
    limit: FOUND,
    queryEmbedding,
  });
  const known = new Set(wordings.map(plain));
  const texts = [...pairs.map(({ incoming }) => incoming), ...lines.map(({ text }) => text)]
    .map((text) => text.trim())
    .filter((text) => text.length <= LONGEST && contentWords(text).length > 0);
  const past = texts.filter((text) => !known.has(plain(text)) && known.add(plain(text)));
  const stems = new Set(wordings.flatMap(contentWords).map((word) => stemOf(word)));
  const shared = (text: string) => contentWords(text).filter((word) => stems.has(stemOf(word))).length;
  return past
    .map((text) => ({ text, shared: shared(text) }))
    .sort((one, other) => other.shared - one.shared)
    .slice(0, COMPARED)
    .map(({ text }) => text);
}

const plain = (text: string) => wordsOf(text).join(" ");

/** Returns null if the model fails or is too slow: the texts are then compared by words alone. */
async function vectorsOf({ embedder }: QueryEmbedder, texts: readonly string[]): Promise<Float32Array[] | null> {
  const signal = AbortSignal.timeout(EMBEDDING_MS);
  try {
    return (await embedder.embed(texts, signal, "query")).vectors.map(unitVector);
  } catch (error) {
    if (error instanceof EmbeddingFailure || signal.aborted) return null;
    throw error;
  }
}

/**
 * Likelihood that the text at `at` asks the same as each wording, 0..1.
 * @param vectors of the wordings first, then of the texts
 */
function meantBy(vectors: readonly Float32Array[], wordings: number, at: number, { scale }: QueryEmbedding): number[] {
  const { codes } = encodeVector(vectors[at]!);
  return vectors.slice(0, wordings).map((wording) => likelihoodByEmbedding({ vector: wording, scale }, codes));
}
