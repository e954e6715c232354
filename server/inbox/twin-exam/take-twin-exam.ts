/** The job that asks a twin the questions of its exam. Each answer is stored at once, so that a killed or interrupted run goes on. */
import { and, eq, isNull } from "drizzle-orm";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import { isMessageRefused, isWithoutAnswer } from "#server/answers/exam/without-answer.ts";
import { withModels } from "#server/answers/replies/models.ts";
import { openTwin } from "#server/answers/replies/open-twin.ts";
import { type Answer, planReply } from "#server/answers/replies/plan-reply.ts";
import { prefetchQuestion, type Question } from "#server/answers/replies/prefetch-question.ts";
import type { Plan } from "#server/answers/replies/reply-request.ts";
import { escalationTopic } from "#server/inbox/answering/escalation-policy.ts";
import { draftReason, isJudgedByExam } from "#server/inbox/conversation-control/answer-policy.ts";
import { loadContactNotes } from "#server/inbox/conversation-control/contact-conversation.ts";
import { idsOfSamePairs } from "#server/knowledge/messages/reply-examples.ts";
import { openRepliesDerivedFrom } from "#server/knowledge/public-replies/derived-replies.ts";
import type { LeftOut } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";
import { strictestOf } from "#server/platform/db/schema/secrecy.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Log } from "#server/platform/log.ts";
import { chooseQuestions } from "./choose-questions.ts";
import { phraseQuestions } from "./phrase-questions.ts";
import { type ExamRow, openExam, type TwinExamDeps } from "./twin-exams.ts";

interface Deps extends TwinExamDeps {
  log: Log;
}

type TwinData = Tenant & { twinId: string };
type Row = typeof twinExamAnswers.$inferSelect;

/** Does nothing when the exam was cancelled or the twin deleted. A failure of the model is stored, and the owner may go on later. */
export async function takeTwinExam(deps: Deps, data: TwinData, signal: AbortSignal): Promise<void> {
  const exam = await asTenant(deps.db, data, (tx) => openExam(tx, data.twinId));
  if (exam === null || exam.askedAt !== null || exam.failure !== null) return;
  try {
    const asked = await questionsOf(deps, data, exam, signal);
    for (const row of asked) {
      signal.throwIfAborted();
      if (!(await answer(deps, data, row, signal))) return;
    }
    await change(deps, data, exam, { askedAt: new Date() });
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    deps.log.warn({ err: error, twinId: data.twinId }, "the exam of a twin was interrupted");
    await change(deps, data, exam, { failure: error.code });
  }
}

const change = (deps: Deps, data: TwinData, { id }: ExamRow, values: Partial<ExamRow>) =>
  asTenant(deps.db, data, (tx) => tx.update(twinExams).set(values).where(eq(twinExams.id, id)));

/** Returns the questions without an answer; chooses all of them at the first run. */
async function questionsOf(deps: Deps, data: TwinData, exam: ExamRow, signal: AbortSignal): Promise<Row[]> {
  const known = await asTenant(deps.db, data, (tx) => questionRows(tx, exam.id));
  if (known.length > 0) return known.filter(({ reply }) => reply === null);
  const { letters, pieces, usual } = await asTenant(deps.db, data, (tx) => chooseQuestions(tx, data.twinId));
  const { generator } = await withModels(deps, data);
  const { organizationId, userId, twinId } = data;
  const payer: Payer = { organizationId, userId, twinId };
  const phrased = await phraseQuestions(generator, payer, pieces, signal);
  const questions = [
    ...letters.map(({ id, contactId, incoming }) => ({ question: incoming, contactId, replyExampleId: id })),
    ...pieces.map(({ documentId }, at) => ({ question: phrased[at]!, documentId })),
    ...usual.map((question) => ({ question })),
  ];
  return asTenant(deps.db, data, async (tx) => {
    // Letters and documents may have been deleted, and the exam cancelled, while the model wrote the questions.
    if ((await openExam(tx, twinId))?.id !== exam.id) return [];
    await tx.insert(twinExamAnswers).values(
      questions.map((one, place) => ({
        ...{ orgId: organizationId, examId: exam.id, place, ...one },
        secrecy: "replyExampleId" in one ? ("contact" as const) : ("public" as const),
      })),
    );
    return questionRows(tx, exam.id);
  });
}

