import { and, avg, count, desc, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { Analytics, AnalyticsQuery, PeriodFigures } from "#contract/report.ts";
import { lastUsageDays } from "#server/accounts/twins/usage.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import { confidenceDrop } from "./confidence-drop.ts";
import { answers, answersInTests, measuredAnswers } from "./counted-answers.ts";
import { loadHandling } from "./handling.ts";
import { percent, roundTo } from "./rounding.ts";

const TOP_TWINS = 5;

/** Reads sums by twin and day and a bounded number of messages, so its cost does not grow with them. */
export function loadReport(db: Database, caller: Tenant, query: AnalyticsQuery): Promise<Analytics> {
  const count = Number(query.days ?? 7);
  const all = lastUsageDays(2 * count);
  const days = all.slice(count);
  const first = days[0] as string;
  return asTenant(db, caller, async (tx) => {
    const { twinId } = query;
    const own = and(
      eq(dailyUsage.orgId, caller.organizationId),
      twinId === undefined ? undefined : eq(dailyUsage.twinId, twinId),
    );
    const counted = await measuredAnswers(tx, caller);
    const interactions = sql<number>`sum(${answers})::float8`;
    const meanConfidence = sql<number | null>`sum(${counted.confidence}) / nullif(sum(${counted.measured}), 0)`;
    const byDay = await tx
      .select({
        day: dailyUsage.day,
        interactions,
        tests: sql<number>`sum(${answersInTests})::float8`,
        measured: sql<number>`sum(${counted.measured})::float8`,
        confidence: sql<number>`sum(${counted.confidence})`,
        duration: sql<number>`sum(${counted.duration})::float8`,
      })
      .from(dailyUsage)
      .where(and(own, gte(dailyUsage.day, all[0] as string)))
      .groupBy(dailyUsage.day);
    const top = await tx
      .select({ id: twins.id, name: twins.name, interactions, accuracy: meanConfidence })
      .from(dailyUsage)
      .innerJoin(twins, eq(twins.id, dailyUsage.twinId))
      .where(and(own, gte(dailyUsage.day, first)))
      .groupBy(twins.id)
      .having(sql`sum(${answers}) > 0`)
      .orderBy(desc(interactions), sql`${meanConfidence} desc nulls last`, twins.name)
      .limit(TOP_TWINS);
    const opinions = await opinionsOf(tx, caller, { since: all[0] as string, first, twinId });
    const dayOf = new Map(byDay.map((row) => [row.day, row]));
    const isInPeriod = ({ day }: { day: string }) => day >= first;
    return {
      days: days.length,
      ofTests: counted.areTests,
      tests: byDay.filter(isInPeriod).reduce((sum, { tests }) => sum + tests, 0),
      ...figuresOf(byDay.filter(isInPeriod), opinions.inPeriod),
      previous: figuresOf(
        byDay.filter((row) => !isInPeriod(row)),
        opinions.before,
      ),
      drop: await confidenceDrop(tx, caller, { days: byDay, first, twinId, counted }),
      handling: await loadHandling(tx, caller, { first, twinId }),
      dailyStats: days.map((date) => {
        const { interactions, confidence, measured } = dayOf.get(date) ?? NO_DAY;
        return { date, interactions, accuracy: percentOrNull(mean(confidence, measured)) };
      }),
      topPerformingTwins: top.map((twin) => ({ ...twin, accuracy: percentOrNull(twin.accuracy) })),
    };
  });
}

interface Opinion {
  mean: number | null;
  ratings: number;
}

/** Returns ratings since the day `since`, separated into those from `first` on and those before. Days are in Moscow time. */
async function opinionsOf(
  tx: Tx,
  caller: Tenant,
  { since, first, twinId }: { since: string; first: string; twinId: string | undefined },
): Promise<{ inPeriod: Opinion; before: Opinion }> {
  const startOf = (day: string) => sql`${day}::timestamp at time zone 'Europe/Moscow'`;
  const recent = sql<boolean>`${replyFeedback.createdAt} >= ${startOf(first)}`;
  const rows = await tx
    .select({ recent, mean: avg(replyFeedback.rating).mapWith(Number), ratings: count() })
    .from(replyFeedback)
    .where(
      and(
        eq(replyFeedback.orgId, caller.organizationId),
        twinId === undefined ? undefined : eq(replyFeedback.twinId, twinId),
        isNotNull(replyFeedback.rating),
        gte(replyFeedback.createdAt, startOf(since)),
      ),
    )
    // Grouped by position, because repeating the expression with its parameters would count as another expression.
    .groupBy(sql`1`);
  const of = (wanted: boolean): Opinion => rows.find((row) => row.recent === wanted) ?? { mean: null, ratings: 0 };
  return { inPeriod: of(true), before: of(false) };
}

type DaySums = Record<(typeof SUMS)[number], number>;

function figuresOf(days: readonly DaySums[], opinion: Opinion): PeriodFigures {
  const total = { ...NO_DAY };
  for (const row of days) for (const sum of SUMS) total[sum] += row[sum];
  return {
    totalInteractions: total.interactions,
    responseAccuracy: percentOrNull(mean(total.confidence, total.measured)),
    userSatisfaction: roundedOrNull(opinion.mean, 2),
    ratings: opinion.ratings,
    avgResponseTime: roundedOrNull(mean(total.duration / 1000, total.measured), 3),
  };
}

const SUMS = ["interactions", "measured", "confidence", "duration"] as const;
const NO_DAY: DaySums = { interactions: 0, measured: 0, confidence: 0, duration: 0 };

const mean = (sum: number, of: number): number | null => (of === 0 ? null : sum / of);
const percentOrNull = (share: number | null): number | null => (share === null ? null : percent(share));
const roundedOrNull = (value: number | null, digits: number): number | null =>
  value === null ? null : roundTo(value, digits);
