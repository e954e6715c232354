/** Adopts databases created before version 0.2.0, in which one baseline replaced all migrations (docs/decisions/008-migrations-and-upgrades.md). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";

/** Names of the baseline's journal entries; those databases lack `0001_roles`. */
const BASELINE = ["tables", "roles", "row_level_security", "triggers_and_plans"];
/** `when` of the last migrations that the baseline replaces: `0052_voice_adapters`, and `0053_plain_names` of the same day. */
const LAST_REPLACED = [1_795_444_604_923, 1_795_449_000_000];

/** Thrown when the database is older than the baseline and cannot be adopted. The caller adds which database it is. */
export class OutdatedDatabase extends Error {}

/**
 * Brings a database of the last build before 0.2.0 to the baseline, with its data, in one transaction. Any other one stays as it is.
 * @param migrationsFolder begins with the baseline
 * @throws OutdatedDatabase when an earlier build has made it; nothing of it is changed
 */
export async function adoptDatabase(client: ClientBase, migrationsFolder: string): Promise<void> {
  const { rows: journals } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as journal");
  if (journals[0].journal === null) return;
  const { rows } = await client.query("select created_at as at from drizzle.__drizzle_migrations order by created_at");
  const baseline = readMigrationFiles({ migrationsFolder }).slice(0, BASELINE.length);
  if (rows.length === 0 || Number(rows[0].at) === baseline[0]!.folderMillis) return;
  if (!LAST_REPLACED.includes(Number(rows.at(-1).at))) throw new OutdatedDatabase();
  await client.query("begin");
  try {
    await client.query(readFileSync(join(import.meta.dirname, "adopt-0052.sql"), "utf8"));
    for (const statement of baseline[BASELINE.indexOf("roles")]!.sql) await client.query(statement);
    await client.query("delete from drizzle.__drizzle_migrations");
    for (const { hash, folderMillis } of baseline) {
      await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
        hash,
        folderMillis,
      ]);
    }
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
