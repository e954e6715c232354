/** Deletes expired data at the start and every hour, and enqueues stuck jobs again. */

import { and, isNull, lt, ne, or, type SQL } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { DEVICE_DAYS } from "./accounts/auth/known-devices.ts";
import { IDLE_MS } from "./accounts/auth/sessions.ts";
import { ACCOUNT_WINDOW_MS } from "./accounts/credentials/login-limit.ts";
import { LETTERS_WINDOW_MS } from "./accounts/mail/letter-limit.ts";
import { NOTICES_KEPT_MS } from "./accounts/mail/notices.ts";
import { usageDay } from "./accounts/twins/usage.ts";
import { cancelAbandonedImports } from "./imports/runs/sweep-imports.ts";
import { dropAbandonedUploads } from "./imports/uploads/resumable-uploads.ts";
import { INBOX_KEPT_MS } from "./inbox/incoming/inbox.ts";
import { SET_ASIDE_KEPT_MS } from "./inbox/incoming/set-aside-events.ts";
import { noticeIsOld } from "./inbox/owner-chat/notify-owner.ts";
import { KEPT_MS as TOLD_MS } from "./inbox/webhooks/deliver.ts";
import { sweepModelFiles } from "./models/local/sweep-models.ts";
import { expireOriginals } from "./models/media/expire-originals.ts";
import { removeMediaRemains, sweepOriginals } from "./models/media/remains.ts";
import { removeVoiceAdapters } from "./operations/records/remove-voice-adapters.ts";
import { sweepExports } from "./operations/records/sweep-exports.ts";
import { runInBackground } from "./platform/db/caller-priority.ts";
import type { Database } from "./platform/db/database.ts";
import { listenTo } from "./platform/db/notifications.ts";
import {
  knownDevices,
  lettersSent,
  loginFailures,
  oneTimeLinks,
  securityNotices,
  sessions,
  signInChallenges,
  usedTelegramLogins,
} from "./platform/db/schema/accounts.ts";
import { setAsideEvents, telegramLogins } from "./platform/db/schema/channels.ts";
import { gapQuestions, inboxEvents } from "./platform/db/schema/conversations.ts";
import { ownerNotices } from "./platform/db/schema/owner-notices.ts";
import { idempotencyKeys } from "./platform/db/schema/platform.ts";
import { apiKeyUsage, crmSignIns, webhookDeliveries, widgetAddresses } from "./platform/db/schema/programs.ts";
import { toolTables } from "./platform/db/schema/tools.ts";
import { deleteOld, deleteOldOfTenants } from "./platform/db-upkeep/delete-old.ts";
import { maintainMonthPartitions } from "./platform/db-upkeep/month-partitions.ts";
import { isDiskSpaceLow } from "./platform/files/disk.ts";
import { KEPT_MS } from "./platform/http/idempotency.ts";
import { runUnlessLocked } from "./platform/jobs/one-at-a-time.ts";
import type { Services } from "./services.ts";
import { resumeJobs } from "./workers.ts";

const HOUR = 3600_000;
const DAY = 24 * HOUR;
/** Contacts are not notified of an answer to a question older than 90 days. Taught answers are not deleted. */
const GAPS_KEPT_MS = 90 * DAY;
const WATCH_MS = 5 * 60_000;
/**
 * The dashboard shows only the latest entries, and totals are counted by day in another table. A whole month is deleted at once, so an
 * entry may stay up to a month longer.
 */
const ACTIVITY_MS = 90 * DAY;
/** Daily usage of API keys: the key's screen shows a week of it, the export shows all. */
const KEY_USAGE_MS = 366 * DAY;

/** Cleans up periodically until the returned function is called, which waits for a round in progress. */
export function startCleanup(services: Services): () => Promise<void> {
  let round = Promise.resolve();
  const ending = new AbortController();
  const begin = (work: () => Promise<void>) => {
    round = runInBackground(work).catch((error: unknown) => services.log.error({ err: error }, "cleanup failed"));
  };
  begin(() => cleanUp(services, Date.now(), ending.signal));
  const timer = setInterval(
    () =>
      begin(async () => {
        await cleanUp(services, Date.now(), ending.signal);
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
        await removeMediaRemains(services);
        if (isDiskSpaceLow(await services.disk.look())) await clearUploads(services);
      }),
    WATCH_MS,
  );
  watch.unref();
  // Other code that deletes originals sends this notification in its transaction, so it arrives on commit.
  const clear = () => begin(() => clearRemains(services));
  const remains = listenTo(services.database, "media_gone", { heard: clear, opened: clear }, services.log);
  return async () => {
    clearInterval(timer);
    clearInterval(watch);
    ending.abort();
    await (await remains).stop();
    await round;
  };
}

const clearRemains = async (services: Services): Promise<void> => {
  await removeMediaRemains(services);
};

