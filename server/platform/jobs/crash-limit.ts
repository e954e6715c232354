/**
 * Counts runs that never return. Work that ends the process, for example by its memory, would be started again and end it again. So each
 * run is counted before it begins and uncounted when it returns with a result or an error.
 */
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";

/** Number of interrupted runs in a row without progress after which the work is given up. */
export const MAX_CRASHED_RUNS = 3;

export interface CrashCounter {
  /** Names the work within the process. */
  key: string;
  /**
   * Adds to the stored number, which progress resets to 0 and which never becomes negative. @returns the new number; null where the work
   * is gone
   */
  add(tx: Tx, change: number): Promise<number | null>;
  /** Shows the owner that the work was given up; he may ask for it again, which resets the number. */
  giveUp(tx: Tx): Promise<void>;
}

/** Keys of runs that returned while the database was away and are still counted. */
const owed = new Set<string>();

/** Does the work, or gives it up. @throws what the work throws */
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
