/** The exam of a twin for its owner: what it would cost, how far it is, its answers and what they mean for sending. */
import { and, count, desc, eq, isNotNull, isNull, ne, sql } from "drizzle-orm";
import {
  LEAST_MARKS,
  TWIN_EXAM_QUESTIONS,
  type TwinExam,
  type TwinExamAnswer,
  type TwinExamMark,
} from "#contract/twin-exam.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { arePlainAnswersSent, isSentWith } from "#server/answers/replies/calibration.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { withModels } from "#server/answers/replies/models.ts";
import type { ReplyDeps } from "#server/answers/replies/plan-reply.ts";
import { UNSURE } from "#server/inbox/conversation-control/answer-policy.ts";
import { readTrackRecords } from "#server/inbox/conversation-control/read-track-record.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { twinExamAnswers, twinExams } from "#server/platform/db/schema/exams.ts";
import { chunks, contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { isJobPending } from "#server/platform/jobs/job-state.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { chooseQuestions } from "./choose-questions.ts";
import { costOf } from "./exam-cost.ts";

export interface TwinExamDeps extends ReplyDeps {
  jobs: Pick<Jobs, "enqueue">;
}

export type ExamRow = typeof twinExams.$inferSelect;
type AnswerRow = typeof twinExamAnswers.$inferSelect;

/** @throws Problem 404 when the twin is not the caller's own: the exam holds his letters */
export async function readTwinExam(deps: TwinExamDeps, caller: Caller, twinId: string): Promise<TwinExam> {
  const { generator } = await withModels(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    return toJson(tx, caller, twinId, generator);
  });
}

/** Begins an exam, or goes on with an interrupted one. @throws Problem 404; 409 without anything to ask about, or while one is under way */
export async function startTwinExam(deps: TwinExamDeps, caller: Caller, twinId: string): Promise<TwinExam> {
  const { generator } = await withModels(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const { organizationId, userId } = caller;
    const open = await openExam(tx, twinId);
    if (open?.askedAt) throw conflict("twin_exam_open", "Экзамен уже задан: оцените его ответы или отмените его");
    if (open !== null && (await isJobPending(tx, "take-twin-exam", twinId)))
      throw conflict("exam_running", "Экзамен уже идёт: дождитесь его конца");
    if (open === null) {
      const { letters, pieces } = await chooseQuestions(tx, twinId);
      if (letters.length + pieces.length === 0)
        throw conflict("exam_without_material", "Спрашивать не о чем: сначала добавьте документы или переписку");
      await tx.insert(twinExams).values({
        ...{ orgId: organizationId, twinId: twin.id, model: generator.model ?? null },
        ...(await knowledgeSize(tx, twinId)),
      });
    } else await tx.update(twinExams).set({ failure: null }).where(eq(twinExams.id, open.id));
    await deps.jobs.enqueue(tx, "take-twin-exam", { organizationId, userId, twinId });
    return toJson(tx, caller, twinId, generator);
  });
}

/** Deletes the exam that is under way; the last marked one stays. @throws Problem 404 */
export async function cancelTwinExam(deps: TwinExamDeps, caller: Caller, twinId: string): Promise<TwinExam> {
  const { generator } = await withModels(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    await tx.delete(twinExams).where(and(eq(twinExams.twinId, twinId), isNull(twinExams.finishedAt)));
    return toJson(tx, caller, twinId, generator);
  });
}

/** The exam ends with the mark of its last answer; a mark may be changed afterwards too. @throws Problem 404 */
export async function markAnswer(
  deps: TwinExamDeps,
  caller: Caller,
  twinId: string,
  { answerId, mark }: { answerId: number; mark: TwinExamMark },
): Promise<TwinExam> {
  const accepted = mark === "none" ? null : mark === "yes";
  const { generator } = await withModels(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const ofTwin = tx.select({ id: twinExams.id }).from(twinExams).where(eq(twinExams.twinId, twinId));
    const [marked] = await tx
      .update(twinExamAnswers)
      .set({ accepted, decidedAt: accepted === null ? null : new Date() })
      .where(
        and(
          eq(twinExamAnswers.id, answerId),
          isNotNull(twinExamAnswers.reply),
          sql`${twinExamAnswers.examId} = any(array(${ofTwin}))`,
        ),
      )
      .returning({ examId: twinExamAnswers.examId });
    if (marked === undefined) throw notFound("Такого ответа в экзамене больше нет", "message_not_found");
    const open = await openExam(tx, twinId);
    if (open?.id === marked.examId && open.askedAt !== null && (await markCount(tx, open.id)).left === 0)
      await finish(tx, open);
    return toJson(tx, caller, twinId, generator);
  });
}

/** @throws Problem 404; 409 when too few answers are marked */
export async function finishTwinExam(deps: TwinExamDeps, caller: Caller, twinId: string): Promise<TwinExam> {
  const { generator } = await withModels(deps, caller);
  return asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const open = await openExam(tx, twinId);
    const { marked } = open === null ? { marked: 0 } : await markCount(tx, open.id);
    if (open === null || open.askedAt === null || marked < LEAST_MARKS)
      throw conflict("too_few_marks", `Сначала оцените хотя бы ${LEAST_MARKS} ответов`);
    await finish(tx, open);
    return toJson(tx, caller, twinId, generator);
  });
}

async function markCount(tx: Tx, examId: string): Promise<{ marked: number; left: number }> {
  const rows = await tx
    .select({ accepted: twinExamAnswers.accepted })
    .from(twinExamAnswers)
    .where(eq(twinExamAnswers.examId, examId));
  const marked = rows.filter(({ accepted }) => accepted !== null).length;
  return { marked, left: rows.length - marked };
}

