/** The owner's decisions on gaps: he answers the askers or all contacts, or says that no answer is needed. */
import { and, eq, inArray, isNull, ne } from "drizzle-orm";
import type { GapDecision } from "#contract/gaps.ts";
import { maskIn } from "#contract/knowledge/chat-facts.ts";
import { getOwnTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { type AskingContact, removeTaughtFact, teachFact } from "#server/knowledge/corrections/taught-facts.ts";
import { requestEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { gapSubject } from "#server/knowledge/forgetting/gap-words.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { hasVisibleQuestion, readQuestions } from "./gaps.ts";
import { withdrawAnswers } from "./notify-askers.ts";

const MAX_REWORDINGS = 20;
/** Maximum number of contacts who each get their own correction. */
const MAX_ASKERS = 50;

interface DecisionDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
}

type Row = typeof gaps.$inferSelect;

/**
 * Sends the answer to the contacts who asked; to all contacts only if the decision says so.
 * @throws Problem 404; 422 when the text contains personal data or may not be said, or no contact has asked
 */
export function decideGap(
  deps: DecisionDeps,
  caller: Caller,
  twinId: string,
  gapId: string,
  decision: GapDecision,
): Promise<void> {
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const gap = await gapOf(tx, twin, gapId);
    if (decision.decision === "reopen") return reopen(tx, caller, twin, gap);
    if (decision.decision === "ignore") {
      if (gap.state !== "open") return;
      await set(tx, gap, { state: "ignored", ignoredAs: decision.as, decidedAt: new Date() });
      return;
    }
    if (gap.state === "answered") return;
    const { question, text, scope = "contact" } = decision;
    const mask = maskIn(question) ?? maskIn(text);
    if (mask !== null)
      throw unprocessable("masked_fact", `Замените «${mask}» своими словами или уберите: двойник скажет это так.`);
    await join(tx, caller, twin, gap, decision.also ?? []);
    const to =
      scope === "everybody"
        ? ({ everybody: true, rewordings: await rewordingsOf(tx, twin, gap, question) } as const)
        : ({ everybody: false, askers: await askersOf(tx, twin, gap) } as const);
    const subject = gapSubject(gap);
    const { correctionId } = await teachFact(tx, twin, caller.userId, { question, text, to, subject });
    await set(tx, gap, {
      state: "answered",
      ignoredAs: null,
      answeredBy: "owner",
      correctionId,
      decidedAt: new Date(),
      checkedAt: new Date(),
    });
    // Results for a former answer do not apply to this one, so the twin is asked again.
    await tx.update(gapQuestions).set({ answered: null }).where(eq(gapQuestions.gapId, gap.id));
    await requestEmbeddings(tx, deps, { ...caller, twinId });
    const { organizationId, userId } = caller;
    await deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId });
  });
}

/**
 * Makes the question a gap of its own.
 * @throws Problem 404; 409 when it is the only one or the gap is decided
 */
export function splitGap(
  db: Database,
  caller: Caller,
  twinId: string,
  gapId: string,
  questionId: string,
): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const gap = await gapOf(tx, twin, gapId);
    const questions = await readQuestions(tx, twin, [gap.id]);
    const apart = questions.find(({ id }) => String(id) === questionId);
    if (apart === undefined) throw notFound("Этого вопроса больше нет", "gap_not_found");
    const wording = apart.question ?? apart.said;
    const alike = questions.filter(({ question, said }) => (question ?? said) === wording).map(({ id }) => id);
    if (gap.state !== "open" || alike.length === questions.length)
      throw conflict("nothing_to_split", "Отделить этот вопрос не от чего");
    const [made] = await tx
      .insert(gaps)
      .values({ orgId: gap.orgId, twinId, checkedBy: gap.checkedBy })
      .returning({ id: gaps.id });
    await tx.update(gapQuestions).set({ gapId: made!.id }).where(inArray(gapQuestions.id, alike));
  });
}

