/**
 * Deletes by age in short transactions of a few thousand rows. So others do not wait long for a lock or, on the embedded engine, for the
 * only connection.
 */
import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { asPlatform, asTenant, type Database } from "#server/platform/db/database.ts";
import { organizations } from "#server/platform/db/schema/accounts.ts";

export const ROWS_AT_ONCE = 2000;
/** User id for transactions that act for no user. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** @param old condition on the table's columns, served by an index on organisation and age */
export async function deleteOldOfTenants(db: Database, table: PgTable, old: SQL, signal?: AbortSignal): Promise<void> {
  for (const organizationId of await organizationsWith(db, table, old)) {
    const tenant = { organizationId, userId: NOBODY };
    await repeatUntilEmpty(signal, () => asTenant(db, tenant, (tx) => tx.execute(deletion(table, old))));
  }
}

/** For tables without row-level security. */
export async function deleteOld(db: Database, table: PgTable, old: SQL, signal?: AbortSignal): Promise<void> {
  await repeatUntilEmpty(signal, () => db.execute(deletion(table, old)));
}

export async function repeatUntilEmpty(
  signal: AbortSignal | undefined,
  round: () => Promise<{ rowCount: number | null }>,
): Promise<void> {
  for (let deleted = ROWS_AT_ONCE; deleted >= ROWS_AT_ONCE && signal?.aborted !== true; ) {
    deleted = (await round()).rowCount ?? 0;
  }
}

const deletion = (table: PgTable, old: SQL): SQL => sql`
  delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${ROWS_AT_ONCE}))`;

/** Probes the index once per organisation, because one query over all rows would scan the table. */
async function organizationsWith(db: Database, table: PgTable, old: SQL): Promise<string[]> {
  const all = await db.select({ id: organizations.id }).from(organizations);
  const ids = sql.param(all.map(({ id }) => id));
  const { rows } = await asPlatform(db, (tx) =>
    tx.execute(sql`
      select given.id from unnest(${ids}::uuid[]) as given(id)
      cross join lateral (select 1 from ${table} where org_id = given.id and ${old} limit 1) as found`),
  );
  return rows.map(({ id }) => id as string);
}
