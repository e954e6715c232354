/**
 * The job that asks an organisation's own model the questions of its exam, through the same pipeline as a stranger's message, and stores
 * what the model may do (docs/decisions/031-remote-models-and-budgets.md). A killed run begins again.
 */
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { ErrorCode } from "#contract/error-codes.ts";
import type { ModelExam } from "#contract/models/remote-model.ts";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { planFromMemory, type TwinInMemory } from "#server/answers/replies/plan-reply.ts";
import type { RemoteGenerators } from "#server/answers/replies/remote-generators.ts";
import { fixedIndex } from "#server/knowledge/search/fixed-index.ts";
import { type RemoteRow, rowOf } from "#server/models/remote/settings.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Log } from "#server/platform/log.ts";
import { EXAM_DOCUMENTS, EXAM_TWIN } from "./exam-base.ts";
import { EXAM, type ExamQuestion } from "./exam-questions.ts";
import { abilityOf, countMarks, type Mark, markOf } from "./marks.ts";
import { isWithoutAnswer } from "./without-answer.ts";

interface Deps {
  db: Database;
  log: Log;
  remoteGenerators: RemoteGenerators;
}

export async function takeExam(
  { db, log, remoteGenerators }: Deps,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const row = await asTenant(db, tenant, (tx) => rowOf(tx, tenant.organizationId, false));
  const run = row?.examRun ?? null;
  if (row === null || run === null || run.failure !== null) return;
  const store = runStore(db, tenant, run.id);
  try {
    const result = await examine(remoteGenerators, row, tenant, { signal, isWanted: (asked) => store.progress(asked) });
    if (result !== null) await store.finish(result);
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    log.warn({ err: error, organizationId: tenant.organizationId }, "the exam of a model ended without a result");
    await store.fail(error.code);
  }
}

interface Running {
  signal: AbortSignal;
  /** Stores the progress. @returns whether the exam is still wanted: the model may have been changed or removed */
  isWanted(asked: number): Promise<boolean>;
}

/** @returns null when the exam is no longer wanted. @throws Problem when the model cannot be asked */
async function examine(
  remoteGenerators: RemoteGenerators,
  row: RemoteRow,
  tenant: Tenant,
  { signal, isWanted }: Running,
): Promise<ModelExam | null> {
  let tokens = 0;
  const generator = await remoteGenerators.forExam(row, tenant, (spent) => {
    tokens += spent;
  });
  const twin: TwinInMemory = { twin: EXAM_TWIN, index: fixedIndex(EXAM_DOCUMENTS) };
  const payer: Payer = { ...tenant, twinId: null };
  const marks: Mark[] = [];
  let records = 0;
  for (const question of EXAM) {
    if (!(await isWanted(marks.length))) return null;
    const { mark, isRecorded } = await ask(generator, twin, payer, question, signal);
    marks.push(mark);
    if (isRecorded) records++;
  }
  return { ...countMarks(marks), records, ability: abilityOf(marks), tokens, at: new Date().toISOString() };
}

async function ask(
  generator: Generator,
  twin: TwinInMemory,
  payer: Payer,
  question: ExamQuestion,
  signal: AbortSignal,
): Promise<{ mark: Mark; isRecorded: boolean }> {
  const { message, history = [] } = question;
  const answer = await planFromMemory(generator, twin, { message, history, payer });
  try {
    const text = await answer.whole(signal);
    return { mark: markOf(question, { text, plan: answer.planOf(text) }), isRecorded: answer.isRecorded };
  } catch (error) {
    if (!isWithoutAnswer(error)) throw error;
    return { mark: markOf(question, null), isRecorded: false };
  }
}

/** Changes the row only while it holds this run. */
function runStore(db: Database, tenant: Tenant, id: string) {
  const change = (values: Partial<Pick<RemoteRow, "exam" | "examRun" | "revision">>): Promise<boolean> =>
    asTenant(db, tenant, async (tx) => {
      const changed = await tx
        .update(remoteModels)
        .set(values)
        .where(and(eq(remoteModels.orgId, tenant.organizationId), sql`${remoteModels.examRun} ->> 'id' = ${id}`))
        .returning({ orgId: remoteModels.orgId });
      return changed.length > 0;
    });
  return {
    progress: (asked: number) => change({ examRun: { id, asked, failure: null } }),
    // A new revision, so that all processes build the model's generator again.
    finish: (exam: ModelExam) => change({ exam, examRun: null, revision: randomUUID() }),
    fail: (failure: ErrorCode) => change({ examRun: { id, asked: 0, failure } }),
  };
}