async function finish(tx: Tx, { id, twinId }: ExamRow): Promise<void> {
  await tx.update(twinExams).set({ finishedAt: new Date() }).where(eq(twinExams.id, id));
  await tx.delete(twinExams).where(and(eq(twinExams.twinId, twinId), ne(twinExams.id, id)));
}

export async function openExam(tx: Tx, twinId: string): Promise<ExamRow | null> {
  const [row] = await tx
    .select()
    .from(twinExams)
    .where(and(eq(twinExams.twinId, twinId), isNull(twinExams.finishedAt)));
  return row ?? null;
}

async function toJson(tx: Tx, caller: Caller, twinId: string, generator: Generator): Promise<TwinExam> {
  const open = await openExam(tx, twinId);
  const [last] = await tx
    .select()
    .from(twinExams)
    .where(and(eq(twinExams.twinId, twinId), isNotNull(twinExams.finishedAt)))
    .orderBy(desc(twinExams.finishedAt))
    .limit(1);
  const { letters, pieces } = await chooseQuestions(tx, twinId);
  const size = await knowledgeSize(tx, twinId);
  const lastAnswers = last === undefined ? [] : await answersOf(tx, last.id);
  return {
    material: { documents: pieces.length, letters: letters.length },
    cost: await costOf(tx, caller.organizationId, twinId, generator),
    current: open && (await toCurrent(tx, open)),
    last:
      last === undefined ? null : { result: await resultOf(tx, last, lastAnswers), answers: lastAnswers.map(toAnswer) },
    changed: last === undefined ? [] : changesSince(last, { ...size, model: generator.model ?? null }),
  };
}

type ShownRow = AnswerRow & { contactName: string | null; ownerReply: string | null };

const answersOf = async (tx: Tx, examId: string): Promise<ShownRow[]> => {
  const rows = await tx
    .select({ answer: twinExamAnswers, contactName: contacts.name, ownerReply: replyExamples.reply })
    .from(twinExamAnswers)
    .leftJoin(contacts, eq(contacts.id, twinExamAnswers.contactId))
    .leftJoin(replyExamples, eq(replyExamples.id, twinExamAnswers.replyExampleId))
    .where(eq(twinExamAnswers.examId, examId))
    .orderBy(twinExamAnswers.place);
  return rows.map(({ answer, ...of }) => ({ ...answer, ...of }));
};

function toAnswer({ id, question, replyExampleId, documentId, ...row }: ShownRow): TwinExamAnswer {
  const { contactName, ownerReply, reply, reason, heldFor, accepted } = row;
  const from = replyExampleId !== null ? "letter" : documentId !== null ? "document" : "usual";
  return { id: String(id), question, from, contactName, ownerReply, reply, reason, heldFor, accepted };
}

async function toCurrent(tx: Tx, exam: ExamRow): Promise<TwinExam["current"]> {
  const rows = await answersOf(tx, exam.id);
  const asked = rows.filter(({ reply }) => reply !== null);
  // A run whose job is gone was interrupted.
  const isAsking =
    exam.askedAt === null && exam.failure === null && (await isJobPending(tx, "take-twin-exam", exam.twinId));
  const state = exam.askedAt !== null ? "marking" : isAsking ? "asking" : "interrupted";
  return {
    ...{ state, asked: asked.length, of: rows.length || TWIN_EXAM_QUESTIONS },
    failure: state === "interrupted" ? (exam.failure ?? "internal") : null,
    answers: asked.map(toAnswer),
  };
}

/** What the marks mean now, together with the owner's other decisions. */
async function resultOf(tx: Tx, exam: ExamRow, rows: readonly AnswerRow[]) {
  const marked = rows.filter(({ accepted }) => accepted !== null);
  const decisions = await readTrackRecords(tx, { orgId: exam.orgId, twinId: exam.twinId, now: new Date() });
  const isSent = ({ band, confidence, heldFor, reply }: AnswerRow) => {
    if (reply === "" || confidence === null) return false;
    // Small talk, and what the owner has taught, is not judged as a kind.
    if (band === null) return heldFor === null;
    if (band === "plain") return arePlainAnswersSent(decisions.plain);
    // What is held for another reason than its probability stays held.
    return (heldFor === null || heldFor === UNSURE) && isSentWith(confidence, decisions[band]);
  };
  const sent = marked.filter(isSent);
  const accepted = (some: readonly AnswerRow[]) => some.filter((one) => one.accepted).length;
  return {
    ...{ marked: marked.length, accepted: accepted(marked), sent: sent.length, sentAccepted: accepted(sent) },
    at: exam.finishedAt!.toISOString(),
  };
}

async function knowledgeSize(tx: Tx, twinId: string): Promise<{ chunks: number; letters: number }> {
  const [ofDocuments] = await tx.select({ total: count() }).from(chunks).where(eq(chunks.twinId, twinId));
  const [ofLetters] = await tx.select({ total: count() }).from(replyExamples).where(eq(replyExamples.twinId, twinId));
  return { chunks: ofDocuments?.total ?? 0, letters: ofLetters?.total ?? 0 };
}

/** Differences from which another exam would tell more: a share of what was known, and at least so much. */
const MANY = { chunks: { share: 0.3, least: 10 }, letters: { share: 0.5, least: 50 } };

type Known = Pick<ExamRow, "model" | "chunks" | "letters">;

function changesSince(then: Known, now: Known): TwinExam["changed"] {
  const hasChanged = (what: keyof typeof MANY) =>
    Math.abs(now[what] - then[what]) >= Math.max(MANY[what].least, then[what] * MANY[what].share);
  return [
    ...(then.model === now.model ? [] : (["model"] as const)),
    ...(hasChanged("chunks") ? (["documents"] as const) : []),
    ...(hasChanged("letters") ? (["letters"] as const) : []),
  ];
}
