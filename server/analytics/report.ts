import { and, avg, count, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { Analytics, AnalyticsQuery } from "#contract/analytics.ts";
import { asTenant, type Database, type Tenant } from "#server/db/database.ts";
import { dailyUsage, replyFeedback, twins } from "#server/db/schema.ts";
import { usageDay } from "#server/twins/usage.ts";

const TOP_TWINS = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

const interactions = sql<number>`sum(${dailyUsage.messages})::float8`;
const meanConfidence = sql<number | null>`sum(${dailyUsage.confidenceSum}) / nullif(sum(${dailyUsage.measured}), 0)`;

/** Reads the sums by twin and day, never the messages, so its cost does not grow with their number. */
export function reportOf(db: Database, caller: Tenant, query: AnalyticsQuery): Promise<Analytics> {
  const days = daysUntilToday(Number(query.days ?? 7));
  const first = days[0] as string;
  return asTenant(db, caller, async (tx) => {
    const inPeriod = and(eq(dailyUsage.orgId, caller.organizationId), gte(dailyUsage.day, first));
    const byDay = await tx
      .select({
        day: dailyUsage.day,
        interactions,
        measured: sql<number>`sum(${dailyUsage.measured})::float8`,
        confidence: sql<number>`sum(${dailyUsage.confidenceSum})`,
        duration: sql<number>`sum(${dailyUsage.durationSum})::float8`,
      })
      .from(dailyUsage)
      .where(inPeriod)
      .groupBy(dailyUsage.day);
    const top = await tx
      .select({ id: twins.id, name: twins.name, interactions, accuracy: meanConfidence })
      .from(dailyUsage)
      .innerJoin(twins, eq(twins.id, dailyUsage.twinId))
      .where(inPeriod)
      .groupBy(twins.id)
      .orderBy(desc(interactions), sql`${meanConfidence} desc nulls last`, twins.name)
      .limit(TOP_TWINS);
    const [opinion] = await tx
      .select({ mean: avg(replyFeedback.rating).mapWith(Number), ratings: count() })
      .from(replyFeedback)
      .where(
        and(
          eq(replyFeedback.orgId, caller.organizationId),
          isNotNull(replyFeedback.rating),
          gte(replyFeedback.createdAt, sql`${first}::timestamp at time zone 'Europe/Moscow'`),
        ),
      );
    const total = { interactions: 0, measured: 0, confidence: 0, duration: 0 };
    for (const row of byDay) for (const sum of SUMS) total[sum] += row[sum];
    const dayOf = new Map(byDay.map((row) => [row.day, row]));
    return {
      days: days.length,
      totalInteractions: total.interactions,
      responseAccuracy: percent(mean(total.confidence, total.measured)),
      userSatisfaction: rounded(opinion?.mean ?? null, 2),
      ratings: opinion?.ratings ?? 0,
      avgResponseTime: rounded(mean(total.duration / 1000, total.measured), 3),
      dailyStats: days.map((date) => {
        const { interactions, confidence, measured } = dayOf.get(date) ?? {
          interactions: 0,
          confidence: 0,
          measured: 0,
        };
        return { date, interactions, accuracy: percent(mean(confidence, measured)) };
      }),
      topPerformingTwins: top.map((twin) => ({ ...twin, accuracy: percent(twin.accuracy) })),
    };
  });
}

const SUMS = ["interactions", "measured", "confidence", "duration"] as const;

/** Oldest first. */
function daysUntilToday(count: number): string[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, place) => usageDay(new Date(now - (count - 1 - place) * DAY_MS)));
}

const mean = (sum: number, of: number): number | null => (of === 0 ? null : sum / of);
const percent = (share: number | null): number | null => rounded(share === null ? null : share * 100, 1);

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits;
}
