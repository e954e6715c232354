/** Which of the questions that were really asked a correction would answer, before the owner accepts it. Keeps nothing. */
import { and, desc, eq } from "drizzle-orm";
import type { LessonPreview, PreviewInput } from "#contract/corrections.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { conversationMessages, conversations } from "#server/db/schema.ts";
import { eachAsTenant } from "#server/db/tenant-statements.ts";
import type { Viewer } from "#server/http.ts";
import { stemOf } from "#server/language/analyze.ts";
import { wordsOf } from "#server/language/lexicon.ts";
import { contentWords } from "#server/language/question-parts.ts";
import { encodeVector, similarityTo } from "#server/search/meaning/codes.ts";
import { EmbeddingFailure } from "#server/search/meaning/embedder.ts";
import { likelihoodOf } from "#server/search/meaning/meaning-scale.ts";
import { type Meaning, type Meanings, unitVector } from "#server/search/meaning/meanings.ts";
import { searchTwin } from "#server/search/twin-index.ts";
import { getOwnTwin } from "#server/twins/twins.ts";
import { ownTalk } from "./corrected-answer.ts";
import { questionForm } from "./like-question.ts";
import { NEAR_QUESTION, samenessOf } from "./same-question.ts";

/** Lines of talks that are read, the newest. */
const LINES = 400;
/** Past questions of the history that words or meaning find. */
const FOUND = 40;
/** Of all, compared closely. */
const COMPARED = 60;
const SHOWN = 5;
/** A page is no question. */
const LONGEST = 300;
const MEANING_MS = 3000;

/** @throws Problem 404 */
export async function previewLesson(
  { db, meanings }: { db: Database; meanings: Meanings | null },
  viewer: Viewer,
  twinId: string,
  { question, rewordings = [] }: PreviewInput,
): Promise<LessonPreview> {
  const tx = eachAsTenant(db, viewer);
  await getOwnTwin(tx, viewer, twinId);
  const meaning = (await meanings?.of(question)) ?? null;
  const wordings = [question, ...rewordings];
  const past = await pastQuestions(tx, viewer, twinId, wordings, meaning);
  const vectors = meaning === null ? null : await vectorsOf(meanings!, [...wordings, ...past]);
  const forms = wordings.map(questionForm);
  const compared = past.map((text, at) => {
    const meant = vectors === null ? [] : meantBy(vectors, wordings.length, wordings.length + at, meaning!);
    return { text, ...samenessOf(questionForm(text), forms, meant) };
  });
  compared.sort((one, other) => other.like - one.like);
  const those = (same: boolean) =>
    compared
      .filter((one) => one.same === same && one.like >= NEAR_QUESTION)
      .slice(0, SHOWN)
      .map(({ text }) => text);
  return { caught: those(true), missed: those(false), byMeaning: vectors !== null };
}

/** Of the owner's own test chats, of talks with contacts and of the history, each once; those that share words with the question first, then the newest. */
async function pastQuestions(
  tx: Tx,
  viewer: Viewer,
  twinId: string,
  wordings: readonly string[],
  meaning: Meaning | null,
): Promise<string[]> {
  const lines = await tx
    .select({ text: conversationMessages.content })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .where(and(eq(conversationMessages.role, "user"), ownTalk({ twinId, ownerId: viewer.userId })))
    .orderBy(desc(conversationMessages.id))
    .limit(LINES);
  const kinds = ["exemplar"] as const;
  const audience = { kind: "owner" } as const;
  const pairs = await searchTwin(tx, { twinId, audience, query: wordings.join(" "), kinds, limit: FOUND, meaning });
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

/** null: not in time, and words alone tell. */
async function vectorsOf({ embedder }: Meanings, texts: readonly string[]): Promise<Float32Array[] | null> {
  const signal = AbortSignal.timeout(MEANING_MS);
  try {
    return (await embedder.embed(texts, signal, "query")).vectors.map(unitVector);
  } catch (error) {
    if (error instanceof EmbeddingFailure || signal.aborted) return null;
    throw error;
  }
}

/** By each of the wordings, which stand first. */
function meantBy(vectors: readonly Float32Array[], wordings: number, at: number, { scale }: Meaning): number[] {
  const { codes } = encodeVector(vectors[at]!);
  return vectors.slice(0, wordings).map((wording) => likelihoodOf(similarityTo(wording, codes), scale.exemplar));
}
