import { sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { activity, dailyUsage } from "#server/db/schema.ts";

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Moscow" });

/** The calendar day in Moscow, YYYY-MM-DD: «сегодня» on the dashboard is the users' day, not the server's. */
export function usageDay(date: Date): string {
  return DAY.format(date);
}

/** Counts one handled message of a twin. */
export async function countMessage(tx: Tx, tenant: Tenant, twinId: string): Promise<void> {
  await tx
    .insert(dailyUsage)
    .values({ orgId: tenant.organizationId, twinId, day: usageDay(new Date()), messages: 1 })
    .onConflictDoUpdate({
      target: [dailyUsage.twinId, dailyUsage.day],
      set: { messages: sql`${dailyUsage.messages} + 1` },
    });
}

/** What the dashboard shows under «Последняя активность». `response_generated` is drawn green, others blue. */
export type ActivityType =
  | "response_generated"
  | "twin_created"
  | "document_added"
  | "dialogue_added"
  | "import_completed"
  | "training_completed";

export async function recordActivity(
  tx: Tx,
  tenant: Tenant,
  twin: { id: string; name: string },
  type: ActivityType,
  description: string,
): Promise<void> {
  await tx
    .insert(activity)
    .values({ orgId: tenant.organizationId, twinId: twin.id, twinName: twin.name, type, description });
}
