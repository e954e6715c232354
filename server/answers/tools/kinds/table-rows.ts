/** Finds a row of a stored table by its key; a table at an address is read again before, when it is not fresh. */
import { eq, sql } from "drizzle-orm";
import { TABLE_FRESH_MINUTES } from "#contract/actions/tool-settings.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { columnsOf, namedStatement } from "#server/platform/db/named-statement.ts";
import { toolTables } from "#server/platform/db/schema/tools.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { Problem } from "#server/platform/errors.ts";
import { isoDate, plain } from "../stated-values.ts";
import { openProxy } from "../stored-proxy.ts";
import { readTableAt } from "../table-reader.ts";
import type { CallDeps } from "../tool-kind.ts";

/** A row by its columns. */
export type TableRow = ReadonlyMap<string, string>;

/** Hours after which a copy that cannot be read again is no longer believed. */
const BELIEVED_HOURS = 6;
/** Bytes of tables that are remembered, by their JSON text. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;

interface Remembered {
  keyColumn: string;
  size: number;
  columns: readonly string[];
  /** Rows whose key occurs once; null: several rows have it, so that none is surely meant. */
  byKey: Map<string, readonly string[] | null>;
}
/** By the table's id, key column and content; the latest used last. */
const remembered = new Map<string, Remembered>();

/** «№ 77-12» and «77-12» are one key, and so are «09.12.2026» and «2026-12-09». */
export const keyOf = (value: string): string => (isoDate(value.trim()) ?? plain(value)).replace(/[^\p{L}\p{N}]+/gu, "");

/** @returns null when no row, or more than one, has this key. @throws Problem 422 when the table cannot be read */
export async function findRow(
  deps: CallDeps,
  tenant: Tenant,
  { tableId, keyColumn, key }: { tableId: string; keyColumn: string; key: string },
): Promise<TableRow | null> {
  const head = await headOf(eachAsTenant(deps.db, tenant), tableId);
  if (head === null) return null;
  const hash = await freshHash(deps, tenant, head);
  const table = await tableOf(deps.db, tenant, { tableId, keyColumn, hash });
  const cells = keyOf(key) === "" ? null : table?.byKey.get(keyOf(key));
  return table == null || cells == null ? null : new Map(table.columns.map((column, at) => [column, cells[at] ?? ""]));
}

type Head = Pick<typeof toolTables.$inferSelect, "id" | "orgId" | "url" | "proxy" | "contentHash" | "readAt">;

const headOfTable = namedStatement<{ id: string }, Head>(
  "head of a table",
  sql`select ${columnsOf(toolTables, ["id", "orgId", "url", "proxy", "contentHash", "readAt"])} from tool_tables where id = ${sql.placeholder("id")}`,
);

async function headOf(tx: Tx, id: string): Promise<Head | null> {
  const [row] = await headOfTable(tx, { id });
  return row ?? null;
}

/** Reads an address again, once for all who ask meanwhile. */
const reading = new Map<string, Promise<string>>();

async function freshHash(deps: CallDeps, tenant: Tenant, head: Head): Promise<string> {
  const { id, url, contentHash, readAt } = head;
  const age = Date.now() - readAt.getTime();
  if (url === null || age < TABLE_FRESH_MINUTES * 60_000) return contentHash;
  const again = reading.get(id) ?? readAgain(deps, tenant, head, url).finally(() => reading.delete(id));
  reading.set(id, again);
  try {
    return await again;
  } catch (error) {
    if (!(error instanceof Problem) || age > BELIEVED_HOURS * 3_600_000) throw error;
    return contentHash;
  }
}

async function readAgain(deps: CallDeps, tenant: Tenant, head: Head, url: string): Promise<string> {
  const store = (values: Partial<typeof toolTables.$inferInsert>) =>
    asTenant(deps.db, tenant, (tx) => tx.update(toolTables).set(values).where(eq(toolTables.id, head.id)));
  try {
    const way = { loopback: deps.config.loopbackAddresses, proxy: openProxy(deps.vault, "tool_tables", head) };
    const { columns, rows, contentHash } = await readTableAt(tenant.organizationId, new URL(url), way);
    const content = { columns, rows: JSON.stringify(rows), rowCount: rows.length, contentHash };
    await store({ ...content, readAt: new Date(), failure: null });
    return contentHash;
  } catch (error) {
    if (error instanceof Problem) await store({ failure: error.message });
    throw error;
  }
}

async function tableOf(
  db: Database,
  tenant: Tenant,
  { tableId, keyColumn, hash }: { tableId: string; keyColumn: string; hash: string },
): Promise<Remembered | null> {
  const name = `${tableId}\n${hash}\n${keyColumn}`;
  const known = remembered.get(name);
  if (known !== undefined) {
    remembered.delete(name);
    remembered.set(name, known);
    return known;
  }
  const [row] = await asTenant(db, tenant, (tx) =>
    tx
      .select({ columns: toolTables.columns, rows: toolTables.rows })
      .from(toolTables)
      .where(eq(toolTables.id, tableId)),
  );
  if (row === undefined) return null;
  const table: Remembered = { keyColumn, size: row.rows.length, columns: row.columns, byKey: new Map() };
  const place = row.columns.indexOf(keyColumn);
  for (const cells of JSON.parse(row.rows) as string[][]) {
    const key = keyOf(cells[place] ?? "");
    if (key !== "") table.byKey.set(key, table.byKey.has(key) ? null : cells);
  }
  remember(name, table);
  return table;
}

function remember(name: string, table: Remembered): void {
  remembered.set(name, table);
  let size = 0;
  for (const [each, { size: bytes }] of [...remembered].reverse()) {
    size += 2 * bytes;
    if (size > REMEMBERED_BYTES && each !== name) remembered.delete(each);
  }
}
