/**
 * The job that asks an organisation's own model the questions of its exam and stores what the model may do (docs/decisions/031-remote-models-and-budgets.md). A killed run begins again.
 */
import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { ErrorCode } from "#contract/error-codes.ts";
import type { RemoteGenerators } from "#server/answers/replies/remote-generators.ts";
import { type RemoteRow, rowOf } from "#server/models/remote/settings.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { Problem } from "#server/platform/errors.ts";
import type { Log } from "#server/platform/log.ts";
import { askQuestions, type ExamResult } from "./ask-questions.ts";
import { tokenMeter } from "./token-meter.ts";

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

/** @returns null when the exam is no longer wanted. @throws Problem when the model cannot be asked */
async function examine(
  remoteGenerators: RemoteGenerators,
  row: RemoteRow,
  tenant: Tenant,
  { signal, isWanted }: { signal: AbortSignal; isWanted(asked: number): Promise<boolean> },
): Promise<ExamResult | null> {
  const meter = tokenMeter();
  const generator = await remoteGenerators.forExam(row, tenant, meter.count);
  return askQuestions({
    ...{ generator, payer: { ...tenant, twinId: null }, signal, spent: meter.take },
    isWanted: ({ answers }) => isWanted(answers.length),
  });
}

/** Changes the row only while it holds this run. */
function runStore(db: Database, tenant: Tenant, id: string) {
  type Values = Partial<Pick<typeof remoteModels.$inferInsert, "exam" | "examAnswers" | "examRun" | "revision">>;
  const change = (values: Values): Promise<boolean> =>
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
    finish: ({ exam, answers }: ExamResult) =>
      change({ exam, examAnswers: answers, examRun: null, revision: randomUUID() }),
    fail: (failure: ErrorCode) => change({ examRun: { id, asked: 0, failure } }),
  };
}
