import { sql } from "drizzle-orm";
import type { Database } from "#server/db/database.ts";

/** Rows that calls leave without changing anything of the user's: who tried, when he was last seen. */
const TRACES = ["sessions", "login_failures", "audit_log"];

/** Count and hash of the rows of every table of the product: the same again means that nothing has changed. */
export async function tablePrints(db: Database): Promise<Record<string, string>> {
  const { rows } = await db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const tables = (rows as { name: string }[]).map(({ name }) => name).filter((name) => !TRACES.includes(name));
  const prints = await db.execute(
    sql.join(
      tables.map(
        (name) =>
          sql`select ${name} as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as print from ${sql.identifier(name)} as t`,
      ),
      sql` union all `,
    ),
  );
  return Object.fromEntries((prints.rows as { name: string; print: string }[]).map(({ name, print }) => [name, print]));
}
