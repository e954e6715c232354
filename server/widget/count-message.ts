/** A widget's day: how many messages its owner lets in, and how many of them may come from one address. */
import { createHash } from "node:crypto";
import { and, eq, lt, ne, or, sql } from "drizzle-orm";
import { network } from "#server/auth/login-limit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { widgetAddresses, widgets } from "#server/db/schema.ts";
import { tooMany } from "#server/errors.ts";
import { secondsOfToday, usageDay } from "#server/twins/usage.ts";

type CountedWidget = Tenant & { row: Pick<typeof widgets.$inferSelect, "id" | "orgId" | "dailyMessages"> };

/** Of the day's messages, for one address: an office or a mobile provider has many visitors behind one, a flood has one or a few. */
const ADDRESS_SHARE = 0.15;
/** Where the day is small: so many messages are a conversation. */
const LEAST_OF_DAY = 10;
/** Of an address's day, in one hour. */
const HOUR_SHARE = 1 / 3;
const LEAST_OF_HOUR = 10;
const HOUR_MS = 3_600_000;

/**
 * Takes one message from the day of the address and from the widget's, both or neither.
 * @param address an IPv4 address, or an IPv6 one: its /64 counts as one
 * @throws Problem 429 with Retry-After
 */
export async function countMessage(db: Database, widget: CountedWidget, address: string): Promise<void> {
  const now = new Date();
  await asTenant(db, widget, async (tx) => {
    // The address first: who may write no more does not keep the others waiting.
    await countAddress(tx, widget, address, now);
    await countInWidget(tx, widget, now);
  });
}

async function countAddress(tx: Tx, { row }: CountedWidget, address: string, now: Date): Promise<void> {
  const day = usageDay(now);
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const ofDay = Math.max(LEAST_OF_DAY, Math.floor(row.dailyMessages * ADDRESS_SHARE));
  const ofHour = Math.max(LEAST_OF_HOUR, Math.floor(ofDay * HOUR_SHARE));
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
