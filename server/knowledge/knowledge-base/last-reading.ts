/** Query columns that show how the last import of a connected account's history went, for lists of integrations. */
import { desc, eq } from "drizzle-orm";
import type { ReimportState } from "#contract/knowledge/reimport.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { imports } from "#server/platform/db/schema/imports.ts";

export interface LastReading {
  status: (typeof imports.$inferSelect)["status"] | null;
  error: string | null;
}

/** For a lateral join: the latest import of the row's integration, if any. */
export const lastReading = (tx: Tx) =>
  tx
    .select({ status: imports.status, error: imports.error })
    .from(imports)
    .where(eq(imports.integrationId, integrations.id))
    .orderBy(desc(imports.createdAt))
    .limit(1)
    .as("last_reading");

export function reimportState(obstacle: string | null, last: LastReading | null): ReimportState {
  return {
    obstacle,
    running: last?.status === "running",
    failure: last?.status === "failed" ? (last.error ?? "Не удалось импортировать данные") : null,
  };
}
