import { and, eq, lt } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";

/** Finds conversations with waiting messages whose job may have been lost; the periodic sweep enqueues them again. */
export async function waitingConversations(tx: Tx, olderThanMs: number): Promise<JobData["process-inbox"][]> {
  return tx
    .selectDistinct({
      organizationId: inboxEvents.orgId,
      userId: twins.ownerId,
      integrationId: inboxEvents.integrationId,
      conversationKey: inboxEvents.conversationKey,
    })
    .from(inboxEvents)
    .innerJoin(integrations, eq(integrations.id, inboxEvents.integrationId))
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(and(eq(inboxEvents.status, "pending"), lt(inboxEvents.receivedAt, new Date(Date.now() - olderThanMs))))
    .limit(200);
}
