/** What has had its time goes, at the start and every hour; then what got stuck meanwhile is asked for again as well. */
import { lt, or, sql } from "drizzle-orm";
import { LETTERS_WINDOW_MS } from "./auth/letter-limit.ts";
import { ACCOUNT_WINDOW_MS } from "./auth/login-limit.ts";
import { DEVICE_DAYS } from "./auth/notices/known-devices.ts";
import { NOTICES_KEPT_MS } from "./auth/notices/notices.ts";
import { IDLE_MS } from "./auth/sessions.ts";
import { pruneSetAside, SET_ASIDE_KEPT_MS, withOldSetAside } from "./channels/set-aside/set-aside-events.ts";
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
import { isShort } from "./disk.ts";
import { KEPT_MS } from "./idempotency.ts";
import { cancelForgottenImports } from "./imports/jobs.ts";
import { dropForgottenUploads } from "./imports/resumable-uploads.ts";
import { sweepExports } from "./records/export/sweep-exports.ts";
import type { Services } from "./services.ts";
import { usageDay } from "./twins/usage.ts";
import { pruneDeliveries, KEPT_MS as TOLD_MS, withOldDeliveries } from "./webhooks/deliver.ts";
import { resumeJobs } from "./workers.ts";

const HOUR = 3600_000;
/** How often the disk is looked at. */
const WATCH_MS = 5 * 60_000;
/** The dashboard shows the latest entries only; totals are counted by day elsewhere. */
const ACTIVITY_MS = 90 * 24 * HOUR;
/** Oldest entries looked at in one round: a sweep stays short whatever has gathered. */
const ROUND = 20_000;
/** A sweep acts for nobody. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Runs until the returned function is called; that waits for a round under way. */
export function startHousekeeping(services: Services): () => Promise<void> {
  let round = Promise.resolve();
  const begin = (work: () => Promise<void>) => {
    round = work().catch((error: unknown) => services.log.error({ err: error }, "housekeeping failed"));
  };
  begin(() => keepHouse(services));
  const timer = setInterval(
    () =>
      begin(async () => {
        await keepHouse(services);
        await resumeJobs(services);
      }),
    HOUR,
  );
  timer.unref();
  // A disk fills within minutes: what may go then is not kept until the next hour.
  const watch = setInterval(
    () =>
      begin(async () => {
        // What was deleted is not to wait in a zip until the next hour.
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

/** @param now milliseconds; tests look from the future */
export async function keepHouse(services: Services, now = Date.now()): Promise<void> {
  await sweepSignIn(services.db, now);
  await sweepIdempotencyKeys(services.db, now);
  await sweepActivity(services.db, now);
  await sweepWidgetAddresses(services.db, now);
  await sweepDeliveries(services.db, now);
  await sweepSetAside(services.db, now);
  await sweepExports(services, now);
  await clearUploads(services, now);
}

/** Of uploads that nobody goes on with and previews that nobody starts, while the disk is short. */
const SHORT_MS = { uploads: 2 * HOUR, previews: 24 * HOUR };

/** Files that are forgotten go, and sooner while the server's disk is short of space: then uploads of everybody would be refused. */
export async function clearUploads(services: Services, now = Date.now()): Promise<void> {
  const { log, disk } = services;
  const state = await disk.look();
  const kept: Partial<typeof SHORT_MS> = isShort(state) ? SHORT_MS : {};
  if (isShort(state)) log.warn(state, "the disk is short of space");
  const cancelled = await cancelForgottenImports(services, now, kept.previews);
  await dropForgottenUploads(services, now, kept.uploads);
  if (cancelled > 0) log.info({ imports: cancelled }, "forgotten imports cancelled");
}

async function sweepSignIn(db: Database, now: number): Promise<void> {
  const passed = new Date(now);
  await db.delete(sessions).where(or(lt(sessions.expiresAt, passed), lt(sessions.lastSeenAt, new Date(now - IDLE_MS))));
  await db.delete(oneTimeLinks).where(lt(oneTimeLinks.expiresAt, passed));
  // A minute longer than a payload is accepted: clocks differ.
  await db.delete(usedTelegramLogins).where(lt(usedTelegramLogins.expiresAt, new Date(now - 60_000)));
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, passed));
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, new Date(now - DEVICE_DAYS * 24 * HOUR)));
  await db.delete(securityNotices).where(lt(securityNotices.createdAt, new Date(now - NOTICES_KEPT_MS)));
  await db.delete(loginFailures).where(lt(loginFailures.at, new Date(now - ACCOUNT_WINDOW_MS)));
  await db.delete(lettersSent).where(lt(lettersSent.at, new Date(now - LETTERS_WINDOW_MS)));
}

/** Kept answers hold what people wrote. */
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

/** Of whom wrote to a widget nothing is kept longer than it counts. */
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
