/**
 * Shares foreground activity between processes, so that background work yields to requests of other processes too
 * (docs/decisions/009-process-roles-and-job-scheduling.md). A process that answers an expensive request notifies the others by NOTIFY, at
 * most once a second; no request waits for it.
 */

import type { OpenDatabase } from "#server/platform/db/database.ts";
import { listenTo } from "#server/platform/db/notifications.ts";
import type { Log } from "#server/platform/log.ts";
import { type BackgroundThrottle, backgroundThrottle } from "#server/platform/process/background-throttle.ts";

const CHANNEL = "people_about";
/** Shorter than `FOREGROUND_MS` of the throttle, so that the foreground stays active without a gap while requests arrive. */
const NOTIFY_INTERVAL_MS = 1000;

/**
 * Sends and receives notifications until the returned function is called. The embedded database serves a single process, so it needs none.
 */
export async function shareForegroundActivity(
  database: OpenDatabase,
  log: Log,
  throttle: BackgroundThrottle = backgroundThrottle,
): Promise<() => Promise<void>> {
  if (database.kind === "embedded") return async () => {};
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let notifying: Promise<unknown> = Promise.resolve();
  throttle.onForegroundActivity(() => {
    const now = performance.now();
    if (now - notifiedAt < NOTIFY_INTERVAL_MS) return;
    notifiedAt = now;
    notifying = database.db.$client
      .query("select pg_notify($1, '')", [CHANNEL])
      .catch((error: unknown) => log.debug({ err: error }, "the other processes were not told that people are about"));
  });
  // A process also receives its own notifications, which is harmless.
  const heard = () => throttle.noteForegroundElsewhere();
  const listening = await listenTo(database, CHANNEL, { heard, opened: () => {} }, log);
  return async () => {
    throttle.onForegroundActivity(() => {});
    await notifying;
    await listening.stop();
  };
}
