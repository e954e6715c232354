import { avg, count, eq, sql, sum } from "drizzle-orm";
import type { DashboardStats } from "#contract/analytics.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { dailyUsage, twins } from "#server/db/schema.ts";
import { usageDay } from "#server/twins/usage.ts";

/** What the organisation's twins have done; `avgStyleAccuracy` is absent until a twin has been measured. */
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
        total: sum(dailyUsage.messages).mapWith(Number),
        today: sql<number>`coalesce(sum(${dailyUsage.messages}) filter (where ${dailyUsage.day} = ${usageDay(new Date())}), 0)`,
      })
      .from(dailyUsage)
      .where(eq(dailyUsage.orgId, caller.organizationId));
    return {
      activeTwins: twin?.active ?? 0,
      totalTwins: twin?.total ?? 0,
      dailyMessages: Number(usage?.today ?? 0),
      totalMessages: usage?.total ?? 0,
      ...(typeof twin?.accuracy === "number" ? { avgStyleAccuracy: twin.accuracy } : {}),
    };
  });
}
