import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { type Database, sharesOneConnection } from "./database.ts";

/** Changes of fewer rows do not affect query plans. */
export const MANY_ROWS = 1000;

/**
 * PostgreSQL samples 300 rows per unit of this target (default 100). The default would take a third of a second, during which everyone else
 * waits for the only connection.
 */
const SHARED_TARGET = sql.raw("10");

/**
 * Updates the planner's statistics after a bulk load. Autovacuum (or db-upkeep/embedded-vacuum.ts) would do it only a minute later; until then
 * a query by twin may scan a whole table. Requires the base connection, because the role of requests owns no tables.
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
