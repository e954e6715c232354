/**
 * Fetches originals of accounts that are connected in this process, because no other process can. Runs outside the job queue; any process
 * may run the job that recognises them.
 */
import { and, asc, eq, inArray, isNull, or } from "drizzle-orm";
import { asPlatform, asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { fetchOriginal, type MediaJob } from "./fetch-original.ts";
import { type AttemptDeps, runAttempt } from "./read-media.ts";

/** Maximum number of simultaneous fetches of this process. */
const AT_ONCE = 4;
/** Maximum number of simultaneous fetches of one account. */
const OF_ONE = 2;
const LOOKED_AT = 100;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

interface HeldFetches {
  /** Starts the waiting fetches. @param held ids of the integrations whose accounts are connected here */
  look(held: readonly string[]): Promise<void>;
  /** Aborts the running fetches; another process starts them again. */
  stop(): Promise<void>;
}

export function fetchHeld(deps: AttemptDeps): HeldFetches {
  const stopping = new AbortController();
  const underWay = new Map<string, { integrationId: string; ended: Promise<void> }>();
  /** Failed fetches with the time before which they are not retried. */
  const resting = new Map<string, { until: number; failures: number }>();

  async function fetchOne(job: MediaJob): Promise<void> {
    const { signal } = stopping;
    try {
      await runAttempt(deps, job, signal, async (row) => {
        const kept = await fetchOriginal(deps, job, row, signal);
        if (kept === "elsewhere") return "not begun";
        if (kept !== null) await asTenant(deps.db, job, (tx) => deps.jobs.enqueue(tx, "read-media", job));
        // The attempts to recognise it are counted from the first.
        return kept === null ? "done" : "not begun";
      });
      resting.delete(job.mediaId);
    } catch (error) {
      if (signal.aborted) return;
      const failures = (resting.get(job.mediaId)?.failures ?? 0) + 1;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      resting.set(job.mediaId, { until: Date.now() + wait, failures });
      deps.log.info({ err: error, mediaId: job.mediaId }, "an original is fetched again later");
    }
  }

  return {
    async look(held) {
      if (held.length === 0) return resting.clear();
      const waiting = await waitingOf(deps, held);
      const known = new Set(waiting.map(({ mediaId }) => mediaId));
      for (const id of resting.keys()) if (!known.has(id)) resting.delete(id);
      for (const job of waiting) {
        const { mediaId, integrationId } = job;
        const ofOne = [...underWay.values()].filter((one) => one.integrationId === integrationId).length;
        if (stopping.signal.aborted || underWay.size >= AT_ONCE) return;
        if (underWay.has(mediaId) || ofOne >= OF_ONE || (resting.get(mediaId)?.until ?? 0) > Date.now()) continue;
        const ended = fetchOne(job).finally(() => underWay.delete(mediaId));
        underWay.set(mediaId, { integrationId, ended });
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all([...underWay.values()].map(({ ended }) => ended));
    },
  };
}

/** Returns the waiting originals, oldest first; their message may already be in its conversation. */
async function waitingOf({ db }: AttemptDeps, held: readonly string[]): Promise<MediaJob[]> {
  const rows = await asPlatform(db, (tx) =>
    tx
      .selectDistinct({
        since: mediaFiles.createdAt,
        mediaId: mediaFiles.id,
        organizationId: mediaFiles.orgId,
        integrationId: integrations.id,
        userId: twins.ownerId,
      })
      .from(mediaFiles)
      .innerJoin(
        inboxEvents,
        or(eq(inboxEvents.id, mediaFiles.eventId), eq(inboxEvents.messageId, mediaFiles.messageId)),
      )
      .innerJoin(integrations, eq(integrations.id, inboxEvents.integrationId))
      .innerJoin(twins, eq(twins.id, integrations.twinId))
      .where(and(eq(mediaFiles.state, "waiting"), isNull(mediaFiles.storedAt), inArray(integrations.id, [...held])))
      .orderBy(asc(mediaFiles.createdAt), asc(mediaFiles.id))
      .limit(LOOKED_AT),
  );
  return rows.map(({ since: _since, ...job }) => job);
}
