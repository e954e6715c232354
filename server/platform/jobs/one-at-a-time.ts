/** Runs work that only one process of an installation may do at a time. */
import pg from "pg";
import type { OpenDatabase } from "#server/platform/db/database.ts";

/** Keys of PostgreSQL advisory locks; all of the product's keys begin with 727460. */
const LOCKS = { cleanup: 727_460_011, demo: 727_460_012, backfills: 727_460_013 };

type Place = Pick<OpenDatabase, "directUrl">;

export async function runWithLock(database: Place, name: keyof typeof LOCKS, work: () => Promise<void>): Promise<void> {
  await locked(database, "select pg_advisory_lock($1), true as mine", name, work);
}

/** @returns false, without running the work, when another process is running it */
export function runUnlessLocked(
  database: Place,
  name: keyof typeof LOCKS,
  work: () => Promise<void>,
): Promise<boolean> {
  return locked(database, "select pg_try_advisory_lock($1) as mine", name, work);
}

/**
 * The lock belongs to a separate session that bypasses any pool, so it ends with its process, even after a crash. The embedded database has
 * only one process.
 */
async function locked(
  { directUrl }: Place,
  statement: string,
  name: keyof typeof LOCKS,
  work: () => Promise<void>,
): Promise<boolean> {
  if (directUrl === null) {
    await work();
    return true;
  }
  const client = new pg.Client({ connectionString: directUrl, keepAlive: true });
  // A session that breaks during the work loses its lock: all such work tolerates being done twice.
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query(statement, [LOCKS[name]]);
    if (!rows[0].mine) return false;
    await work();
    return true;
  } finally {
    await client.end().catch(() => {});
  }
}
