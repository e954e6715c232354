/** Deletes expired data at the start and every hour, and enqueues jobs again that got stuck. */
import { lt, or, sql } from "drizzle-orm";
import { LETTERS_WINDOW_MS } from "./auth/email/letter-limit.ts";
import { ACCOUNT_WINDOW_MS } from "./auth/login-limit.ts";
import { DEVICE_DAYS } from "./auth/notices/known-devices.ts";
import { NOTICES_KEPT_MS } from "./auth/notices/notices.ts";
import { IDLE_MS } from "./auth/sessions.ts";
import { pruneSetAside, SET_ASIDE_KEPT_MS, withOldSetAside } from "./channels/core/inbox/set-aside/set-aside-events.ts";
import { asPlatform, asTenant, type Database } from "./db/database.ts";
import {
  activity,
  idempotencyKeys,
  knownDevices,
  lettersSent,
  loginFailures,
  oneTimeLinks,
  securityNotices,
  sessions,
  signInChallenges,
  usedTelegramLogins,
  widgetAddresses,
} from "./db/schema.ts";
import { isShort } from "./files/disk.ts";
import { KEPT_MS } from "./http/idempotency.ts";
import { cancelAbandonedImports } from "./imports/sweep-imports.ts";
import { dropAbandonedUploads } from "./imports/uploads/resumable-uploads.ts";
import { unlessUnderWay } from "./jobs/one-at-a-time.ts";
import { sweepModelFiles } from "./models/installed/sweep-models.ts";
import { sweepExports } from "./records/export/sweep-exports.ts";
import type { Services } from "./services.ts";
import { usageDay } from "./twins/usage.ts";
import { sweepVoices } from "./voices/sweep-voices.ts";
import { dropAbandonedVoices } from "./voices/voice-files.ts";
import { pruneDeliveries, KEPT_MS as TOLD_MS, withOldDeliveries } from "./webhooks/deliver.ts";
import { resumeJobs } from "./workers.ts";

const HOUR = 3600_000;
/** How often free disk space is checked. */
const WATCH_MS = 5 * 60_000;
/** The dashboard shows the latest entries only; totals are counted by day elsewhere. */
const ACTIVITY_MS = 90 * 24 * HOUR;
/** Maximum number of entries, oldest first, that one round looks at, so that a round stays short. */
const ROUND = 20_000;
/** User id for transactions that act for no user. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Cleans up until the returned function is called; that function waits for a round in progress. */
export function startCleanup(services: Services): () => Promise<void> {
  let round = Promise.resolve();
  const begin = (work: () => Promise<void>) => {
    round = work().catch((error: unknown) => services.log.error({ err: error }, "cleanup failed"));
  };
  begin(() => cleanUp(services));
  const timer = setInterval(
    () =>
      begin(async () => {
        await cleanUp(services);
        await resumeJobs(services);
      }),
    HOUR,
  );
  timer.unref();
  // A disk can fill within minutes, so files that may be deleted then are not kept until the next hour.
  const watch = setInterval(
    () =>
      begin(async () => {
        // Deleted data must not stay in a zip file until the next hour.
        await sweepExports(services);
        if (isShort(await services.disk.look())) await clearUploads(services);
      }),
    WATCH_MS,
  );
  watch.unref();
  return async () => {
    clearInterval(timer);
    clearInterval(watch);
    await round;
  };
}

/** In each process, whatever its role: copies of stored files lie on its own machine. Sweeps until the returned function is called. */
export function startFileSweep({ files, log }: Pick<Services, "files" | "log">): () => Promise<void> {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = files
      .sweep(Date.now())
      .catch((error: unknown) => log.error({ err: error }, "stored files could not be swept"));
  }, WATCH_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await round;
  };
}

/** @param now ms since 1970; tests pass times in the future */
export async function cleanUp(services: Services, now = Date.now()): Promise<void> {
  await unlessUnderWay(services.database, "cleanup", () => sweepRows(services.db, now));
  await sweepExports(services, now);
  await sweepModelFiles(services, now);
  await sweepVoices(services, now);
  await clearUploads(services, now);
}

async function sweepRows(db: Database, now: number): Promise<void> {
  await sweepSignIn(db, now);
  await sweepIdempotencyKeys(db, now);
  await sweepActivity(db, now);
  await sweepWidgetAddresses(db, now);
  await sweepDeliveries(db, now);
  await sweepSetAside(db, now);
}

