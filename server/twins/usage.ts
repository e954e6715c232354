import type { Tenant, Tx } from "#server/db/database.ts";
import { activity } from "#server/db/schema.ts";

const DAY = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Moscow" });

/** The calendar day in Moscow, YYYY-MM-DD: «сегодня» on the dashboard is the users' day, not the server's. */
export function usageDay(date: Date): string {
  return DAY.format(date);
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
