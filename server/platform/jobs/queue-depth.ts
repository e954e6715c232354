/** Measures how much work waits in the queues, and whether a process handles it. */
import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import type { JobName } from "./catalogue.ts";

export interface QueueDepth {
  name: JobName;
  waiting: number;
  running: number;
  /** For how long the oldest waiting job has been due, ms; 0: none is waiting. */
  oldestMs: number;
}

/** Returns the queues with due or running jobs. It reads only unfinished jobs, which have an index of their own. */
export async function queueDepths(db: Database): Promise<QueueDepth[]> {
  const { rows } = await db.execute(sql`
    select name,
      count(*) filter (where state < 'active') as waiting,
      count(*) filter (where state = 'active') as running,
      coalesce(extract(epoch from now() - min(greatest(start_after, created_on)) filter (where state < 'active')), 0)
        * 1000 as oldest
    from jobs.job
    where policy = 'stately' and state <= 'active' and (state = 'active' or start_after <= now())
    group by name order by name`);
  return (rows as { name: JobName; waiting: number; running: number; oldest: number | string }[]).map(
    ({ name, waiting, running, oldest }) => ({ name, waiting, running, oldestMs: Math.round(Number(oldest)) }),
  );
}

/** A running job sends a heartbeat every few seconds; after this time without one it counts as dead. */
const ALIVE_SECONDS = 60;

/**
 * Returns the kinds of jobs that have been due for longer than `afterMs` while none ended in that time and none is running. Waiting for a
 * long running job of the same kind is normal.
 */
export async function stuckQueues(
  db: Database,
  afterMs: number,
  depths?: readonly QueueDepth[],
): Promise<readonly JobName[]> {
  const late = (depths ?? (await queueDepths(db))).filter(({ oldestMs }) => oldestMs > afterMs).map(({ name }) => name);
  if (late.length === 0) return [];
  const { rows } = await db.execute(sql`
    select distinct name from jobs.job
    where name = any(${sql.param(late)}::text[]) and (
      completed_on > now() - ${afterMs / 1000} * interval '1 second'
      or (state = 'active' and heartbeat_on > now() - ${ALIVE_SECONDS} * interval '1 second'))`);
  const moving = new Set(rows.map(({ name }) => name));
  return late.filter((name) => !moving.has(name));
}
