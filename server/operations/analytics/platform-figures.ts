/** Totals of the whole platform, for its administrators. */
import { count, gte, sql, sum } from "drizzle-orm";
import { PLATFORM_DAYS, type PlatformDay, type PlatformStats } from "#contract/organizations/platform.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asPlatform, type Database } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";

export async function platformStats(db: Database): Promise<PlatformStats> {
  const [all] = await db.select({ value: count() }).from(organizations);
  const [people] = await db.select({ value: count() }).from(users);
  return asPlatform(db, async (tx) => {
    const [twin] = await tx.select({ value: count() }).from(twins);
    const [messages] = await tx.select({ value: sum(dailyUsage.messages).mapWith(Number) }).from(dailyUsage);
    return {
      totalOrganizations: all!.value,
      totalUsers: people!.value,
      totalDigitalTwins: twin!.value,
      totalMessages: messages!.value ?? 0,
    };
  });
}

const DAY_MS = 24 * 60 * 60_000;

/** Returns the last days, oldest first; days without events have zeros. */
export async function platformDays(db: Database): Promise<PlatformDay[]> {
  const now = Date.now();
  const days = Array.from({ length: PLATFORM_DAYS }, (_, back) =>
    usageDay(new Date(now - (PLATFORM_DAYS - 1 - back) * DAY_MS)),
  );
  const first = days[0]!;
  const messages = await asPlatform(db, (tx) =>
    tx
      .select({ day: dailyUsage.day, messages: sum(dailyUsage.messages).mapWith(Number) })
      .from(dailyUsage)
      .where(gte(dailyUsage.day, first))
      .groupBy(dailyUsage.day),
  );
  // Moscow has kept the same offset all year round since 2014.
  const day = sql<string>`to_char(${users.createdAt} at time zone 'UTC' + interval '3 hours', 'YYYY-MM-DD')`;
  const joined = await db
    .select({ day, value: count() })
    .from(users)
    .where(gte(users.createdAt, new Date(`${first}T00:00:00+03:00`)))
    .groupBy(sql`1`);
  return days.map((day) => ({
    day,
    messages: messages.find((row) => row.day === day)?.messages ?? 0,
    newUsers: joined.find((row) => row.day === day)?.value ?? 0,
  }));
}
