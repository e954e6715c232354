/** Asks the twin again what it could not answer: whether a gap has closed by what was learnt since, and what to tell who asked. */
import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { asTenant, type Tenant, type Tx } from "#server/db/database.ts";
import { gapQuestions, gaps } from "#server/db/schema.ts";
import {
  type Answer,
  answerConversation,
  type Citations,
  type ReplyDeps,
} from "#server/replies/answer-conversation.ts";

/** Gaps that are asked in one run, the newest; fewer of a model, whose answers cost the owner money. */
const MAX_GAPS = { embedded: 200, llm: 20 } as const;
/** Wordings of one gap that are asked. */
const WORDINGS = 3;
const STRANGER = { kind: "stranger" } as const;

type TwinData = Tenant & { twinId: string };

/** Whether the answer says what was asked, in words that the twin stands by. */
export function answers(answer: Answer, text: string, { basis }: Pick<Citations, "basis">): boolean {
  if (answer.planOf(text).ask !== undefined) return false;
  return basis === "knowledge" || basis === "recurring" || basis === "corrected";
}

/** Closes open gaps that the twin answers for everybody now. @throws Problem when the day's budget is spent */
export async function askOpenGaps(deps: ReplyDeps, data: TwinData, signal: AbortSignal): Promise<void> {
  const { db, generator } = deps;
  const due = await asTenant(db, data, (tx) => dueGaps(tx, data.twinId, MAX_GAPS[generator.name]));
  for (const { id, questions } of due) {
    const known: string[] = [];
    for (const question of questions) {
      signal.throwIfAborted();
      if (await isKnown(deps, data, question, signal)) known.push(question);
    }
    await asTenant(db, data, (tx) => keepResult(tx, id, known, known.length === questions.length));
  }
}

async function isKnown(deps: ReplyDeps, data: TwinData, question: string, signal: AbortSignal): Promise<boolean> {
  const asked = { message: question, history: [], audience: STRANGER };
  const answer = await answerConversation(deps, data, {
    ahead: { twinId: data.twinId, ...asked },
    read: async (reading) =>
      reading.answer(await reading.open(data.twinId), { ...asked, seed: `gap:${question}`, background: true }),
  });
  const text = (await answer.whole(signal)).trim();
  return answers(answer, text, answer.citationsOf(text));
}

/** Open gaps that were last asked before the twin learnt anything more. */
async function dueGaps(tx: Tx, twinId: string, limit: number): Promise<{ id: string; questions: string[] }[]> {
  const due = await tx
    .select({ id: gaps.id })
    .from(gaps)
    .where(
      and(
        eq(gaps.twinId, twinId),
        eq(gaps.state, "open"),
        sql`${gaps.checkedAt} < greatest((select last_trained_at from twins where id = ${twinId}),
          (select max(created_at) from corrections where twin_id = ${twinId} and state = 'active' and kind <> 'style'))`,
      ),
    )
    .orderBy(desc(gaps.createdAt), desc(gaps.id))
    .limit(limit);
  const found: { id: string; questions: string[] }[] = [];
  for (const { id } of due) {
    const rows = await tx
      .select({ question: gapQuestions.question })
      .from(gapQuestions)
      .where(and(eq(gapQuestions.gapId, id), isNotNull(gapQuestions.question)))
      .orderBy(desc(gapQuestions.id));
    const questions = [...new Set(rows.map(({ question }) => question!))].slice(0, WORDINGS);
    if (questions.length > 0) found.push({ id, questions });
  }
  return found;
}

async function keepResult(tx: Tx, id: string, known: readonly string[], all: boolean): Promise<void> {
  const [gap] = await tx.select({ state: gaps.state }).from(gaps).where(eq(gaps.id, id)).for("no key update");
  // The owner has decided meanwhile.
  if (gap?.state !== "open") return;
  const closed = all ? ({ state: "answered", answeredBy: "knowledge", decidedAt: new Date() } as const) : {};
  await tx
    .update(gaps)
    .set({ checkedAt: new Date(), ...closed })
    .where(eq(gaps.id, id));
  await tx.update(gapQuestions).set({ answered: false }).where(eq(gapQuestions.gapId, id));
  if (known.length === 0) return;
  const those = all ? undefined : inArray(gapQuestions.question, [...known]);
  await tx
    .update(gapQuestions)
    .set({ answered: true })
    .where(and(eq(gapQuestions.gapId, id), those));
}
