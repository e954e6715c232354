/**
 * Background work gives way to answers of other processes too (docs/decisions/009-process-roles-and-job-scheduling.md): whoever is asked for an expensive answer tells the
 * others by NOTIFY, once a second at most, so no request waits for the database and nothing is stored.
 */

import type { OpenDatabase } from "#server/db/database.ts";
import { listenTo } from "#server/db/notifications.ts";
import type { Log } from "#server/log.ts";
import { type GivingWay, givingWay } from "#server/process/giving-way.ts";

const CHANNEL = "people_about";
/** Shorter than people are about after one request, so that they are about without a gap while requests come. */
const TELL_MS = 1000;

/** Tells and hears until the returned function is called. The embedded database serves one process, which knows its own. */
export async function shareWhoIsAbout(
  database: OpenDatabase,
  log: Log,
  way: GivingWay = givingWay,
): Promise<() => Promise<void>> {
  if (database.kind === "embedded") return async () => {};
  let toldAt = Number.NEGATIVE_INFINITY;
  let telling: Promise<unknown> = Promise.resolve();
  way.onPeople(() => {
    const now = performance.now();
    if (now - toldAt < TELL_MS) return;
    toldAt = now;
    telling = database.db.$client
      .query("select pg_notify($1, '')", [CHANNEL])
      .catch((error: unknown) => log.debug({ err: error }, "the other processes were not told that people are about"));
  });
  // Its own come back to it as well, and say what it knows.
  const heard = () => way.peopleElsewhere();
  const listening = await listenTo(database, CHANNEL, { heard, opened: () => {} }, log);
  return async () => {
    way.onPeople(() => {});
    await telling;
    await listening.stop();
  };
}
