import { and, eq } from "drizzle-orm";
import type { Reimport } from "#contract/knowledge-base.ts";
import { asTenant, type Database } from "#server/db/database.ts";
import { integrations } from "#server/db/schema.ts";
import { conflict, unavailable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { reimportSource } from "#server/knowledge/knowledge-base.ts";
import { getChangeableIntegration } from "./integrations.ts";

/**
 * Reads a history again, named by its integration (/crm) or by its source (/knowledge).
 * @throws Problem 404, 403; 409 for what is paused or cannot be read again; 503 for a connected account, which is not served yet
 */
export async function reimport(db: Database, viewer: Viewer, id: string): Promise<Reimport> {
  const integration = await asTenant(db, viewer, async (tx) => {
    const [known] = await tx
      .select({ id: integrations.id })
      .from(integrations)
      .where(and(eq(integrations.id, id), eq(integrations.orgId, viewer.organizationId)));
    return known && getChangeableIntegration(tx, viewer, id);
  });
  if (integration === undefined) return reimportSource(db, viewer, id);
  if (integration.status !== "active") {
    throw conflict("integration_inactive", "Интеграция приостановлена: переимпорт недоступен");
  }
  throw unavailable("reimport_unavailable", "Переимпорт подключённых аккаунтов пока недоступен");
}
