/**
 * Counts job runs that never return. Work that crashes the process, for example by its memory use, would be restarted and crash it again.
 * So each run is counted before it begins and uncounted when it returns with a result or an error.
 */
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";

/** Number of interrupted runs in a row without progress after which the work is given up. */
export const MAX_CRASHED_RUNS = 3;

export interface CrashCounter {
  key: string;
  /**
   * Adds to the stored counter, which progress resets to 0 and which never becomes negative. @returns the new value; null when the work no
   * longer exists
   */
  add(tx: Tx, change: number): Promise<number | null>;
  giveUp(tx: Tx): Promise<void>;
}

/** Keys of runs that returned while the database was unavailable and are still counted. */
const owed = new Set<string>();

/** Runs the work, or gives it up. @throws the errors of the work */
export async function runWithCrashLimit(
  db: Database,
  tenant: Tenant,
  { key, add, giveUp }: CrashCounter,
  work: () => Promise<void>,
): Promise<void> {
  const goesOn = await asTenant(db, tenant, async (tx) => {
    const runs = await add(tx, owed.has(key) ? 0 : 1);
    if (runs !== null && runs > MAX_CRASHED_RUNS) await giveUp(tx);
    return runs !== null && runs <= MAX_CRASHED_RUNS;
  });
  owed.delete(key);
  if (!goesOn) return;
  try {
    await work();
  } finally {
    await asTenant(db, tenant, (tx) => add(tx, -1)).catch(() => void owed.add(key));
  }
}