/**
 * Runs in every process, whatever its role, because each machine has its own copies of stored files. Sweeps until the returned function is
 * called.
 */
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

/**
 * @param now ms since 1970; tests pass times in the future
 * @param signal ends a long deletion between two of its transactions
 */
export async function cleanUp(services: Services, now = Date.now(), signal?: AbortSignal): Promise<void> {
  await runUnlessLocked(services.database, "cleanup", () => sweepRows(services.db, now, signal));
  await sweepExports(services, now);
  await sweepModelFiles(services, now);
  await removeVoiceAdapters(services, now);
  await expireOriginals(services, now);
  await sweepOriginals(services, now);
  await clearUploads(services, now);
}

async function sweepRows(db: Database, now: number, signal?: AbortSignal): Promise<void> {
  await maintainMonthPartitions(db, "activity", { now, before: now - ACTIVITY_MS, ...(signal && { signal }) });
  await sweepSignIn(db, now, signal);
  await sweepTenants(db, now, signal);
}

/** Milliseconds after which unfinished uploads and imports that were never started are deleted while disk space is short. */
const SHORT_MS = { uploads: 2 * HOUR, previews: 24 * HOUR };

/** Deletes abandoned files, and does so sooner while disk space is short: otherwise the server would refuse all uploads. */
export async function clearUploads(services: Services, now = Date.now()): Promise<void> {
  const { log, disk } = services;
  const state = await disk.look();
  const kept: Partial<typeof SHORT_MS> = isDiskSpaceLow(state) ? SHORT_MS : {};
  if (isDiskSpaceLow(state)) log.warn(state, "the disk is short of space");
  const cancelled = await cancelAbandonedImports(services, now, kept.previews);
  await dropAbandonedUploads(services, now, kept.uploads);
  if (cancelled > 0) log.info({ imports: cancelled }, "forgotten imports cancelled");
}

async function sweepSignIn(db: Database, now: number, signal?: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now - ms);
  const expired: [PgTable, SQL | undefined][] = [
    [sessions, or(lt(sessions.expiresAt, before(0)), lt(sessions.lastSeenAt, before(IDLE_MS)))],
    [oneTimeLinks, lt(oneTimeLinks.expiresAt, before(0))],
    // A login is kept a minute longer than its payload is accepted, because the clocks of two machines differ.
    [usedTelegramLogins, lt(usedTelegramLogins.expiresAt, before(60_000))],
    [signInChallenges, lt(signInChallenges.expiresAt, before(0))],
    [knownDevices, lt(knownDevices.seenAt, before(DEVICE_DAYS * DAY))],
    [securityNotices, lt(securityNotices.createdAt, before(NOTICES_KEPT_MS))],
    [loginFailures, lt(loginFailures.at, before(ACCOUNT_WINDOW_MS))],
    [lettersSent, lt(lettersSent.at, before(LETTERS_WINDOW_MS))],
  ];
  for (const [table, old] of expired) await deleteOld(db, table, old!, signal);
}

/**
 * Deletes rows of organisations by age. Tables that are not listed are kept permanently or stay small (docs/decisions/011-data-retention.md
 * names the reason for each).
 */
async function sweepTenants(db: Database, now: number, signal?: AbortSignal): Promise<void> {
  const before = (ms: number) => new Date(now - ms);
  const expired: [PgTable, SQL | undefined][] = [
    // Stored responses contain personal data, so they are deleted as soon as they are useless.
    [idempotencyKeys, lt(idempotencyKeys.createdAt, before(KEPT_MS))],
    // Rows of past days are deleted, because addresses are needed only for daily limits.
    [widgetAddresses, lt(widgetAddresses.day, usageDay(before(0)))],
    [telegramLogins, lt(telegramLogins.createdAt, before(DAY))],
    [crmSignIns, lt(crmSignIns.expiresAt, before(0))],
    // A table that was read for the choice of columns, and then used by no tool.
    [toolTables, and(isNull(toolTables.toolId), lt(toolTables.createdAt, before(DAY)))],
    [webhookDeliveries, lt(webhookDeliveries.createdAt, before(TOLD_MS))],
    [setAsideEvents, lt(setAsideEvents.createdAt, before(SET_ASIDE_KEPT_MS))],
    // A pending event is answered however late, so it is kept. The texts of all other events are also in conversations.
    [inboxEvents, and(lt(inboxEvents.receivedAt, before(INBOX_KEPT_MS)), ne(inboxEvents.status, "pending"))],
    [gapQuestions, lt(gapQuestions.askedAt, before(GAPS_KEPT_MS))],
    [ownerNotices, noticeIsOld(now)],
    [apiKeyUsage, lt(apiKeyUsage.day, usageDay(before(KEY_USAGE_MS)))],
  ];
  for (const [table, old] of expired) await deleteOldOfTenants(db, table, old!, signal);
}
