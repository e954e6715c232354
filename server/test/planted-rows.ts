/** A table of organisations with many rows, and a backfill that changes each of them, for tests of backfills. */
import { sql } from "drizzle-orm";
import { bigint, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { Database } from "#server/platform/db/database.ts";
import type { Backfill } from "#server/platform/db-upkeep/backfill.ts";

const plantedRows = pgTable("planted_rows", {
  id: bigint({ mode: "number" }).primaryKey(),
  orgId: uuid("org_id").notNull(),
  before: text().notNull(),
  after: text(),
  times: integer().notNull(),
});

/** `times` would tell of a row that was changed twice. */
export const PLANTED: Backfill = {
  name: "planted",
  key: plantedRows.id,
  set: sql`after = before || '!', times = times + 1`,
  where: sql`${plantedRows.after} is null`,
};

const ORGANIZATIONS = 3;

/** Behind row-level security as every table with `org_id`; the rows of an organisation do not lie together. */
export async function plantRows(db: Database, count: number): Promise<void> {
  await db.execute(sql`
    create table planted_rows (id bigint primary key, org_id uuid not null references organizations, before text not null,
      after text, times integer not null default 0, touched integer not null default 0)`);
  await db.execute(sql`create index on planted_rows (org_id, id)`);
  await db.execute(sql`
    insert into organizations (name) select 'Организация ' || n from generate_series(1, ${ORGANIZATIONS}) n`);
  await db.execute(sql`
    insert into planted_rows (id, org_id, before)
    select n, o.id, 'строка ' || n from generate_series(1, ${count}) n
    join (select id, row_number() over (order by id) - 1 as place from organizations) o
      on o.place = n % (select count(*) from organizations)`);
  await db.execute(sql`select protect_tenant_table('planted_rows')`);
}

/** Rows by how often they were changed, and whether as they should be. By a superuser, whom no policy holds, or without the table's being forced. */
export async function plantedLedger(query: (text: string) => Promise<{ rows: unknown[] }>): Promise<unknown[]> {
  const { rows } = await query(`
    select times, after is not distinct from before || '!' as right, count(*)::int as rows
    from planted_rows group by 1, 2 order by 1, 2`);
  return rows;
}
