import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database.ts";

/** Changes of fewer rows do not affect plans. */
export const MANY_ROWS = 1000;

/**
 * Updates the planner's statistics after a bulk load. Autovacuum does it only a minute later, and never on the embedded database; until
 * then a query by twin may scan a whole table. Requires the base connection, because the role of requests owns no tables.
 */
export async function refreshStatistics(db: Database, tables: readonly PgTable[]): Promise<void> {
  const names = tables.map((table) => sql`${table}`);
  await db.execute(sql`analyze ${sql.join(names, sql`, `)}`);
}
