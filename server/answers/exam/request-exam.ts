import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { RemoteModel } from "#contract/models/remote-model.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { heldBy, isExamining, type RemoteDeps, readRemoteModel, rowOf } from "#server/models/remote/settings.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { remoteModels } from "#server/platform/db/schema/models.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

export interface ExamDeps extends RemoteDeps {
  jobs: Jobs;
}

/** @throws Problem 409 when no model is in use, or its exam is under way */
export async function requestExam(deps: ExamDeps, caller: Caller): Promise<RemoteModel> {
  const { organizationId, userId } = caller;
  await asTenant(deps.db, caller, async (tx) => {
    const row = await rowOf(tx, organizationId, true);
    if (row === null || !row.enabled || (await heldBy(tx, deps.config, row)) !== null)
      throw conflict("exam_without_model", "Сначала подключите и включите модель: экзаменовать некого");
    if (await isExamining(tx, row)) throw conflict("exam_running", "Экзамен уже идёт: дождитесь его конца");
    await tx
      .update(remoteModels)
      .set({ examRun: { id: randomUUID(), asked: 0, failure: null } })
      .where(eq(remoteModels.orgId, organizationId));
    await deps.jobs.enqueue(tx, "take-exam", { organizationId, userId });
    await auditInTenant(tx, {
      ...{ action: "remote-model-examined", userId, organizationId, subject: organizationId },
      detail: { host: new URL(row.baseUrl).host },
    });
  });
  return readRemoteModel(deps, caller);
}
