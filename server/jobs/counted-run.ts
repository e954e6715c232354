/**
 * Work that may end the process, for example by its memory, would come back at each start and end it again. So each run is counted
 * before it begins, and taken off when it has come back, with a result or an error: what remains are the runs that never did.
 */
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";

/** So many runs may be cut off, one after the other without progress, before the work is given up. */
export const RUNS = 3;

export interface RunCounter {
  /** Names the work within the process. */
  key: string;
  /** Adds to the kept number, which progress sets back to 0 and which is never less. @returns the new one, null where there is none */
  add(tx: Tx, change: number): Promise<number | null>;
  /** Says so where the owner sees it; he may ask for it anew, which sets the number back. */
  giveUp(tx: Tx): Promise<void>;
}

/** Runs that came back while the database was away: still in the kept number. */
const owed = new Set<string>();

/** Does the work, or gives it up. @throws what the work throws */
export async function countedRun(
  db: Database,
  tenant: Tenant,
  { key, add, giveUp }: RunCounter,
  work: () => Promise<void>,
): Promise<void> {
  const goesOn = await asTenant(db, tenant, async (tx) => {
    const runs = await add(tx, owed.has(key) ? 0 : 1);
    if (runs !== null && runs > RUNS) await giveUp(tx);
    return runs !== null && runs <= RUNS;
  });
  owed.delete(key);
  if (!goesOn) return;
  try {
    await work();
  } finally {
    await asTenant(db, tenant, (tx) => add(tx, -1)).catch(() => void owed.add(key));
  }
}
