import { and, eq, or } from "drizzle-orm";
import type { Reimport, ReimportInput } from "#contract/knowledge/knowledge-base.ts";
import { getChangeableIntegration } from "#server/inbox/channels/integration-rows.ts";
import { reimportSource } from "#server/knowledge/knowledge-base/knowledge-base.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conflict, unavailable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { DEFAULT_IMPORT, startTelegramImport } from "./telegram-import.ts";

/**
 * Reads a history again, named by its integration (/crm) or its source (/knowledge). A connected account is read anew without storing
 * duplicates. Dialogs that the owner has chosen stay chosen until he chooses others.
 * @throws Problem 404, 403; 409 for what is paused or cannot be read again; 422 for an account that is not connected; 503 for platforms
 * without a history
 */
export async function reimport(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  id: string,
  input: ReimportInput,
): Promise<Reimport> {
  const integration = await asTenant(db, caller, async (tx) => {
    const [known] = await tx
      .select({ id: integrations.id })
      .from(integrations)
      .where(
        and(or(eq(integrations.id, id), eq(integrations.sourceId, id)), eq(integrations.orgId, caller.organizationId)),
      );
    return known && getChangeableIntegration(tx, caller, known.id);
  });
  if (integration === undefined) return reimportSource(db, caller, id);
  if (integration.status !== "active") {
    throw conflict("integration_inactive", "Интеграция приостановлена: переимпорт недоступен");
  }
  if (integration.platform !== "telegram") {
    throw unavailable("reimport_unavailable", "Переимпорт подключённых аккаунтов пока недоступен");
  }
  const wanted = { ...DEFAULT_IMPORT, ...input };
  await startTelegramImport({ db, jobs }, caller, integration.id, wanted, { sameDialogs: true });
  return { id, status: "running" };
}
