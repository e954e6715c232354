/** Counts the statements of each transaction, which bounds how long it holds a connection without looking at a clock. */
import type { PoolClient } from "pg";
import type { Database } from "#server/platform/db/database.ts";

/** Returns the largest number of statements for which `work`, and all that runs meanwhile, has held a connection of requests. */
export async function mostStatements(db: Database, work: () => Promise<unknown>): Promise<number> {
  const pool = db.$requests;
  const counts = new Map<PoolClient, number>();
  let most = 0;
  const sent = new Map<PoolClient, () => void>();
  const acquired = (client: PoolClient) => {
    counts.set(client, 0);
    if (sent.has(client)) return;
    const count = () => counts.set(client, counts.get(client)! + 1);
    sent.set(client, count);
    client.on("drain", count);
  };
  const released = (_: Error | undefined, client: PoolClient) => {
    most = Math.max(most, counts.get(client) ?? 0);
  };
  pool.on("acquire", acquired).on("release", released);
  try {
    await work();
  } finally {
    pool.off("acquire", acquired).off("release", released);
    for (const [client, count] of sent) client.off("drain", count);
  }
  return most;
}
