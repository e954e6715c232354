/** What an integration went through, in sentences for its owner; the latest hundred. */
import { and, desc, eq, lte } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { integrationEvents } from "#server/db/schema.ts";

const KEPT = 100;

export async function noteEvent(tx: Tx, organizationId: string, integrationId: string, text: string): Promise<void> {
  await tx.insert(integrationEvents).values({ orgId: organizationId, integrationId, text });
  const [beyond] = await tx
    .select({ id: integrationEvents.id })
    .from(integrationEvents)
    .where(eq(integrationEvents.integrationId, integrationId))
    .orderBy(desc(integrationEvents.id))
    .offset(KEPT)
    .limit(1);
  if (beyond === undefined) return;
  await tx
    .delete(integrationEvents)
    .where(and(eq(integrationEvents.integrationId, integrationId), lte(integrationEvents.id, beyond.id)));
}
