/**
 * Refuses databases that must not be opened: of a newer version, of one before 0.2.0, with an unfinished restore, or with an unsuitable
 * locale.
 */
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import type { ClientBase } from "pg";

/** A newer version of the product has migrated the database. The caller's message adds which database it is. */
export class NewerDatabase extends Error {}

/**
 * A build before 0.2.0 created the database (docs/decisions/008-migrations-and-upgrades.md). The caller's message adds which database it
 * is.
 */
export class OutdatedDatabase extends Error {}

/** `npm run restore` was interrupted before it had restored everything. */
export class UnfinishedRestore extends Error {
  override message =
    "восстановление этой базы из копии не закончено. Повторите его той же командой: npm run restore -- ФАЙЛ";
}

/**
 * The new database has a locale in which only Latin characters are letters: search would neither find «Привет» by «привет» nor use its
 * index. A cluster gets such a locale when it is created on a machine without LANG.
 */
export class UnfitDatabase extends Error {}

/** A schema of this name exists during a restore (operations/backup/restore-backup.ts). */
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

/** The migrations of this release that the database has run and those that it lacks, oldest first. */
export interface Upgrade {
  /** Empty for a new database. */
  done: readonly MigrationMeta[];
  missing: readonly MigrationMeta[];
}

/**
 * @throws OutdatedDatabase when its first migration is not this release's first
 * @throws NewerDatabase when it has run a migration later than all of this release
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
