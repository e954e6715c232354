/** Loads a backup's rows into a database with exactly its schema, in one transaction and without triggers. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { type Client, escapeIdentifier } from "pg";
import { texts } from "#server/platform/db/binary-arrays.ts";
import { damagedBackup } from "./archive.ts";
import { BackupError } from "./backup-error.ts";
import type { Manifest, Sequences } from "./manifest.ts";

/**
 * Returns how many of this code's migrations the backup's database had run.
 * @throws BackupError when it had run others
 */
export function migrationsOf({ migrations }: Pick<Manifest, "migrations">, migrationsFolder: string): number {
  const known = readMigrationFiles({ migrationsFolder });
  if (migrations.length > known.length || migrations.length === 0) throw newerBackup();
  for (const [at, { hash }] of migrations.entries()) if (known[at]!.hash !== hash) throw newerBackup();
  return migrations.length;
}

const newerBackup = () =>
  new BackupError(
    "Копия сделана с базы, которую обновила более новая версия программы. Обновите программу и повторите.",
  );

/** Drops all objects of this product from the database; those of extensions stay. */
export async function wipeDatabase(client: Client): Promise<void> {
  await client.query(`
    do $$
    declare found record;
    begin
      for found in select c.oid::regclass as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e') loop
        execute format('drop table if exists %s cascade', found.name);
      end loop;
      for found in select p.oid::regprocedure as name from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') loop
        execute format('drop routine if exists %s cascade', found.name);
      end loop;
      for found in select t.oid::regtype as name from pg_type t
        where t.typnamespace = 'public'::regnamespace and t.typtype = 'e'
          and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e') loop
        execute format('drop type if exists %s cascade', found.name);
      end loop;
      drop schema if exists drizzle, jobs, partitions, search cascade;
    end $$`);
}

/** Runs the first `count` migrations, so that the schema is that of the backup. */
export async function migrateFirst(client: Client, migrationsFolder: string, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dt-migrations-"));
  try {
    const journal = JSON.parse(await readFile(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
      entries: { tag: string }[];
    };
    const entries = journal.entries.slice(0, count);
    await mkdir(join(folder, "meta"));
    await writeFile(join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries) await cp(join(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`));
    await migrate(drizzle(client), { migrationsFolder: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

interface TableType {
  columns: string[];
  types: string[];
  forced: boolean;
}

/** Fills the tables of one database. Call `begin`, then `insert` and `setSequences`, then `finish`, without which nothing is kept. */
export class DatabaseLoad {
  readonly #client: Client;
  readonly #tables: Map<string, TableType>;
  readonly #foreignKeys: ForeignKey[];

  private constructor(client: Client, tables: Map<string, TableType>, foreignKeys: ForeignKey[]) {
    this.#client = client;
    this.#tables = tables;
    this.#foreignKeys = foreignKeys;
  }

  /** Opens the transaction and deletes rows that migrations have inserted. */
  static async begin(client: Client): Promise<DatabaseLoad> {
    await client.query("begin");
    await client.query(
      "set local statement_timeout = 0; set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local search_path = public",
    );
    const { rows: found } = await client.query(`
      select c.relname as name, c.relforcerowsecurity as forced,
        array_agg(a.attname::text order by a.attnum) as columns,
        array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by c.oid`);
    const { rows: keys } = await client.query(`
      select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
      order by oid`);
    const tables = new Map(found.map(({ name, ...type }) => [name as string, type as TableType]));
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    for (const [name, { forced }] of tables) {
      await client.query(`alter table ${escapeIdentifier(name)} disable trigger user`);
      if (forced) await client.query(`alter table ${escapeIdentifier(name)} no force row level security`);
      await client.query(`delete from ${escapeIdentifier(name)}`);
    }
    return new DatabaseLoad(client, tables, keys);
  }

  /** @throws BackupError when the backup's tables are not those of its migrations */
  check({ tables }: Pick<Manifest, "tables">, others: readonly string[]): void {
    const given = tables.filter(({ name }) => !others.includes(name));
    const fits = ({ name, columns }: Manifest["tables"][number]) =>
      JSON.stringify([...columns].sort()) === JSON.stringify([...(this.#tables.get(name)?.columns ?? [])].sort());
    if (given.length !== this.#tables.size || !given.every(fits)) throw damagedBackup();
  }

  async insert(name: string, columns: readonly string[], rows: readonly (string | null)[][]): Promise<void> {
    const { columns: known, types } = this.#tables.get(name)!;
    const typed = columns.map((column) => types[known.indexOf(column)]!);
    const listed = columns.map((column) => sql.identifier(column));
    const values = typed.map((type, at) => sql`${sql.identifier(`v${at}`)}::${sql.raw(type)}`);
    const arrays = columns.map((_, at) => texts(rows.map((row) => row[at]!)));
    const places = columns.map((_, at) => sql.identifier(`v${at}`));
    await drizzle(this.#client).execute(sql`
      insert into ${sql.identifier(name)} (${sql.join(listed, sql`, `)}) overriding system value
      select ${sql.join(values, sql`, `)} from unnest(${sql.join(arrays, sql`, `)}) as given(${sql.join(places, sql`, `)})`);
  }

  async setSequences(sequences: Sequences): Promise<void> {
    for (const { table, column, value } of sequences) {
      if (!this.#tables.get(table)?.columns.includes(column)) throw damagedBackup();
      await this.#client.query("select setval(pg_get_serial_sequence(quote_ident($1), $2), $3::bigint)", [
        table,
        column,
        value,
      ]);
    }
  }

  /** Checks all foreign keys again, which shows that nothing is missing, and commits. */
  async finish(): Promise<void> {
    for (const { table, name, definition } of this.#foreignKeys) {
      await this.#client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
    // This comes last, because a forced policy would hide rows from the check of foreign keys.
    for (const [name, { forced }] of this.#tables) {
      await this.#client.query(`alter table ${escapeIdentifier(name)} enable trigger user`);
      if (forced) await this.#client.query(`alter table ${escapeIdentifier(name)} force row level security`);
    }
    await this.#client.query("commit");
  }
}
