import { and, avg, count, desc, eq, gte, inArray, sql, sum } from "drizzle-orm";
import { type DashboardStats, WEEKS_SHOWN } from "#contract/analytics.ts";
import { lastUsageDays, usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import { answers } from "./counted-answers.ts";

/**
 * Returns what the organisation's twins have done; `avgStyleAccuracy` is absent until a twin has been measured. Answers are counted as
 * everywhere (docs/decisions/037-analytics-counts.md).
 */
export function dashboardStats(db: Database, caller: Tenant): Promise<DashboardStats> {
  return asTenant(db, caller, async (tx) => {
    const ready = sql`${twins.isActive} and ${twins.status} = 'ready'`;
    const [twin] = await tx
      .select({
        total: count(),
        active: sql<number>`count(*) filter (where ${ready})`,
        accuracy: avg(twins.styleAccuracy).mapWith(Number),
      })
      .from(twins)
      .where(eq(twins.orgId, caller.organizationId));
    const [usage] = await tx
      .select({
        total: sum(answers).mapWith(Number),
        today: sql<number>`coalesce(sum(${answers}) filter (where ${dailyUsage.day} = ${usageDay(new Date())}), 0)`,
      })
      .from(dailyUsage)
      .where(eq(dailyUsage.orgId, caller.organizationId));
    return {
      activeTwins: twin?.active ?? 0,
      totalTwins: twin?.total ?? 0,
      dailyMessages: Number(usage?.today ?? 0),
      totalMessages: usage?.total ?? 0,
      weeks: await weeksOf(tx, caller),
      ...(typeof twin?.accuracy === "number" ? { avgStyleAccuracy: twin.accuracy } : {}),
    };
  });
}

const WEEK = 7;

/** Returns the daily answers of the twins on the dashboard: the first ones of the list of twins. */
async function weeksOf(tx: Tx, { organizationId }: Tenant): Promise<NonNullable<DashboardStats["weeks"]>> {
  const days = lastUsageDays(WEEK);
  const newest = tx
    .select({ id: twins.id })
    .from(twins)
    .where(eq(twins.orgId, organizationId))
    .orderBy(desc(twins.createdAt), desc(twins.id))
    .limit(WEEKS_SHOWN);
  const rows = await tx
    .select({ twinId: dailyUsage.twinId, day: dailyUsage.day, messages: answers.mapWith(Number) })
    .from(dailyUsage)
    .where(and(inArray(dailyUsage.twinId, newest), gte(dailyUsage.day, days[0] as string)));
  const weeks = new Map<string, number[]>();
  for (const { twinId, day, messages } of rows) {
    const week = weeks.get(twinId) ?? days.map(() => 0);
    const place = days.indexOf(day);
    if (place >= 0) week[place] = messages;
    weeks.set(twinId, week);
  }
  return [...weeks].map(([twinId, answers]) => ({ twinId, answers }));
}
