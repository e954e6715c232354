import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";

/** Rows that calls leave without changing anything of the user's: who tried, when he was last seen. */
const TRACES = ["sessions", "login_failures", "audit_log"];

/**
 * Has every table of the product write down each row that is made, changed or removed, from now on; what is rolled back is
 * no change. Reading a list is a hundred times cheaper than comparing all rows before and after.
 * @returns reads what was written down since the last reading, «INSERT twins», and forgets it
 */
export async function recordRowChanges(db: Database): Promise<() => Promise<string[]>> {
  await db.execute(sql.raw(RECORDER));
  const { rows } = await db.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const tables = (rows as { name: string }[]).map(({ name }) => name).filter((name) => !TRACES.includes(name));
  for (const name of tables) {
    const on = `on "${name}" for each row`;
    await db.execute(
      sql.raw(`
        create trigger record_row after insert or delete ${on} execute function row_changes.record('${name}');
        create trigger record_change after update ${on} when (old.* is distinct from new.*) execute function row_changes.record('${name}');
      `),
    );
  }
  return async () => {
    const changes = await db.execute(sql`delete from row_changes.list returning what`);
    return (changes.rows as { what: string }[]).map(({ what }) => what);
  };
}

/** `security definer`: any role that changes a row may log it. */
const RECORDER = `
  create schema row_changes;
  create table row_changes.list (what text not null);
  create function row_changes.record() returns trigger language plpgsql security definer as $$
    begin
      -- Not tg_table_name, which is the partition of a partitioned table.
      insert into row_changes.list values (tg_op || ' ' || tg_argv[0]);
      return null;
    end
  $$;
`;
