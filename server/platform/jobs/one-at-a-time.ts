/** Work that only one process of an installation does at a time. */
import pg from "pg";
import type { OpenDatabase } from "#server/platform/db/database.ts";

/** Keys of PostgreSQL's advisory locks; the others of the product's begin with 727460 too. */
const LOCKS = { cleanup: 727_460_011, demo: 727_460_012, backfills: 727_460_013 };

type Place = Pick<OpenDatabase, "directUrl">;

/** Does the work once no other process is doing it. */
export async function runWithLock(database: Place, name: keyof typeof LOCKS, work: () => Promise<void>): Promise<void> {
  await locked(database, "select pg_advisory_lock($1), true as mine", name, work);
}

/** @returns false when another process is at it; nothing is done then */
export function runUnlessLocked(
  database: Place,
  name: keyof typeof LOCKS,
  work: () => Promise<void>,
): Promise<boolean> {
  return locked(database, "select pg_try_advisory_lock($1) as mine", name, work);
}

/**
 * The lock belongs to a session of its own, past any pool: it ends with the process that holds it, whichever way that ends. The embedded
 * database has one process.
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
  // A session that breaks during the work has ended its lock: what is done here is safe to be done twice.
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
