import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { type Database, sharesOneConnection } from "./database.ts";

/** Changes of fewer rows do not affect plans. */
export const MANY_ROWS = 1000;

/** PostgreSQL looks at 300 rows for each of these (100 by default), for a third of a second while all others wait for the one connection. */
const SHARED_TARGET = sql.raw("10");

/**
 * Updates the planner's statistics after a bulk load. Autovacuum, or growth/embedded-vacuum.ts, does it only a minute later; until then a query
 * by twin may scan a whole table. Requires the base connection, because the role of requests owns no tables.
 */
export async function refreshStatistics(db: Database, tables: readonly (PgTable | SQL)[]): Promise<void> {
  for (const table of tables) {
    if (!sharesOneConnection(db)) await db.execute(sql`analyze ${table}`);
    else {
      await db.transaction(async (tx) => {
        await tx.execute(sql`set local default_statistics_target = ${SHARED_TARGET}`);
        await tx.execute(sql`analyze ${table}`);
      });
    }
  }
}