/** Joins gaps that the owner says ask the same. Gaps decided or split meanwhile stay unchanged. */
async function join(tx: Tx, caller: Caller, twin: TwinRow, gap: Row, also: readonly string[]): Promise<void> {
  if (also.length === 0) return;
  const joined = await tx
    .select()
    .from(gaps)
    .where(
      and(
        inArray(gaps.id, [...also]),
        ne(gaps.id, gap.id),
        eq(gaps.twinId, twin.id),
        eq(gaps.state, "open"),
        hasVisibleQuestion(twin),
      ),
    )
    .orderBy(gaps.id)
    .for("no key update");
  const ids = joined.map(({ id }) => id);
  if (ids.length === 0) return;
  // Removes the former answer of a joined gap: it has failed, and would contradict this one.
  for (const former of joined.filter(({ correctionId }) => correctionId !== null))
    await removeTaughtFact(tx, twin, caller.userId, { subject: gapSubject(former), replacedId: null });
  await tx.update(gapQuestions).set({ gapId: gap.id }).where(inArray(gapQuestions.gapId, ids));
  await tx.delete(gaps).where(inArray(gaps.id, ids));
}

async function gapOf(tx: Tx, twin: TwinRow, id: string): Promise<Row> {
  const [gap] = await tx
    .select()
    .from(gaps)
    .where(and(eq(gaps.id, id), eq(gaps.twinId, twin.id), hasVisibleQuestion(twin)))
    .for("no key update");
  if (gap === undefined) throw notFound("Этого вопроса больше нет", "gap_not_found");
  return gap;
}

const set = (tx: Tx, { id }: Row, changes: Partial<Row>) => tx.update(gaps).set(changes).where(eq(gaps.id, id));

/** @throws Problem 422 when there are no askers, or too many for an answer each */
async function askersOf(tx: Tx, twin: TwinRow, gap: Row): Promise<AskingContact[]> {
  const rows = await readQuestions(tx, twin, [gap.id]);
  const wordings = new Map<number, Set<string>>();
  for (const { contactId, question, said } of rows) {
    if (contactId === null) continue;
    const own = wordings.get(contactId) ?? new Set();
    wordings.set(contactId, own.add(question ?? said));
  }
  if (wordings.size === 0)
    throw unprocessable("no_contact", "Об этом спрашивали только вы, в тестовом чате: ответить можно только всем");
  if (wordings.size > MAX_ASKERS)
    throw unprocessable("too_many_askers", `Об этом спросили больше ${MAX_ASKERS} собеседников: ответьте всем`);
  return [...wordings].map(([contactId, own]) => {
    const [newest, ...others] = [...own].slice(0, MAX_REWORDINGS);
    return { contactId, wordings: [newest!, ...others] };
  });
}

/** Returns the other wordings of the question, without those that contain personal data. */
async function rewordingsOf(tx: Tx, twin: TwinRow, gap: Row, question: string): Promise<string[]> {
  const names = await contactNamesOf(tx, twin.id);
  const rows = await readQuestions(tx, twin, [gap.id]);
  const others = new Set(rows.map(({ question: wording, said }) => wording ?? said));
  others.delete(question);
  return [...others].filter((wording) => personalSpans(wording, names).length === 0).slice(0, MAX_REWORDINGS);
}

/** Withdraws a decision: its corrections are deleted, and unsent answers are cancelled. */
async function reopen(tx: Tx, caller: Caller, twin: TwinRow, gap: Row): Promise<void> {
  if (gap.state === "open") return;
  if (gap.answeredBy === "owner") {
    await removeTaughtFact(tx, twin, caller.userId, { subject: gapSubject(gap), replacedId: null });
    await withdrawAnswers(tx, gap.id);
  }
  await set(tx, gap, {
    state: "open",
    ignoredAs: null,
    answeredBy: null,
    correctionId: null,
    decidedAt: null,
    // The twin already has all knowledge up to now, so only later knowledge may close the gap.
    checkedAt: new Date(),
  });
  await tx
    .update(gapQuestions)
    .set({ answered: false })
    .where(and(eq(gapQuestions.gapId, gap.id), isNull(gapQuestions.told)));
}
