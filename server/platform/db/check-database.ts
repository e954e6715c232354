/** What must not be opened: a database of a newer version or of one before 0.2.0, an unfinished restore, and one that does not know letters. */
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";

/** Thrown when a newer version of the product has migrated the database. The caller adds which database it is. */
export class NewerDatabase extends Error {}

/** Thrown when a build before 0.2.0 has made the database (docs/decisions/008-migrations-and-upgrades.md). The caller adds which database it is. */
export class OutdatedDatabase extends Error {}

/** Thrown when `npm run restore` was ended before it had restored everything. */
export class UnfinishedRestore extends Error {
  override message =
    "восстановление этой базы из копии не закончено. Повторите его той же командой: npm run restore -- ФАЙЛ";
}

/**
 * Thrown for a new database in whose locale only Latin letters have a case and are letters at all: search would neither find «Привет» by
 * «привет» nor use its index. A cluster gets such a locale where it is made on a machine without LANG.
 */
export class UnfitDatabase extends Error {}

/** A schema of this name exists while a restore is under way (operations/backup/restore-backup.ts). */
export const RESTORING = "dt_restoring";

/** @throws UnfinishedRestore */
export async function refuseUnfinished(client: ClientBase): Promise<void> {
  const { rows } = await client.query("select to_regnamespace($1) is not null as restoring", [RESTORING]);
  if (rows[0].restoring) throw new UnfinishedRestore();
}

/** @throws UnfitDatabase */
export async function refuseUnfit(client: ClientBase): Promise<void> {
  const { rows } = await client.query(
    `select getdatabaseencoding() as encoding, datctype as locale, lower('Я') = 'я' as knows
       from pg_database where datname = current_database()`,
  );
  const { encoding, locale, knows } = rows[0];
  if (encoding === "UTF8" && knows) return;
  throw new UnfitDatabase(`кодировка ${encoding}, локаль ${locale}`);
}

/** What a database has run of this code's migrations, and what it lacks, oldest first. */
export interface Upgrade {
  /** Empty: it is a new database, in which nothing has run. */
  done: readonly MigrationMeta[];
  missing: readonly MigrationMeta[];
}

/**
 * @throws OutdatedDatabase when it began with another migration than this code's first
 * @throws NewerDatabase when it has run a migration that comes behind all that this code knows
 */
export async function upgradeOf(client: ClientBase, migrationsFolder: string): Promise<Upgrade> {
  const known = readMigrationFiles({ migrationsFolder });
  const { rows: journals } = await client.query("select to_regclass('drizzle.__drizzle_migrations') as journal");
  if (journals[0].journal === null) return { done: [], missing: known };
  const { rows } = await client.query(
    "select min(created_at) as first, max(created_at) as last from drizzle.__drizzle_migrations",
  );
  if (rows[0].last === null) return { done: [], missing: known };
  if (Number(rows[0].first) !== known[0]!.folderMillis) throw new OutdatedDatabase();
  const last = Number(rows[0].last);
  if (last > known.at(-1)!.folderMillis) throw new NewerDatabase();
  const isDone = ({ folderMillis }: MigrationMeta) => folderMillis <= last;
  return { done: known.filter(isDone), missing: known.filter((migration) => !isDone(migration)) };
}
