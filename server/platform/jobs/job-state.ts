import { sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import type { JobName } from "./catalogue.ts";

/**
 * When the newest run with this key was given up after all its tries had failed; null where it was not, or where that is longer ago than
 * the queue remembers (`JobRule.keptSeconds`). Reads with the tenant's rights, so jobs of others are not visible.
 */
export async function failedJobAt(tx: Tx, name: JobName, key: string): Promise<Date | null> {
  const { rows } = await tx.execute(sql`
    select state, completed_on as ended from jobs.job where name = ${name} and singleton_key = ${key}
    order by created_on desc, id desc limit 1`);
  const [newest] = rows as { state: string; ended: Date | string | null }[];
  return newest?.state === "failed" && newest.ended !== null ? new Date(newest.ended) : null;
}

/** Whether a run with this key is waiting or running. Reads with the tenant's rights. */
export async function isJobPending(tx: Tx, name: JobName, key: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    select 1 from jobs.job where name = ${name} and singleton_key = ${key} and state in ('created', 'retry', 'active') limit 1`);
  return rows.length > 0;
}
