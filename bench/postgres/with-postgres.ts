// A PostgreSQL that is thrown away with whatever was written to it.
import { type Database, openDatabase } from "#server/platform/db/database.ts";

type StartPostgres = () => Promise<{ url: string; stop(): Promise<void> } | undefined>;
// The scripts are plain JavaScript outside this project's types.
export const { startPostgres } = (await import(new URL("../../scripts/postgres.mjs", import.meta.url).href)) as {
  startPostgres: StartPostgres;
};

/** Where PostgreSQL is absent that is said, and nothing is measured. */
export async function withPostgres(measure: (db: Database) => Promise<void>): Promise<void> {
  const postgres = await startPostgres();
  if (postgres === undefined) {
    console.error("PostgreSQL is absent: nothing is measured on it.");
    return;
  }
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: "", pool: 4 });
  try {
    await measure(database.db);
  } finally {
    await database.close();
    await postgres.stop();
  }
}
