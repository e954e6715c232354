import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Database } from "./database.ts";

/** A change of fewer rows leaves plans as they are. */
export const MANY_ROWS = 1000;

/**
 * Tells the planner what a bulk load has brought. Autovacuum does that a minute later and not at all on the embedded
 * database; until then a query by twin may read a whole table. Needs the base connection: the role of requests owns nothing.
 */
export async function refreshStatistics(db: Database, tables: readonly PgTable[]): Promise<void> {
  const names = tables.map((table) => sql`${table}`);
  await db.execute(sql`analyze ${sql.join(names, sql`, `)}`);
}
