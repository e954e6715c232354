import { sql } from "drizzle-orm";
import { type InsertOptions, PgBoss, systemClock } from "pg-boss";
import { runBehindCallers, runInBackground } from "#server/platform/db/caller-priority.ts";
import type { OpenDatabase, Tx } from "#server/platform/db/database.ts";
import { listenTo } from "#server/platform/db/notifications.ts";
import type { WriteGuard } from "#server/platform/db-upkeep/write-guard.ts";
import type { Log } from "#server/platform/log.ts";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { runLabelled } from "#server/platform/process/event-loop-monitor.ts";
import { jobsEnded, lastHour } from "#server/platform/process/metrics.ts";
import { currentSpan, traced } from "#server/platform/process/tracing.ts";
import { JOB_RULES, type JobData, type JobName, type JobRule } from "./catalogue.ts";
import { JobPriorities } from "./job-priorities.ts";
import { maintainQueues } from "./queue-maintenance.ts";
import { openQueueToTenants } from "./queue-rights.ts";
import { BUSY_POLL_MS, QueueWakeUp } from "./queue-wake-up.ts";

// Seconds after which pg-boss requeues the job of a killed worker (its minimum).
const HEARTBEAT_SECONDS = 10;
/** Seconds between a worker's own polls: added jobs cause a notification, and due ones are found for all queues together. */
const IDLE_POLL_SECONDS = 60;
const QUEUE_CACHE_SECONDS = 1;
/**
 * Seconds for which finished jobs are kept: a message makes three jobs, so a day of them would outnumber everything else in the database.
 */
const KEPT_SECONDS = 3600;

/** Jobs with a contact's reply: a stopping server lets them end within its whole bound. */
const ANSWERS: readonly JobName[] = ["process-inbox", "send-outbox"];
/** Milliseconds that the other jobs have to end in when the server stops. */
const HURRY_MS = 8_000;

/** Milliseconds; a requeued job is due within half of it. */
export const REQUEUE_DELAY_MS = 1_000;

export type JobHandlers = { [Name in JobName]: (data: JobData[Name], signal: AbortSignal) => Promise<void> };

export interface Jobs {
  /**
   * Enqueues in the caller's transaction, so that a rollback leaves no job. Adds nothing if a job with the same key is waiting already.
   * Every handler must be idempotent, because it may run again after a crash.
   * @param startAfter the earliest time
   */
  enqueue<Name extends JobName>(tx: Tx, name: Name, data: JobData[Name], startAfter?: Date): Promise<void>;
  /** `enqueue` for several jobs at the cost of one. */
  enqueueAll<Name extends JobName>(tx: Tx, name: Name, waiting: readonly WaitingJob<Name>[]): Promise<void>;
  /** Moves the start of a waiting job, because somebody does its work now and has not ended yet. */
  postpone<Name extends JobName>(name: Name, data: JobData[Name], startAfter: Date): Promise<void>;
  /** Called after a handler has requeued a job that this process cannot do: for a moment this process leaves it to the others. */
  passOn(name: JobName): void;
  /** Removes the jobs of these conversations from the queue, in the caller's transaction. A running job finds no conversation and ends. */
  forgetConversations(
    tx: Tx,
    conversations: readonly { id: string; integrationId: string | null; key: string | null }[],
  ): Promise<void>;
  /** Removes the jobs of a whole organisation, or all jobs on behalf of a user; on the base connection. */
  forgetTenant(tx: Tx, tenant: { organizationId: string } | { userId: string }): Promise<void>;
  /** Starts handling jobs; a process that never calls it only adds them. */
  start(handlers: JobHandlers): Promise<void>;
  /** Takes no further jobs but those that send answers, and interrupts background ones, which go on after the next start. */
  windDown(): void;
  /** Waits for running jobs, at most `timeoutMs`; unfinished ones run again after the next start. */
  stop(timeoutMs?: number): Promise<void>;
}

export interface WaitingJob<Name extends JobName> {
  data: JobData[Name];
  startAfter?: Date;
}

/**
 * Makes pg-boss insert in the caller's transaction: a tenant's role can read and add only jobs of its own organisation (queue-rights.ts).
 */
const insertingIn = (tx: Tx): NonNullable<InsertOptions["db"]> => ({
  executeSql: (text, values = []) => tx.$client.query({ text, values }),
});

/** Runs a short job, usually for a contact who waits for a reply. */
async function runForSomebody(work: () => Promise<void>): Promise<void> {
  const end = backgroundThrottle.begin({ expensive: true });
  try {
    await runBehindCallers(work);
  } finally {
    end();
  }
}

