import { eq, sql } from "drizzle-orm";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Moscow" });

/** Cached, because formatting takes fifteen microseconds and every reply needs it. */
let latest = { minute: Number.NaN, day: "" };

/** Returns the calendar day in Moscow as YYYY-MM-DD: «сегодня» on the dashboard is the users' day, not the server's. */
export function usageDay(date: Date): string {
  const minute = Math.floor(date.getTime() / 60_000);
  if (minute !== latest.minute) latest = { minute, day: DAY.format(date) };
  return latest.day;
}

const DAY_MS = 24 * 3600 * 1000;

/** Returns the last `count` days up to today, in the form of `usageDay`. */
export function lastUsageDays(count: number): string[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, place) => usageDay(new Date(now - (count - 1 - place) * DAY_MS)));
}

/** Moscow has had one UTC offset since 2014. */
const MOSCOW_MS = 3 * 3600 * 1000;

export function nextUsageDay(date: Date): Date {
  return new Date((Math.floor((date.getTime() + MOSCOW_MS) / DAY_MS) + 1) * DAY_MS - MOSCOW_MS);
}

/** Returns the seconds until the next usage day, for Retry-After. */
export const secondsOfToday = (now = new Date()): number => (nextUsageDay(now).getTime() - now.getTime()) / 1000;

/** Types of entries under «Последняя активность» on the dashboard, which shows `response_generated` in green and the others in blue. */
type ActivityType =
  | "response_generated"
  | "twin_created"
  | "document_added"
  | "document_changed"
  | "website_added"
  | "dialogue_added"
  | "import_completed"
  | "integration_created"
  | "training_completed"
  | "webhook_disabled"
  | "model_budget";

export async function recordActivity(
  tx: Tx,
  tenant: Tenant,
  twin: { id: string; name: string },
  type: ActivityType,
  description: string,
  conversationId: string | null = null,
): Promise<void> {
  const place = { orgId: tenant.organizationId, twinId: twin.id, conversationId };
  await tx.insert(activity).values({ ...place, twinName: twin.name, type, description });
}

const SHOWN_CHARS = 80;

/**
 * Returns the dashboard entry for an answer. It quotes the question, so only some members may read it
 * (operations/analytics/recent-activity.ts).
 */
export function answerLine(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  const shown = line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS - 1).trimEnd()}…`;
  return `Ответ на «${shown}»`;
}

export const conversationLine = (name: string): string => `Добавлена переписка «${innerQuotes(name)}»`;

interface CountedAnswer {
  question: string;
  /** null when nothing of the conversation is stored. */
  conversationId: string | null;
  confidence: number;
  durationMs: number | null;
}

/** Records a sent answer in the dashboard entries and the daily counters. */
export async function countAnswer(
  tx: Tx,
  tenant: Tenant,
  twinId: string,
  { question, conversationId, confidence, durationMs }: CountedAnswer,
): Promise<void> {
  const [twin] = await tx.select({ id: twins.id, name: twins.name }).from(twins).where(eq(twins.id, twinId));
  if (twin === undefined) return;
  await recordActivity(tx, tenant, twin, "response_generated", answerLine(question), conversationId);
  const measured = durationMs === null ? 0 : 1;
  await tx
    .insert(dailyUsage)
    .values({
      orgId: tenant.organizationId,
      twinId,
      day: usageDay(new Date()),
      messages: 1,
      measured,
      confidenceSum: confidence * measured,
      durationSum: durationMs ?? 0,
    })
    .onConflictDoUpdate({
      target: [dailyUsage.twinId, dailyUsage.day],
      set: {
        messages: sql`${dailyUsage.messages} + 1`,
        measured: sql`${dailyUsage.measured} + excluded.measured`,
        confidenceSum: sql`${dailyUsage.confidenceSum} + excluded.confidence_sum`,
        durationSum: sql`${dailyUsage.durationSum} + excluded.duration_sum`,
      },
    });
}
