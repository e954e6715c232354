/**
 * Snoozes conversations. The list compares the row's time with the clock, so no job has to run to end a snooze. The job only updates open
 * windows at that moment.
 */
import { and, count, desc, eq, lte, sql } from "drizzle-orm";
import { maySnoozeUntil, type SnoozeTimes } from "#contract/conversations/acts.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { canChangeConversation } from "./access.ts";
import { instantOf, timesIn } from "./snooze-times.ts";

const MOSCOW = "Europe/Moscow";

export const isSnoozed = sql`${conversations.snoozedUntil} > now()`;
export const isListed = sql`coalesce(${conversations.snoozedUntil} <= now(), true)`;
export const wasNeverSnoozed = sql`${conversations.snoozedUntil} is null`;
/** SQL condition: the snooze has ended, and the conversation was not opened since. */
export const hasReturned = sql`${conversations.snoozedUntil} <= now()`;

/** Returns the organisation's time zone: that of most of its working hours, else Moscow's. */
async function zoneOf(tx: Tx, { organizationId }: Tenant): Promise<string> {
  const zone = sql<string>`${integrations.workingHours}->>'timeZone'`;
  const [most] = await tx
    .select({ zone })
    .from(integrations)
    .where(and(eq(integrations.orgId, organizationId), sql`${zone} is not null`))
    .groupBy(zone)
    .orderBy(desc(count()), zone)
    .limit(1);
  return most?.zone ?? MOSCOW;
}

export async function snoozeTimes(db: Database, caller: Tenant): Promise<SnoozeTimes> {
  const timeZone = await asTenant(db, caller, (tx) => zoneOf(tx, caller));
  return { timeZone, times: timesIn(timeZone, new Date()) };
}

/**
 * @param until an instant, or a time of the organisation's clock
 * @throws Problem 404, 403; 422 for a time that is past, too far away or not on any clock
 */
export function snooze(
  { db, jobs }: { db: Database; jobs: Jobs },
  caller: Caller,
  id: string,
  until: string,
): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    const at = /Z$|[+-]\d\d:\d\d$/.test(until) ? new Date(until) : instantOf(until, await zoneOf(tx, caller));
    if (at === null || !maySnoozeUntil(at.getTime())) {
      throw unprocessable("invalid_input", "Время должно быть в будущем, не дальше года");
    }
    await tx.update(conversations).set({ snoozedUntil: at }).where(eq(conversations.id, id));
    const { organizationId, userId } = caller;
    await jobs.enqueue(tx, "wake-conversation", { organizationId, userId, conversationId: id, at: at.getTime() }, at);
  });
}

/** @throws Problem 404, 403 */
export function endSnooze(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    await tx.update(conversations).set({ snoozedUntil: null }).where(eq(conversations.id, id));
  });
}

/** Runs the job: it writes the row unchanged, and the database's trigger then notifies all windows that watch the inbox. */
export async function wakeConversation(
  { db }: { db: Database },
  { conversationId, ...tenant }: JobData["wake-conversation"],
): Promise<void> {
  await asTenant(db, tenant, (tx) =>
    tx
      .update(conversations)
      .set({ snoozedUntil: sql`${conversations.snoozedUntil}` })
      .where(and(eq(conversations.id, conversationId), lte(conversations.snoozedUntil, new Date()))),
  );
}
