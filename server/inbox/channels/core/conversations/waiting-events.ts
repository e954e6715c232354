import { and, eq, type SQL } from "drizzle-orm";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";

/** SQL for the events of a conversation that are not settled yet. */
export function waitingEventsSql({
  integrationId,
  conversationKey,
}: {
  integrationId: string;
  conversationKey: string;
}): SQL {
  return and(
    eq(inboxEvents.integrationId, integrationId),
    eq(inboxEvents.conversationKey, conversationKey),
    eq(inboxEvents.status, "pending"),
  )!;
}
