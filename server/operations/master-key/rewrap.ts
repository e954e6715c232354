/**
 * Rewraps every encrypted value with the current master key, page by page, while servers run. A row that changes meanwhile is skipped and
 * checked again. A killed run can be repeated and continues. At the end every value is decrypted as a check.
 */
import { type SQL, sql } from "drizzle-orm";
import { audit } from "#server/accounts/auth/audit.ts";
import { asPlatform, asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";
import { placeOf, SEALED_COLUMNS, type SealedColumn } from "./sealed-columns.ts";

const PAGE_SIZE = 200;
/** The user id of a sweep, which acts on behalf of no user. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

interface Rewrapped {
  changed: number;
  /** Number of values decrypted with the current key at the end. */
  verified: number;
}

interface SealedRow {
  key: string[];
  tenant: string;
  value: Buffer;
}

/** @param onChange called after each stored page. @throws VaultError for a value that no key of the ring decrypts */
export async function rewrapAll(
  db: Database,
  vault: Vault,
  onChange: (changed: number) => void | Promise<void> = () => {},
): Promise<Rewrapped> {
  let changed = 0;
  // The next round finds values that a server has encrypted with the former key meanwhile.
  for (let round = 0; round < 10; round++) {
    let inRound = 0;
    for (const column of SEALED_COLUMNS) {
      for await (const rows of pagesOf(db, column)) {
        for (const row of rows) if (await rewrapRow(db, vault, column, row)) inRound++;
        await onChange(changed + inRound);
      }
    }
    changed += inRound;
    if (inRound === 0) break;
  }
  const verified = await verifyAll(db, vault);
  await audit(db, { action: "master-key-rotated", detail: { values: verified } });
  return { changed, verified };
}

/** Decrypts every value with the current key. @returns their number. @throws VaultError naming the place, never the secret */
export async function verifyAll(db: Database, vault: Vault): Promise<number> {
  let verified = 0;
  for (const column of SEALED_COLUMNS) {
    for await (const rows of pagesOf(db, column)) {
      for (const { key, tenant, value } of rows) {
        const place = placeOf(column, key, tenant);
        if (vault.rewrap(place, value) !== value)
          throw new Error(`${column.table}.${column.column} has a value of another key`);
        vault.open(place, value);
        verified++;
      }
    }
  }
  return verified;
}

async function rewrapRow(db: Database, vault: Vault, column: SealedColumn, row: SealedRow): Promise<boolean> {
  const place = placeOf(column, row.key, row.tenant);
  const wrapped = vault.rewrap(place, row.value);
  if (wrapped === row.value) return false;
  const at = sql.identifier(column.column);
  const same = and([
    ...column.key.map((name, n) => sql`${sql.identifier(name)}::text = ${row.key[n]}`),
    // A value that another transaction has changed meanwhile is not overwritten.
    sql`${at} = ${row.value}`,
  ]);
  const write = (tx: Pick<Tx, "execute">) =>
    tx.execute(sql`update ${sql.identifier(column.table)} set ${at} = ${wrapped} where ${same}`);
  const { rowCount } =
    "text" in column.tenant
      ? await write(db)
      : await asTenant(db, { organizationId: row.tenant, userId: NOBODY }, write);
  return (rowCount ?? 0) > 0;
}

/** Yields pages in the order of the primary key; none if the database is older than the column (a restored backup). */
async function* pagesOf(db: Database, column: SealedColumn): AsyncGenerator<SealedRow[]> {
  const { rowCount } = await db.execute(
    sql`select from pg_attribute where attrelid = to_regclass(${column.table}) and attname = ${column.column}`,
  );
  if (rowCount === 0) return;
  const names = column.key.map((name) => sql`${sql.identifier(name)}::text`);
  const key = sql.join(names, sql`, `);
  let behind: string[] | null = null;
  for (;;) {
    const after: SQL =
      behind === null
        ? sql`true`
        : sql`(${key}) > (${sql.join(
            behind.map((value) => sql`${value}`),
            sql`, `,
          )})`;
    const tenant =
      "text" in column.tenant ? sql`${column.tenant.text}::text` : sql`${sql.identifier(column.tenant.column)}::text`;
    const query = sql`select array[${key}] as key, ${tenant} as tenant, ${sql.identifier(column.column)} as value
      from ${sql.identifier(column.table)} where ${sql.identifier(column.column)} is not null and ${after}
      order by ${key} limit ${PAGE_SIZE}`;
    const read = (tx: Pick<Tx, "execute">) => tx.execute(query);
    const { rows } = "text" in column.tenant ? await read(db) : await asPlatform(db, read);
    const found = rows as unknown as SealedRow[];
    if (found.length > 0) yield found;
    if (found.length < PAGE_SIZE) return;
    behind = found.at(-1)!.key;
  }
}

const and = (conditions: readonly SQL[]): SQL => sql.join([...conditions], sql` and `);
