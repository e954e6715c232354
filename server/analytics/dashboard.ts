import { and, avg, count, desc, eq, gte, inArray, type SQL, sql, sum } from "drizzle-orm";
import { type DashboardStats, WEEKS_SHOWN } from "#contract/analytics.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { dailyUsage, twins } from "#server/db/schema.ts";
import { lastUsageDays, usageDay } from "#server/twins/usage.ts";
import { countedAnswers } from "./counted-answers.ts";

/**
 * What the organisation's twins have done; `avgStyleAccuracy` is absent until a twin has been measured. The figures of days are those of /analytics,
 * all the work done is that of the plan's limits (docs/decisions/119).
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
    const counted = await countedAnswers(tx, caller);
    const [usage] = await tx
      .select({
        total: sum(dailyUsage.messages).mapWith(Number),
        today: sql<number>`coalesce(sum(${counted.messages}) filter (where ${dailyUsage.day} = ${usageDay(new Date())}), 0)`,
      })
      .from(dailyUsage)
      .where(eq(dailyUsage.orgId, caller.organizationId));
    return {
      activeTwins: twin?.active ?? 0,
      totalTwins: twin?.total ?? 0,
      dailyMessages: Number(usage?.today ?? 0),
      totalMessages: usage?.total ?? 0,
      weeks: await weeksOf(tx, caller, counted.messages),
      ...(typeof twin?.accuracy === "number" ? { avgStyleAccuracy: twin.accuracy } : {}),
    };
  });
}

const WEEK = 7;

/** The answers of each day by the twins that stand on the dashboard: the first ones of the list of twins. */
async function weeksOf(
  tx: Tx,
  { organizationId }: Tenant,
  counted: SQL<number>,
): Promise<NonNullable<DashboardStats["weeks"]>> {
  const days = lastUsageDays(WEEK);
  const newest = tx
    .select({ id: twins.id })
    .from(twins)
    .where(eq(twins.orgId, organizationId))
    .orderBy(desc(twins.createdAt), desc(twins.id))
    .limit(WEEKS_SHOWN);
  const rows = await tx
    .select({ twinId: dailyUsage.twinId, day: dailyUsage.day, messages: counted.mapWith(Number) })
    .from(dailyUsage)
    .where(and(inArray(dailyUsage.twinId, newest), gte(dailyUsage.day, days[0] as string)));
  const weeks = new Map<string, number[]>();
  for (const { twinId, day, messages } of rows) {
    const answers = weeks.get(twinId) ?? days.map(() => 0);
    const place = days.indexOf(day);
    if (place >= 0) answers[place] = messages;
    weeks.set(twinId, answers);
  }
  return [...weeks].map(([twinId, answers]) => ({ twinId, answers }));
}
