/** Daily limits of a widget: for all messages, and for messages from one IP address. */
import { createHash } from "node:crypto";
import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import { network } from "#server/accounts/credentials/login-limit.ts";
import { secondsOfToday, usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { widgetAddresses, widgets } from "#server/platform/db/schema/programs.ts";
import { tooMany } from "#server/platform/errors.ts";

type CountedWidget = Tenant & { row: Pick<typeof widgets.$inferSelect, "id" | "orgId" | "dailyMessages"> };

/**
 * Share of the widget's daily limit for one IP address. Many visitors of an office or mobile provider share one; a flood comes from one or
 * a few.
 */
const ADDRESS_SHARE = 0.15;
/** An address may always send this many messages a day, which is about one conversation. */
const MIN_PER_DAY = 10;
const HOUR_SHARE = 1 / 3;
const MIN_PER_HOUR = 10;
const HOUR_MS = 3_600_000;

/**
 * Counts one message against the limits of the address and of the widget, or against neither if one is exceeded.
 * @param address an IPv4 address, or an IPv6 address, of which the whole /64 network counts as one
 * @throws Problem 429 with Retry-After
 */
export async function countMessage(db: Database, widget: CountedWidget, address: string): Promise<void> {
  const now = new Date();
  await asTenant(db, widget, async (tx) => {
    // The address is checked first, so that a blocked one does not lock the widget's row for the others.
    await countAddress(tx, widget, address, now);
    await countInWidget(tx, widget, now);
  });
}

async function countAddress(tx: Tx, { row }: CountedWidget, address: string, now: Date): Promise<void> {
  const day = usageDay(now);
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const ofDay = Math.max(MIN_PER_DAY, Math.floor(row.dailyMessages * ADDRESS_SHARE));
  const ofHour = Math.max(MIN_PER_HOUR, Math.floor(ofDay * HOUR_SHARE));
  const addressHash = createHash("sha256")
    .update(`${row.id}|${day}|${network(address)}`)
    .digest("hex");
  const counted = await tx
    .insert(widgetAddresses)
    .values({ orgId: row.orgId, widgetId: row.id, addressHash, day, messages: 1, hour, hourMessages: 1 })
    .onConflictDoUpdate({
      target: [widgetAddresses.widgetId, widgetAddresses.addressHash],
      set: {
        messages: sql`${widgetAddresses.messages} + 1`,
        hour,
        hourMessages: sql`case when ${widgetAddresses.hour} = ${hour} then ${widgetAddresses.hourMessages} + 1 else 1 end`,
      },
      setWhere: and(
        lt(widgetAddresses.messages, ofDay),
        or(ne(widgetAddresses.hour, hour), lt(widgetAddresses.hourMessages, ofHour)),
      ),
    })
    .returning({ messages: widgetAddresses.messages });
  if (counted.length > 0) return;
  const [found] = await tx
    .select({ messages: widgetAddresses.messages })
    .from(widgetAddresses)
    .where(and(eq(widgetAddresses.widgetId, row.id), eq(widgetAddresses.addressHash, addressHash)));
  if ((found?.messages ?? 0) >= ofDay) {
    throw tooMany(
      "address_quota",
      "Сегодня с вашего адреса пришло очень много сообщений. Напишите, пожалуйста, завтра.",
      {
        retryAfter: secondsOfToday(now),
      },
    );
  }
  throw tooMany("address_quota", "С вашего адреса пришло очень много сообщений. Напишите, пожалуйста, через час.", {
    retryAfter: (HOUR_MS - (now.getTime() % HOUR_MS)) / 1000,
  });
}

async function countInWidget(tx: Tx, { row }: CountedWidget, now: Date): Promise<void> {
  const { id, dailyMessages } = row;
  const today = usageDay(now);
  const used = sql`case when ${widgets.usageDay} = ${today} then ${widgets.usageMessages} else 0 end`;
  const counted = await tx
    .update(widgets)
    .set({ usageDay: today, usageMessages: sql`${used} + 1` })
    .where(and(eq(widgets.id, id), sql`${used} < ${dailyMessages}`))
    .returning({ id: widgets.id });
  if (counted.length > 0) return;
  throw tooMany("insufficient_quota", "На сегодня чат принял все сообщения. Напишите, пожалуйста, завтра.", {
    retryAfter: secondsOfToday(now),
  });
}