/** For tests and tools, whose disk is their own business. */
const NO_GUARD = { note: () => {}, room: new AbortController().signal, untilWritable: () => Promise.resolve() };

/** Opens pg-boss on the same database. Handlers run in this process; CPU-heavy parts belong in worker threads. */
export async function openJobs(
  database: OpenDatabase,
  log: Log,
  guard: Pick<WriteGuard, "note" | "room" | "untilWritable"> = NO_GUARD,
): Promise<Jobs> {
  let wakeUp: QueueWakeUp | undefined;
  let told = "";
  let handling = false;
  let passing: NodeJS.Timeout | undefined;
  let hurrying: NodeJS.Timeout | undefined;
  const leaving = new AbortController();
  const hurry = new AbortController();
  const tell = (name: string) => database.db.execute(sql`select pg_notify(${told}, ${name})`).catch(() => {});
  const maintenance = maintainQueues(database.db, log);
  const priorities = new JobPriorities();
  const boss = new PgBoss({
    useListenNotify: true,
    db: {
      async listen(channel, onNotification, onReconnect) {
        wakeUp = new QueueWakeUp(onNotification);
        told = channel;
        const heard = (name: string) => {
          if (handling) wakeUp?.wake(name);
        };
        const { stop } = await listenTo(database, channel, { heard, opened: onReconnect }, log);
        return { close: stop };
      },
      executeSql: (text: string, values?: unknown[]) =>
        values === undefined || values.length === 0
          ? database.db.$client.query(text)
          : database.db.$client.query(text, values),
    },
    backend: database.kind === "embedded" ? "pglite" : "postgres",
    schema: "jobs",
    // A key that was busy at pg-boss's last check of the queue is skipped until the next check, so a change during a run waits that long
    // for the next run. pg-boss's default of a minute is too long for a user who is watching.
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: QUEUE_CACHE_SECONDS,
    // queue-maintenance.ts does maintenance and monitoring while they are needed.
    supervise: false,
    clock: {
      ...systemClock,
      setInterval: (work, ms) => {
        const isCache = ms === QUEUE_CACHE_SECONDS * 1000;
        return systemClock.setInterval(isCache ? () => maintenance.needed() && work() : work, ms);
      },
    },
    schedule: false,
    monitorVacuum: false,
  });
  boss.on("error", (error) => log.error({ err: error }, "job queue"));
  await boss.start();
  await openQueueToTenants(database.db);
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const names = Object.keys(JOB_RULES) as JobName[];
  const [firstName] = names;
  for (const name of names) {
    const rule: JobRule = JOB_RULES[name];
    const options = {
      retryLimit: rule.retries,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: rule.expiresIn,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
      deleteAfterSeconds: rule.keptSeconds ?? KEPT_SECONDS,
    };
    const queue = queues.get(name);
    if (queue === undefined) await boss.createQueue(name, { ...options, policy: "stately" });
    else if (Object.entries(options).some(([key, value]) => queue[key as keyof typeof options] !== value)) {
      await boss.updateQueue(name, options);
    } else if (name !== firstName) continue;
    // Fills pg-boss's queue cache: a miss inside a caller's transaction would wait for PGlite's only connection for ever. Unchanged queues
    // come from the last start; in an empty database the first queue fails.
    await boss.findJobs(name, { key: "" });
  }
  if (database.kind === "embedded") {
    // No other process can have an embedded database open. So jobs marked as running died with the last process, and need not wait for a
    // missed heartbeat.
    const { rows } = await database.db.execute(sql`select name, id from jobs.job where state = 'active'`);
    for (const { name, id } of rows as { name: string; id: string }[]) {
      await boss.fail(name, id, { message: "the process ended" });
    }
    await database.db.execute(sql`update jobs.queue set singletons_active = null`);
    // Requests that were answering died too, so the jobs that wait for their end run now.
    await database.db.execute(sql`update jobs.job set start_after = now()
      where name = 'process-inbox' and state = 'created' and start_after > now()`);
  }

  async function enqueueAll<Name extends JobName>(
    tx: Tx,
    name: Name,
    waiting: readonly WaitingJob<Name>[],
  ): Promise<void> {
    if (waiting.length === 0) return;
    const keyOf = JOB_RULES[name].key as (data: JobData[Name]) => string;
    // The job's own trace links to the trace that caused it.
    const cause = currentSpan()?.traceparent;
    const now = Date.now();
    const inserted = waiting.map(({ data, startAfter }) => {
      const { organizationId } = data;
      const singletonKey = keyOf(data);
      const due = Math.max(now, startAfter?.getTime() ?? now);
      const priority = priorities.priorityOf(name, { organizationId, key: singletonKey, due });
      const carried = cause === undefined ? data : { ...data, cause };
      return { data: carried, startAfter, singletonKey, priority, group: { id: organizationId } };
    });
    await boss.insert(name, inserted, { db: insertingIn(tx) });
    for (const due of new Set(waiting.map(({ startAfter }) => startAfter))) {
      // The processes that handle jobs were notified at the enqueueing, before the job was due. So a poll or another notification is
      // scheduled for the due time.
      if (due !== undefined) wakeUp?.expect(name, due, handling ? undefined : () => void tell(name));
    }
  }

  return {
    enqueue: (tx, name, data, startAfter) => enqueueAll(tx, name, [{ data, startAfter }]),
    enqueueAll,
    async postpone(name, data, startAfter) {
      const keyOf = JOB_RULES[name].key as (of: typeof data) => string;
      await database.db.execute(sql`update jobs.job set start_after = ${startAfter.toISOString()}::timestamptz
        where name = ${name} and singleton_key = ${keyOf(data)} and state = 'created'`);
      wakeUp?.expect(name, startAfter, handling ? undefined : () => void tell(name));
    },
    passOn(name) {
      wakeUp?.standAside(name, REQUEUE_DELAY_MS);
      // The other processes were notified at the enqueueing, when the job was not due or its key was busy, so they are notified again.
      passing = setTimeout(() => void tell(name), REQUEUE_DELAY_MS / 2).unref();
    },
    async forgetConversations(tx, conversations) {
      for (const { id, integrationId, key } of conversations) {
        await tx.execute(sql`
          delete from jobs.job where data->>'conversationId' = ${id}
            or (data->>'integrationId' = ${integrationId ?? ""} and data->>'conversationKey' = ${key ?? ""})`);
      }
    },
    async forgetTenant(tx, tenant) {
      const [[field, id]] = Object.entries(tenant) as [[string, string]];
      await tx.execute(sql`delete from jobs.job where data->>${field} = ${id}`);
    },
    async start(handlers) {
      handling = true;
      for (const name of names) {
        const handle = handlers[name] as (data: unknown, signal: AbortSignal) => Promise<void>;
        const rule: JobRule = JOB_RULES[name];
        const options = {
          pollingIntervalSeconds: BUSY_POLL_MS / 1000,
          notifyPollingIntervalSeconds: IDLE_POLL_SECONDS,
          batchSize: 1,
          localConcurrency: rule.parallel ?? 1,
          ...(rule.perOrganization !== undefined && { localGroupConcurrency: rule.perOrganization }),
          // Otherwise each worker pauses for the rest of its half second after every job, however many wait.
          burstWhenReadyExceeds: 1,
        };
        const run = rule.background === true ? runInBackground : runForSomebody;
        const ending = rule.background === true ? leaving.signal : ANSWERS.includes(name) ? null : hurry.signal;
        await boss.work(name, options, async ([job]) => {
          if (job === undefined) return;
          const { cause, ...data } = job.data as { cause?: string };
          const asked = ending === null ? job.signal : AbortSignal.any([job.signal, ending]);
          let signal = asked;
          try {
            // A run that could store nothing would count as one of its attempts.
            await guard.untilWritable(asked);
            if (rule.background === true) signal = AbortSignal.any([asked, guard.room]);
            await traced(`job ${name}`, { kind: "consumer", cause }, () =>
              runLabelled(`job ${name}`, () => run(() => handle(data, signal))),
            );
            jobsEnded.inc({ job: name, outcome: "ok" });
          } catch (error) {
            guard.note(error);
            if (signal.aborted) {
              log.info({ job: name, jobId: job.id }, "job interrupted");
              throw error;
            }
            jobsEnded.inc({ job: name, outcome: "failed" });
            lastHour.failedJobs.add();
            log.error({ err: error, job: name, jobId: job.id }, "job failed");
            throw error;
          } finally {
            wakeUp?.keep(name);
          }
        });
      }
      maintenance.start(boss, (queue) => wakeUp?.wake(queue));
    },
    windDown() {
      leaving.abort(new Error("The server stops"));
      hurrying = setTimeout(() => hurry.abort(new Error("The server stops")), HURRY_MS).unref();
      for (const name of names) if (name !== "send-outbox") void boss.offWork(name, { wait: false });
    },
    stop: async (timeoutMs = HURRY_MS) => {
      wakeUp?.stop();
      clearTimeout(passing);
      clearTimeout(hurrying);
      await maintenance.stop();
      await boss.stop({ graceful: true, timeout: timeoutMs, close: false });
    },
  };
}
