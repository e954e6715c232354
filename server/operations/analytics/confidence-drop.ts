/** Finds the latest day on which the twins were clearly less confident than before, and its causes. */
import { and, count, desc, eq, isNull, max, sql } from "drizzle-orm";
import { type ConfidenceDrop, DROP_ANSWERS, DROP_POINTS, TALKS_SHOWN } from "#contract/report.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { conversations, gapQuestions } from "#server/platform/db/schema/conversations.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import type { MeasuredAnswers } from "./counted-answers.ts";
import { percent } from "./rounding.ts";

/** Minimum number of earlier answers that show what is usual. */
const USUAL_FROM = 5;

interface MeasuredDay {
  day: string;
  measured: number;
  confidence: number;
}

interface Looked {
  /** In any order, including days before the period. */
  days: readonly MeasuredDay[];
  /** The first day on which a drop counts. */
  first: string;
  twinId?: string | undefined;
  counted: MeasuredAnswers;
}

type OfDay = Pick<Looked, "twinId" | "counted"> & { day: string };

export async function confidenceDrop(
  tx: Tx,
  caller: Tenant,
  { days, first, twinId, counted }: Looked,
): Promise<ConfidenceDrop | null> {
  const found = latestDrop(days, first);
  if (found === null) return null;
  const { day, share, usual, answers } = found;
  const twin = await lowestOf(tx, caller, { day, usual, twinId, counted });
  if (twin === undefined) return null;
  return {
    ...{ date: day, answers, accuracy: percent(share), usual: percent(usual), twin },
    unanswered: await unansweredOn(tx, caller, { day, twinId, counted }),
  };
}

function latestDrop(days: readonly MeasuredDay[], first: string) {
  const before = { answers: 0, confidence: 0 };
  let latest: { day: string; share: number; usual: number; answers: number } | null = null;
  for (const { day, measured, confidence } of days.toSorted((a, b) => a.day.localeCompare(b.day))) {
    if (measured === 0) continue;
    const [share, usual] = [confidence / measured, before.confidence / before.answers];
    const dropped = measured >= DROP_ANSWERS && (usual - share) * 100 >= DROP_POINTS;
    if (day >= first && before.answers >= USUAL_FROM && dropped) latest = { day, share, usual, answers: measured };
    before.answers += measured;
    before.confidence += confidence;
  }
  return latest;
}

/** Returns the twin whose answers on the day lowered the mean most. */
async function lowestOf(
  tx: Tx,
  { organizationId }: Tenant,
  { day, usual, twinId, counted }: OfDay & { usual: number },
) {
  const { measured, confidence: sum } = counted;
  const [row] = await tx
    .select({ id: twins.id, name: twins.name, answers: measured, confidence: sum })
    .from(dailyUsage)
    .innerJoin(twins, eq(twins.id, dailyUsage.twinId))
    .where(
      and(
        eq(dailyUsage.orgId, organizationId),
        eq(dailyUsage.day, day),
        twinId === undefined ? undefined : eq(dailyUsage.twinId, twinId),
        sql`${measured} > 0`,
      ),
    )
    .orderBy(desc(sql`${measured} * ${usual}::float8 - ${sum}`), twins.name)
    .limit(1);
  if (row === undefined) return undefined;
  const { confidence, ...twin } = row;
  return { ...twin, accuracy: percent(confidence / twin.answers) };
}

/**
 * Returns the day's questions that the caller's own twins could not answer: only the owner may see them
 * (docs/decisions/023-facts-and-unanswered-questions.md).
 */
async function unansweredOn(
  tx: Tx,
  { organizationId, userId }: Tenant,
  { day, twinId: only, counted }: OfDay,
): Promise<ConfidenceDrop["unanswered"]> {
  const start = sql`${day}::timestamp at time zone 'Europe/Moscow'`;
  const ofDay = and(
    eq(gapQuestions.orgId, organizationId),
    only === undefined ? undefined : eq(gapQuestions.twinId, only),
    sql`${gapQuestions.askedAt} >= ${start} and ${gapQuestions.askedAt} < ${start} + interval '1 day'`,
  );
  const own = and(eq(twins.id, gapQuestions.twinId), eq(twins.ownerId, userId));
  const visible = and(
    eq(conversations.id, gapQuestions.conversationId),
    counted.areTests ? eq(conversations.userId, userId) : isNull(conversations.userId),
  );
  const rows = await tx
    .select({ platform: conversations.platform, twinId: gapQuestions.twinId, questions: count() })
    .from(gapQuestions)
    .innerJoin(twins, own)
    .innerJoin(conversations, visible)
    .where(ofDay)
    .groupBy(conversations.platform, gapQuestions.twinId);
  if (rows.length === 0) return null;
  const talks = await tx
    .select({ id: conversations.id, name: conversations.participantName })
    .from(gapQuestions)
    .innerJoin(twins, own)
    .innerJoin(conversations, visible)
    .where(ofDay)
    .groupBy(conversations.id)
    .orderBy(desc(max(gapQuestions.id)))
    .limit(TALKS_SHOWN);
  const [platform, ofPlatform] = mostOf(rows, (row) => row.platform);
  const [twinId] = mostOf(rows, (row) => row.twinId);
  return { questions: rows.reduce((sum, row) => sum + row.questions, 0), platform, ofPlatform, twinId, talks };
}

/** Returns the group with the most questions, and their number. */
function mostOf<Row extends { questions: number }>(rows: readonly Row[], of: (row: Row) => string): [string, number] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(of(row), (sums.get(of(row)) ?? 0) + row.questions);
  return [...sums].toSorted(([a, one], [b, other]) => other - one || a.localeCompare(b))[0] as [string, number];
}
