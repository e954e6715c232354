/**
 * Exams of the models that all organisations share: local models, and the one in the server's settings. They are asked in the background,
 * and an interrupted exam goes on, because thirty questions take a slow model hours.
 */
import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { ErrorCode } from "#contract/error-codes.ts";
import type { ExamAnswer } from "#contract/models/model-exam.ts";
import { EXAM_QUESTIONS } from "#contract/models/remote-model.ts";
import type { SharedExam } from "#contract/models/shared-exams.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { localGenerator } from "#server/answers/replies/local-generator.ts";
import type { SharedAbilities } from "#server/answers/replies/shared-abilities.ts";
import type { ModelRegistry } from "#server/models/local/model-registry.ts";
import { getModel } from "#server/models/local/model-rows.ts";
import type { Config } from "#server/platform/config.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { modelExams } from "#server/platform/db/schema/exams.ts";
import { type ExamRun, localModels } from "#server/platform/db/schema/models.ts";
import { conflict, notFound, Problem } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { isJobPending } from "#server/platform/jobs/job-state.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";
import { askQuestions } from "./ask-questions.ts";
import { tokenMeter } from "./token-meter.ts";

/** The model that the server's settings name. */
export interface SettledModel {
  subject: string;
  name: string;
  isRemote: boolean;
  /** Builds its generator anew, without the limits of an earlier exam. */
  forExam(onSpent: (tokens: number) => void): Promise<Generator>;
}

export interface SharedExamDeps {
  db: Database;
  jobs: Jobs;
  log: Log;
  config: Pick<Config, "modelRunning">;
  modelRegistry: ModelRegistry;
  sharedAbilities: SharedAbilities;
  settledModel: SettledModel | null;
}

/** Local models in its id, and the model of the settings under this one. */
const SETTINGS = "settings";

export async function listSharedExams({ db, settledModel }: SharedExamDeps): Promise<SharedExam[]> {
  return db.transaction(async (tx) => {
    const local = await tx
      .select({ id: localModels.id, name: localModels.name })
      .from(localModels)
      .where(and(eq(localModels.kind, "chat"), eq(localModels.state, "ready")))
      .orderBy(localModels.createdAt);
    const models = [
      ...(settledModel === null ? [] : [{ id: SETTINGS, ...settledModel }]),
      ...local.map(({ id, name }) => ({ id, subject: id, name, isRemote: false })),
    ];
    return Promise.all(models.map((model) => toJson(tx, model)));
  });
}

async function toJson(
  tx: Tx,
  { id, subject, name, isRemote }: { id: string; subject: string; name: string; isRemote: boolean },
): Promise<SharedExam> {
  const [row] = await tx.select().from(modelExams).where(eq(modelExams.subject, subject));
  const run = row?.run ?? null;
  const examining = run !== null && run.failure === null && (await isJobPending(tx, "take-shared-exam", id));
  return {
    ...{ id, name, isRemote, exam: row?.exam ?? null },
    examining: examining ? { asked: run.asked, of: EXAM_QUESTIONS } : null,
    examFailure: examining || run === null ? null : (run.failure ?? "internal"),
  };
}

/** @throws Problem 404 */
export async function sharedExamAnswers(deps: SharedExamDeps, id: string): Promise<ExamAnswer[]> {
  const subject = await subjectOf(deps, id);
  const [row] = await deps.db
    .select({ answers: modelExams.answers })
    .from(modelExams)
    .where(eq(modelExams.subject, subject));
  return row?.answers ?? [];
}

