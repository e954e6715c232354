import { and, eq, type SQL } from "drizzle-orm";
import { inboxEvents } from "#server/db/schema.ts";

/** What has come in a conversation and is not settled yet. */
export function waitingIn({ integrationId, conversationKey }: { integrationId: string; conversationKey: string }): SQL {
  return and(
    eq(inboxEvents.integrationId, integrationId),
    eq(inboxEvents.conversationKey, conversationKey),
    eq(inboxEvents.status, "pending"),
  )!;
}
