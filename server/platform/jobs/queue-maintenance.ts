/** Runs pg-boss's regular maintenance only while a queue has jobs, because it is the greatest cost of an idle server on a laptop. */
import { sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import type { Database } from "#server/platform/db/database.ts";
import type { Log } from "#server/platform/log.ts";

/** Milliseconds between checks of all queues, independent of notifications. */
const LOOK_MS = 2000;
/** Milliseconds for which maintenance continues after the queues are empty, so that each process clears its memory of busy keys. */
const AFTER_MS = 5000;
/** Milliseconds between maintenance runs on empty queues, which remove finished jobs. */
const IDLE_CARE_MS = 60_000;

interface QueueMaintenance {
  needed(): boolean;
  /** @param wake called for each queue with due jobs */
  start(boss: PgBoss, wake: (queue: string) => void): void;
  stop(): Promise<void>;
}

export function maintainQueues(db: Database, log: Log): QueueMaintenance {
  // By the monotonic clock: a wall clock that is set back would end maintenance for as long.
  let neededUntil = Number.NEGATIVE_INFINITY;
  let caredAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let stopped = false;

  async function look(boss: PgBoss, wake: (queue: string) => void): Promise<void> {
    const queues = await queuesInUse(db);
    for (const { name, due } of queues) if (due) wake(name);
    const now = performance.now();
    if (queues.length > 0) neededUntil = now + AFTER_MS;
    if (stopped || (now >= neededUntil && now < caredAt + IDLE_CARE_MS)) return;
    caredAt = now;
    await boss.supervise();
  }

  return {
    needed: () => performance.now() < neededUntil,
    start(boss, wake) {
      const next = () => {
        looking = look(boss, wake).catch((error: unknown) => log.error({ err: error }, "job queue"));
        void looking.then(() => {
          if (!stopped) timer = setTimeout(next, LOOK_MS).unref();
        });
      };
      next();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** Unfinished jobs have an index of their own, so finished ones cost nothing here. */
async function queuesInUse(db: Database): Promise<{ name: string; due: boolean }[]> {
  const { rows } = await db.execute(sql`
    select name, bool_or(state < 'active') as due from jobs.job
    where policy = 'stately' and state <= 'active' and (state = 'active' or start_after <= now())
    group by name`);
  return rows as { name: string; due: boolean }[];
}
