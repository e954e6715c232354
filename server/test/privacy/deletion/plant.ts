/** Puts a word into whatever the database can keep words in, and finds it again: in every schema, in bytes, in files. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import { PLATFORM_TABLES } from "#server/platform/db/schema/platform.ts";

interface Column {
  table: string;
  column: string;
  /** udt_name: text, jsonb, bytea or _text. */
  type: string;
}

const rowsOf = async <Row>(db: Database, query: SQL): Promise<Row[]> =>
  (await db.execute(query)).rows as unknown as Row[];

/** Every column of a tenant's table that can hold words. Columns that name a row of another table cannot, nor those whose values a check lists. */
export function wordColumns(db: Database): Promise<Column[]> {
  return rowsOf<Column>(
    db,
    sql`select c.table_name as table, c.column_name as column, c.udt_name as type
      from information_schema.columns c
      join pg_class r on r.relname = c.table_name and r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p')
      where c.table_schema = 'public' and c.is_generated = 'NEVER'
      and c.udt_name in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text', '_varchar')
      and not c.table_name = any(${sql.param([...PLATFORM_TABLES])}::text[])
      and not exists (
        select 1 from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
        where f.contype in ('f', 'c') and f.conrelid = r.oid and a.attname = c.column_name)
      order by 1, 2`,
  );
}

/** Adds the word to the column in the rows of an organisation; gives how many there were. */
export async function plant(
  db: Database,
  { table, column, type }: Column,
  orgId: string,
  word: string,
): Promise<number> {
  const at = sql.identifier(column);
  const planted =
    type === "bytea"
      ? sql`coalesce(${at}, ''::bytea) || convert_to(${word}, 'UTF8')`
      : type.startsWith("_")
        ? sql`array_append(${at}, ${word})`
        : type.startsWith("json")
          ? sql`case jsonb_typeof(${at}) when 'object' then ${at} || jsonb_build_object('planted', ${word}::text)
              when 'array' then ${at} || to_jsonb(${word}::text) else jsonb_build_object('planted', ${word}::text) end`
          : sql`coalesce(${at}, gen_random_uuid()::text) || ' ' || ${word}`;
  const { rowCount } = await db.execute(
    sql`update ${sql.identifier(table)} set ${at} = ${planted} where org_id = ${orgId}`,
  );
  return rowCount ?? 0;
}

/** Where the word stands, in any letter case: «schema.table.column», or a file of the folder. */
export async function findWord(db: Database, dataDir: string, word: string): Promise<string[]> {
  const columns = await rowsOf<{ place: string; name: string; column: string; type: string }>(
    db,
    sql`select format('%I.%I', n.nspname, c.relname) as name, a.attname as column, t.typname as type,
        n.nspname || '.' || c.relname || '.' || a.attname as place
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      where (c.relkind = 'r' or n.nspname = 'public' and c.relkind = 'p')
        and n.nspname not in ('pg_catalog', 'information_schema', 'partitions') and n.nspname !~ '^pg_t'`,
  );
  const hex = Buffer.from(word).toString("hex");
  const found: string[] = [];
  for (const [name, own] of Map.groupBy(columns, (column) => column.name)) {
    const hits = own.map(({ column, type }, n) => {
      const at = sql.identifier(column);
      const said =
        type === "bytea" ? sql`encode(${at}, 'hex') like ${`%${hex}%`}` : sql`${at}::text ilike ${`%${word}%`}`;
      return sql`coalesce(bool_or(${said}), false) as ${sql.identifier(`c${n}`)}`;
    });
    const [row] = await rowsOf<Record<string, boolean>>(
      db,
      sql`select ${sql.join(hits, sql`, `)} from ${sql.raw(name)}`,
    );
    own.forEach(({ place }, n) => {
      if (row![`c${n}`]) found.push(place);
    });
  }
  return [...found, ...(await filesWith(dataDir, word))].sort();
}

async function filesWith(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.name.includes(word) || (entry.isFile() && (await readFile(path)).includes(word)))
      found.push(relative(folder, path));
  }
  return found;
}
