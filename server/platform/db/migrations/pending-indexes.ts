/**
 * Builds indexes of tables in use (docs/decisions/008-migrations-and-upgrades.md). `CREATE INDEX` blocks writers until it ends, for hours
 * on a large table. `CREATE INDEX CONCURRENTLY` does not, but cannot run in a transaction. So a migration on PostgreSQL records such an
 * index as pending, in its own transaction, and the index is built right after it. After a crash the next start builds what is pending.
 */
import type { ClientBase } from "pg";

/** Matches the form that drizzle-kit writes. A unique index is a constraint on the rows and stays in its migration. */
const INDEX = /^\s*create index "(\w+)" on "(\w+)"/i;
const DROP = /^\s*drop index "(\w+)"/i;

/** Name of a replaced index, which stays in use until the new index of the same name is built. */
const former = (name: string): string => `${name}_former`;

interface PendingIndex {
  name: string;
  table: string;
  /** The table as it was before the migration. */
  oid: string;
  statement: string;
}

/**
 * Runs a migration's statements in its transaction, but records as pending each index that can be built concurrently. These are indexes of
 * ordinary tables that existed before the migration and are not replaced by it.
 */
export async function runWithoutIndexes(client: ClientBase, statements: readonly string[]): Promise<void> {
  const apart = new Map<string, PendingIndex>();
  for (const statement of statements) {
    const [, name, table] = INDEX.exec(statement) ?? [];
    if (name === undefined || table === undefined) continue;
    const oid = await ordinaryTable(client, table);
    if (oid !== null) apart.set(name, { name, table, oid, statement });
  }
  for (const statement of statements) {
    const [, dropped] = DROP.exec(statement) ?? [];
    if (dropped !== undefined && apart.has(dropped)) {
      await client.query(`alter index "${dropped}" rename to "${former(dropped)}"`);
    } else if (!apart.has(INDEX.exec(statement)?.[1] ?? "")) await client.query(statement);
  }
  for (const index of apart.values()) {
    if ((await ordinaryTable(client, index.table)) === index.oid) await note(client, index);
    else await client.query(index.statement);
  }
}

/** Returns the table's OID; null for a missing table and for a partitioned one, on which PostgreSQL builds no index concurrently. */
async function ordinaryTable(client: ClientBase, table: string): Promise<string | null> {
  const { rows } = await client.query(
    "select oid::text as oid from pg_class where oid = to_regclass($1) and relkind = 'r'",
    [table],
  );
  return rows[0]?.oid ?? null;
}

async function note(client: ClientBase, { name, table, statement }: PendingIndex): Promise<void> {
  await client.query(
    "create table if not exists drizzle.pending_indexes (name text primary key, table_name text not null, statement text not null)",
  );
  await client.query("insert into drizzle.pending_indexes (name, table_name, statement) values ($1, $2, $3)", [
    name,
    table,
    statement,
  ]);
}

/**
 * Builds pending indexes one after the other, outside transactions. A build waits for every older transaction, and blocks none.
 * @param say prints a Russian line that tells the operator why it takes long
 */
export async function buildPending(client: ClientBase, say?: (line: string) => void): Promise<void> {
  const { rows: found } = await client.query("select to_regclass('drizzle.pending_indexes') is not null as noted");
  if (!found[0].noted) return;
  const { rows: pending } = await client.query(
    "select name, table_name, statement from drizzle.pending_indexes order by name",
  );
  for (const { name, table_name, statement } of pending) {
    const { rows: built } = await client.query(
      "select indisvalid as whole from pg_index where indexrelid = to_regclass($1)",
      [name],
    );
    // An index whose build was interrupted costs every write and serves no query.
    if (built[0]?.whole === false) await client.query(`drop index concurrently "${name}"`);
    if (built[0]?.whole !== true) {
      say?.(`Обновление: строю индекс таблицы ${table_name} (${name}). Читать и писать в неё можно.`);
      await client.query(String(statement).replace(/create index/i, "CREATE INDEX CONCURRENTLY"));
    }
    await client.query(`drop index concurrently if exists "${former(name)}"`);
    await client.query("delete from drizzle.pending_indexes where name = $1", [name]);
  }
}