/** @throws Problem 404; 409 for a model that is not in use, and while its exam is under way */
export async function requestSharedExam(deps: SharedExamDeps, caller: Caller, id: string): Promise<SharedExam[]> {
  const subject = await subjectOf(deps, id);
  const { organizationId, userId } = caller;
  await deps.db.transaction(async (tx) => {
    const [known] = await tx.select().from(modelExams).where(eq(modelExams.subject, subject)).for("update");
    if (known?.run?.failure === null && (await isJobPending(tx, "take-shared-exam", id)))
      throw conflict("exam_running", "Экзамен уже идёт: дождитесь его конца");
    const begun = known?.run ?? null;
    const run: ExamRun = { ...(begun ?? { asked: 0 }), id: randomUUID(), failure: null };
    await tx
      .insert(modelExams)
      .values({ subject, localModelId: id === SETTINGS ? null : id, run })
      .onConflictDoUpdate({ target: modelExams.subject, set: { run } });
    await audit(tx, { action: "remote-model-examined", userId, organizationId, subject: id, detail: {} });
  });
  await asTenant(deps.db, caller, (tx) =>
    deps.jobs.enqueue(tx, "take-shared-exam", { organizationId, userId, model: id }),
  );
  return listSharedExams(deps);
}

async function subjectOf({ db, settledModel }: SharedExamDeps, id: string): Promise<string> {
  if (id === SETTINGS) {
    if (settledModel === null) throw notFound("Модель не найдена", "model_not_found");
    return settledModel.subject;
  }
  const { kind, state, chosen, allowed } = await getModel(db, id);
  if (kind !== "chat") throw conflict("model_writes_nothing", "Эта модель не пишет ответов: спросить её нельзя");
  if (state !== "ready" || !(chosen || allowed))
    throw conflict("exam_without_model", "Сначала выберите модель или разрешите её организациям: экзаменовать некого");
  return id;
}

/** The job. Answers are stored one by one. */
export async function takeSharedExam(
  deps: SharedExamDeps,
  { model: id, ...tenant }: Tenant & { model: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = deps;
  // Who pays is checked before anything is read.
  await asTenant(db, tenant, async () => {});
  let subject: string;
  try {
    subject = await subjectOf(deps, id);
  } catch (error) {
    // Removed or disabled meanwhile.
    if (error instanceof Problem) return;
    throw error;
  }
  const [row] = await db.select({ run: modelExams.run }).from(modelExams).where(eq(modelExams.subject, subject));
  const run = row?.run ?? null;
  if (run === null || run.failure !== null) return;
  const change = async (values: Partial<typeof modelExams.$inferInsert>): Promise<boolean> => {
    const ofRun = and(eq(modelExams.subject, subject), sql`${modelExams.run} ->> 'id' = ${run.id}`);
    const changed = await db
      .update(modelExams)
      .set(values)
      .where(and(ofRun, isNotNull(modelExams.run)))
      .returning();
    return changed.length > 0;
  };
  const meter = tokenMeter();
  let now = run;
  try {
    const result = await askQuestions(
      {
        generator: await examinedModel(deps, id, meter.count),
        ...{ payer: { ...tenant, twinId: null }, signal, spent: meter.take },
        isOnThisServer: id !== SETTINGS || !deps.settledModel!.isRemote,
        isWanted: (progress) => {
          now = { ...run, ...progress, asked: progress.answers!.length };
          return change({ run: now });
        },
      },
      run,
    );
    if (result === null) return;
    await change({ ...result, run: null });
    await deps.sharedAbilities.refresh();
  } catch (error) {
    if (!(error instanceof Problem) || signal.aborted) throw error;
    log.warn({ err: error, model: id }, "the exam of a shared model was interrupted");
    await change({ run: { ...now, failure: error.code satisfies ErrorCode } });
  }
}

async function examinedModel(
  { db, config, log, modelRegistry, settledModel }: SharedExamDeps,
  id: string,
  onSpent: (tokens: number) => void,
): Promise<Generator> {
  if (id === SETTINGS) return settledModel!.forExam(onSpent);
  await modelRegistry.answering();
  const row = await getModel(db, id);
  return localGenerator({
    ...{ host: modelRegistry.hostOf(row), log, totalMs: config.modelRunning.timeoutSeconds * 1000 },
    ability: () => "answers",
  });
}
