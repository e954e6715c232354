import { and, desc, eq, lt, lte } from "drizzle-orm";
import { EVENTS_PAGE, type IntegrationEvent } from "#contract/integrations/integrations.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrationEvents } from "#server/platform/db/schema/channels.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { getIntegrationRow } from "./integration-rows.ts";

const KEPT = 200;

/** @throws Problem 404 */
export function listEvents(db: Database, caller: Caller, id: string, before?: number): Promise<IntegrationEvent[]> {
  return asTenant(db, caller, async (tx) => {
    await getIntegrationRow(tx, caller, id);
    const behind = before === undefined ? undefined : lt(integrationEvents.id, before);
    const rows = await tx
      .select()
      .from(integrationEvents)
      .where(and(eq(integrationEvents.integrationId, id), behind))
      .orderBy(desc(integrationEvents.id))
      .limit(EVENTS_PAGE);
    return rows.map(({ id, text, createdAt }) => ({ id, text, createdAt: createdAt.toISOString() }));
  });
}

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
