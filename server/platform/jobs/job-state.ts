import { sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import type { JobName } from "./catalogue.ts";

/**
 * Returns when the newest run with this key failed after all retries; null when it did not, or when the queue has forgotten it
 * (`JobRule.keptSeconds`). Reads with the tenant's rights, so jobs of others are invisible.
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
