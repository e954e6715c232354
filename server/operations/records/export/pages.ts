/** Reads rows page by page: a page has at most a few thousand rows or, for long texts, a few megabytes. */
import { and, asc, gt, type SQL, sql } from "drizzle-orm";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import type { DataSubject, ExportScope } from "./scope.ts";
import { columnsFor, type ExportedTable } from "./table.ts";

export interface ExportContext {
  db: Database;
  whose: DataSubject;
  scope: ExportScope;
}

const PAGE_ROWS = 500;
export const PAGE_BYTES = 8 * 1024 * 1024;

/** Each page is read in its own transaction, so that an export blocks no writes. */
export const read = <T>({ db, whose }: ExportContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  asTenant(db, whose, work);

const readTable = <T>(source: ExportContext, { platform }: ExportedTable, work: (tx: Tx) => Promise<T>): Promise<T> =>
  platform ? work(source.db) : read(source, work);

export async function countRows(source: ExportContext, table: ExportedTable): Promise<number> {
  const rule = table.rules[source.scope];
  if (rule === undefined) return 0;
  const [row] = await readTable(source, table, (tx) =>
    tx
      .select({ total: sql<number>`count(*)`.mapWith(Number) })
      .from(table.table)
      .where(rule(source.whose)),
  );
  return row!.total;
}

export async function* pagesOf(source: ExportContext, table: ExportedTable): AsyncGenerator<Record<string, unknown>[]> {
  const rule = table.rules[source.scope];
  if (rule === undefined) return;
  const { key, long } = table;
  const keys = Object.fromEntries(key.map((column, place) => [`${KEY}${place}`, column]));
  let last: unknown[] | null = null;
  for (;;) {
    const where = and(rule(source.whose), last === null ? undefined : behind(key, last));
    const rows: Record<string, unknown>[] = await readTable(source, table, async (tx) => {
      const limit = long.length === 0 ? PAGE_ROWS : await fitting(tx, table, where);
      return tx
        .select({ ...columnsFor(table, source.scope), ...keys })
        .from(table.table)
        .where(where)
        .orderBy(...key.map((column) => asc(column)))
        .limit(limit);
    });
    if (rows.length === 0) return;
    last = key.map((_, place) => rows.at(-1)![`${KEY}${place}`]);
    yield rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(KEY))));
  }
}

/** Ends with a space, so no column can have this name. */
const KEY = "key ";

function behind(key: ExportedTable["key"], last: readonly unknown[]): SQL {
  if (key.length === 1) return gt(key[0]!, last[0]);
  const list = (parts: readonly unknown[]) =>
    sql.join(
      parts.map((part) => sql`${part}`),
      sql`, `,
    );
  return sql`(${list(key)}) > (${list(last)})`;
}

/** Returns how many of the next rows fit one page; at least one. */
async function fitting(tx: Tx, { table, key, long }: ExportedTable, where: SQL | undefined): Promise<number> {
  const lengths = sql.join(
    long.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    sql` + `,
  );
  const rows = await tx
    .select({ bytes: sql<number>`${lengths}`.mapWith(Number) })
    .from(table)
    .where(where)
    .orderBy(...key.map((column) => asc(column)))
    .limit(PAGE_ROWS);
  let [count, bytes] = [0, 0];
  for (const row of rows) {
    bytes += row.bytes;
    if (count > 0 && bytes > PAGE_BYTES) break;
    count++;
  }
  return Math.max(1, count);
}