const questionRows = (tx: Tx, examId: string): Promise<Row[]> =>
  tx.select().from(twinExamAnswers).where(eq(twinExamAnswers.examId, examId)).orderBy(twinExamAnswers.place);

/** Asks one question and stores the answer. @returns whether the exam is still wanted */
async function answer(deps: Deps, data: TwinData, row: Row, signal: AbortSignal): Promise<boolean> {
  const { id, question, contactId } = row;
  const models = await withModels(deps, data);
  const audience = contactId === null ? ({ kind: "stranger" } as const) : ({ kind: "contact", contactId } as const);
  const asked: Question = { twinId: data.twinId, message: question, history: [], audience };
  const prefetched = await prefetchQuestion(models, data, asked);
  const { twinId } = data;
  const tx = eachAsTenant(deps.db, data);
  const opened = await openTwin(tx, data, twinId, { contactId, ...(await withoutLetter(tx, twinId, row)) });
  const contact = contactId === null ? {} : { contact: await loadContactNotes(tx, contactId) };
  // The owner reads every answer, as he reads drafts.
  const message = { ...asked, ...contact, seed: `exam:${question}`, background: true, drafted: true };
  const planned = await planReply(opened, message, prefetched);
  let text = "";
  let heldFor = "Модель не ответила";
  try {
    text = (await planned.whole(signal)).trim();
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error;
    if (isMessageRefused(error)) heldFor = "Модель отказалась отвечать на это сообщение";
  }
  const found = text === "" ? { ...NOTHING_SAID, heldFor } : judged(planned, planned.planOf(text));
  const secrecy = strictestOf(row.secrecy, text === "" ? "public" : planned.secrecyOf(text));
  const stored = await asTenant(deps.db, data, (tx) =>
    tx
      .update(twinExamAnswers)
      .set({ ...found, reply: text, secrecy })
      .where(and(eq(twinExamAnswers.id, id), isNull(twinExamAnswers.reply)))
      .returning({ id: twinExamAnswers.id }),
  );
  if (stored.length > 0) return true;
  // The question may have gone with its letter alone.
  return (await asTenant(deps.db, data, (tx) => openExam(tx, data.twinId)))?.id === row.examId;
}

type Judged = Pick<Row, "reason" | "heldFor" | "confidence" | "band">;

const NOTHING_SAID: Omit<Judged, "heldFor"> = { reason: null, confidence: null, band: null };

/** The answer is planned without the owner's decisions: their weight is added when the exam is read. */
function judged({ request }: Answer, plan: Plan): Judged {
  const heldFor = draftReason("confident", plan, {
    ...{ stopped: false, closed: null, textless: false, unclear: false, recentReplies: 0 },
    ...{ sender: "proven", stopUnproven: false, risk: escalationTopic(request.message) },
  });
  const isPlain = heldFor === null && isJudgedByExam(plan, request);
  return { reason: plan.reason, heldFor, confidence: plan.confidence, band: plan.band ?? (isPlain ? "plain" : null) };
}

/** What the twin may not know of this letter: its own reply, the same one elsewhere, and what was opened from it. */
async function withoutLetter(tx: Tx, twinId: string, { replyExampleId }: Row): Promise<{ leftOut?: LeftOut }> {
  if (replyExampleId === null) return {};
  const same = (await idsOfSamePairs(tx, twinId, [replyExampleId])).get(replyExampleId)!;
  return {
    leftOut: new Map([
      ["example", same],
      ["open", await openRepliesDerivedFrom(tx, twinId, same)],
    ]),
  };
}
