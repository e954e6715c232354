/** Who answers a visitor: the request while it lives, else the job that was stored with his message. */
import { isDatabaseAway } from "#server/platform/db/database.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { Log } from "#server/platform/log.ts";

/**
 * Milliseconds. `ms`: the job runs so long after the last sign of life of the request. If the request lives after all, only the answer that
 * is stored first is kept. `failedMs`: so long after the request has failed, for example because the model is away.
 */
export const LEASE = { ms: 12_000, renewMs: 4_000, failedMs: 12 * 60_000 };

interface LeaseDeps {
  jobs: Pick<Jobs, "postpone">;
  log: Log;
}

export const leaseEnd = (): Date => new Date(Date.now() + LEASE.ms);

/**
 * Runs `answer` and meanwhile puts the job off. After a kill, a shutdown or the loss of the database the job runs at once or when the
 * lease has ended.
 */
export async function answerUnderLease(
  { jobs, log }: LeaseDeps,
  job: JobData["process-inbox"],
  stopping: AbortSignal,
  answer: () => Promise<void>,
): Promise<void> {
  const putOff = async (until: Date) => {
    await jobs
      .postpone("process-inbox", job, until)
      .catch((error: unknown) => log.warn({ err: error }, "the job of a visitor's answer could not be put off"));
  };
  // The job of his former message may be the one that waits, and be due already.
  await putOff(leaseEnd());
  const timer = setInterval(() => void putOff(leaseEnd()), LEASE.renewMs).unref();
  try {
    await answer();
    // It finds nothing, or what another run has left when this one's answer came second.
    void putOff(new Date());
  } catch (error) {
    clearInterval(timer);
    if (stopping.aborted) await putOff(new Date());
    else if (!isDatabaseAway(error)) await putOff(new Date(Date.now() + LEASE.failedMs));
    throw error;
  } finally {
    clearInterval(timer);
  }
}