/** While disk space is short, unfinished uploads and imports that were never started are deleted after this time. */
const SHORT_MS = { uploads: 2 * HOUR, previews: 24 * HOUR };

/** Deletes abandoned files, and does so sooner while disk space is short, because otherwise everybody's uploads would be refused. */
export async function clearUploads(services: Services, now = Date.now()): Promise<void> {
  const { log, disk } = services;
  const state = await disk.look();
  const kept: Partial<typeof SHORT_MS> = isShort(state) ? SHORT_MS : {};
  if (isShort(state)) log.warn(state, "the disk is short of space");
  const cancelled = await cancelAbandonedImports(services, now, kept.previews);
  await dropAbandonedUploads(services, now, kept.uploads);
  await dropAbandonedVoices(services, now, kept.uploads);
  if (cancelled > 0) log.info({ imports: cancelled }, "forgotten imports cancelled");
}

async function sweepSignIn(db: Database, now: number): Promise<void> {
  const passed = new Date(now);
  await db.delete(sessions).where(or(lt(sessions.expiresAt, passed), lt(sessions.lastSeenAt, new Date(now - IDLE_MS))));
  await db.delete(oneTimeLinks).where(lt(oneTimeLinks.expiresAt, passed));
  // A minute longer than a payload is accepted, because clocks differ.
  await db.delete(usedTelegramLogins).where(lt(usedTelegramLogins.expiresAt, new Date(now - 60_000)));
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, passed));
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, new Date(now - DEVICE_DAYS * 24 * HOUR)));
  await db.delete(securityNotices).where(lt(securityNotices.createdAt, new Date(now - NOTICES_KEPT_MS)));
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(now - ACCOUNT_WINDOW_MS)));
  await db.delete(lettersSent).where(lt(lettersSent.at, new Date(now - LETTERS_WINDOW_MS)));
}

/** Stored responses contain what people wrote, so they are deleted after a day. */
async function sweepIdempotencyKeys(db: Database, now: number): Promise<void> {
  const old = lt(idempotencyKeys.createdAt, new Date(now - KEPT_MS));
  const found = await asPlatform(db, (tx) =>
    tx.selectDistinct({ organizationId: idempotencyKeys.orgId }).from(idempotencyKeys).where(old),
  );
  for (const { organizationId } of found) {
    await asTenant(db, { organizationId, userId: NOBODY }, (tx) => tx.delete(idempotencyKeys).where(old));
  }
}

async function sweepDeliveries(db: Database, now: number): Promise<void> {
  const passed = new Date(now - TOLD_MS);
  for (const { organizationId } of await asPlatform(db, (tx) => withOldDeliveries(tx, passed))) {
    await asTenant(db, { organizationId, userId: NOBODY }, (tx) => pruneDeliveries(tx, passed));
  }
}

async function sweepSetAside(db: Database, now: number): Promise<void> {
  const passed = new Date(now - SET_ASIDE_KEPT_MS);
  for (const { organizationId } of await asPlatform(db, (tx) => withOldSetAside(tx, passed))) {
    await asTenant(db, { organizationId, userId: NOBODY }, (tx) => pruneSetAside(tx, passed));
  }
}

/** Deletes the counters of widget visitors' addresses as soon as their day is over. */
async function sweepWidgetAddresses(db: Database, now: number): Promise<void> {
  const old = lt(widgetAddresses.day, usageDay(new Date(now)));
  const found = await asPlatform(db, (tx) =>
    tx.selectDistinct({ organizationId: widgetAddresses.orgId }).from(widgetAddresses).where(old),
  );
  for (const { organizationId } of found) {
    await asTenant(db, { organizationId, userId: NOBODY }, (tx) => tx.delete(widgetAddresses).where(old));
  }
}

async function sweepActivity(db: Database, now: number): Promise<void> {
  const passed = new Date(now - ACTIVITY_MS);
  const oldest = await asPlatform(db, (tx) =>
    tx
      .select({ id: activity.id, organizationId: activity.orgId, createdAt: activity.createdAt })
      .from(activity)
      .orderBy(activity.id)
      .limit(ROUND),
  );
  const old = oldest.filter((entry) => entry.createdAt < passed);
  for (const [organizationId, entries] of Map.groupBy(old, (entry) => entry.organizationId)) {
    const ids = entries.map((entry) => entry.id);
    await asTenant(db, { organizationId, userId: NOBODY }, (tx) =>
      tx.delete(activity).where(sql`${activity.id} = any(${sql.param(ids)}::bigint[])`),
    );
  }
}
