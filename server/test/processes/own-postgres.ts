/** A PostgreSQL for one test file alone, which can be restarted. */

export interface OwnPostgres {
  url: string;
  /** Ends all sessions and starts it anew on the same port, with all that was committed. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

// The scripts are plain JavaScript outside this project's types.
const script = new URL("../../../scripts/postgres.mjs", import.meta.url).href;

/** @throws Error where there is no PostgreSQL */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const { startOwnPostgres: start } = (await import(script)) as {
    startOwnPostgres(): Promise<OwnPostgres | undefined>;
  };
  const started = await start();
  if (started === undefined) throw new Error("No PostgreSQL is installed here");
  return started;
}
