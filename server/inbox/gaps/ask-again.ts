/** Asks the twin again what it could not answer. If new knowledge answers it, the gap closes and the askers get the answer. */
import { and, desc, eq, gt, inArray, isNotNull, or, sql } from "drizzle-orm";
import { isWithoutAnswer } from "#server/answers/exam/without-answer.ts";
import { type Answer, type Citations, planReplyAlone, type ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversations, gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { learntMore } from "./learnt-more.ts";

/** Maximum number of gaps asked in one run, the newest first; fewer of a model, whose answers cost the owner money. */
const MAX_GAPS = { embedded: 200, llm: 20 } as const;
const WORDINGS = 3;

type TwinData = Tenant & { twinId: string };

interface Wording {
  question: string;
  /** Limits the run to gaps of one asker; null: all gaps. */
  contactId: number | null;
  /** Ids of the questions with this wording. */
  ids: number[];
  askedAt: Date;
}

/** Returns whether the answer covers the whole question, in words that the twin stands by. */
function answers(answer: Answer, text: string, { basis }: Pick<Citations, "basis">): boolean {
  const { kind, ask, open, held } = answer.planOf(text);
  if (held || kind === "unknown" || ask !== undefined || open !== undefined || answer.unansweredBeside(text).length > 0)
    return false;
  return basis === "knowledge" || basis === "recurring" || basis === "corrected";
}

/**
 * Returns whether the answer says what the owner taught about this question. An answer from a document or from another correction does not
 * show that the twin has learnt this one.
 */
export function givesTaughtAnswer(answer: Answer, text: string, citations: Citations, taught: string): boolean {
  const isTaught = citations.basis === "corrected" && answer.request.corrected?.text === taught;
  return isTaught && answers(answer, text, citations);
}

/**
 * Closes open gaps whose question the twin can now answer for its askers. No transaction spans more than one gap, and none an answer.
 * @throws Problem when the daily budget is spent
 */
export async function askOpenGaps(deps: ReplyDeps, data: TwinData, signal: AbortSignal): Promise<void> {
  const { db, generator } = deps;
  const model = generator.model ?? null;
  const each = eachAsTenant(db, data);
  for (const { id, isNewModel } of await dueGaps(each, data.twinId, model, MAX_GAPS[generator.name])) {
    signal.throwIfAborted();
    // What the twin learns from here on is not in the answers, so it makes the gap due again.
    const checkedAt = new Date();
    const wordings = await wordingsOfGap(each, id);
    const known: Wording[] = [];
    for (const wording of wordings) {
      signal.throwIfAborted();
      if (await isKnown(deps, data, { ...wording, isNewModel }, signal)) known.push(wording);
    }
    if (wordings.length === 0) continue;
    await asTenant(db, data, (tx) => keepResult(tx, { id, model, checkedAt }, known, known.length === wordings.length));
  }
}

async function isKnown(
  deps: ReplyDeps,
  data: TwinData,
  { question, contactId, askedAt, isNewModel }: Wording & { isNewModel: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const audience = contactId === null ? ({ kind: "stranger" } as const) : ({ kind: "contact", contactId } as const);
  const message = { message: question, history: [], audience, seed: `gap:${question}`, background: true };
  const answer = await planReplyAlone(deps, data, data.twinId, message);
  const text = await textOf(answer, signal);
  if (text === null) return false;
  const citations = answer.citationsOf(text);
  if (!answers(answer, text, citations)) return false;
  // A model that was not asked before may find in the same documents what nobody had found.
  return citations.basis !== "knowledge" || isNewModel || standsOnNew(deps.db, data, citations, askedAt);
}

/** Returns null where the model has no usable answer to this question, so that the others are still asked. */
export async function textOf(answer: Answer, signal: AbortSignal): Promise<string | null> {
  try {
    return (await answer.whole(signal)).trim();
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error;
    return null;
  }
}

/**
 * Returns whether the answer cites a document that was read after the question was asked. Earlier documents did not answer it then, and a
 * fact taught about a similar question does not answer this one.
 */
async function standsOnNew(db: Database, data: TwinData, { sources }: Citations, askedAt: Date): Promise<boolean> {
  const ids = sources.map(({ documentId }) => documentId).filter((id) => id !== "");
  if (ids.length === 0) return false;
  const [found] = await eachAsTenant(db, data)
    .select({ id: documents.id })
    .from(documents)
    .where(and(inArray(documents.id, ids), gt(documents.splitAt, askedAt)))
    .limit(1);
  return found !== undefined;
}

interface DueGap {
  id: string;
  /** Whether the model has not been asked it yet. */
  isNewModel: boolean;
}

/** Returns open gaps that were last asked before the twin learnt anything more, or without this model; the newest first. */
function dueGaps(tx: Tx, twinId: string, model: string | null, limit: number): Promise<DueGap[]> {
  const isNewModel =
    model === null
      ? sql<boolean>`false`
      : sql<boolean>`(${gaps.checkedBy} is distinct from ${model} and ${gaps.checkedBy} is distinct from '')`;
  return tx
    .select({ id: gaps.id, isNewModel })
    .from(gaps)
    .where(and(eq(gaps.twinId, twinId), eq(gaps.state, "open"), or(isNewModel, learntMore(twinId, gaps.checkedAt))))
    .orderBy(desc(gaps.createdAt), desc(gaps.id))
    .limit(limit);
}

async function wordingsOfGap(tx: Tx, gapId: string): Promise<Wording[]> {
  const rows = await tx
    .select({
      ...{ id: gapQuestions.id, question: gapQuestions.question, contactId: conversations.contactId },
      askedAt: gapQuestions.askedAt,
    })
    .from(gapQuestions)
    .innerJoin(conversations, eq(conversations.id, gapQuestions.conversationId))
    .where(and(eq(gapQuestions.gapId, gapId), isNotNull(gapQuestions.question)))
    .orderBy(desc(gapQuestions.id));
  return wordingsOf(rows);
}

/**
 * With few askers, each wording is asked in the name of its asker, who may have got a private answer. With many, the newest wordings are
 * asked in the name of a stranger.
 */
function wordingsOf(
  rows: readonly { id: number; question: string | null; contactId: number | null; askedAt: Date }[],
): Wording[] {
  const merged = (keyOf: (row: (typeof rows)[number]) => string) =>
    [...Map.groupBy(rows, keyOf).values()].map((same) => {
      const { question, contactId, askedAt } = same[0]!;
      return { question: question!, contactId, askedAt, ids: same.map(({ id }) => id) };
    });
  const each = merged(({ question, contactId }) => `${contactId} ${question}`);
  if (each.length <= WORDINGS) return each;
  return merged(({ question }) => question!)
    .slice(0, WORDINGS)
    .map((wording) => ({ ...wording, contactId: null }));
}

async function keepResult(
  tx: Tx,
  { id, model, checkedAt }: { id: string; model: string | null; checkedAt: Date },
  known: readonly Wording[],
  all: boolean,
): Promise<void> {
  const [gap] = await tx.select({ state: gaps.state }).from(gaps).where(eq(gaps.id, id)).for("no key update");
  // Nothing is left to do when the owner has decided meanwhile.
  if (gap?.state !== "open") return;
  const closed = all ? ({ state: "answered", answeredBy: "knowledge", decidedAt: new Date() } as const) : {};
  await tx
    .update(gaps)
    .set({ checkedAt, checkedBy: model, ...closed })
    .where(eq(gaps.id, id));
  await tx.update(gapQuestions).set({ answered: false }).where(eq(gapQuestions.gapId, id));
  if (known.length === 0) return;
  const ids = known.flatMap((one) => one.ids);
  const those = all ? undefined : inArray(gapQuestions.id, ids);
  await tx
    .update(gapQuestions)
    .set({ answered: true })
    .where(and(eq(gapQuestions.gapId, id), those));
}
