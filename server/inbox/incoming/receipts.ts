/** Handles what platforms report about answers that were sent before. */
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Receipt } from "#server/inbox/channel-protocol/channel.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { lockTwinOf } from "#server/inbox/conversation-control/contact-conversation.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Handles a receipt. An answer that did not arrive becomes `failed`. A part with an unknown result that the platform has counts as
 * delivered: the answer continues after it, and is `sent` if it was the last.
 */
export async function recordReceipt(
  { db, jobs }: { db: Database; jobs: Jobs },
  integration: ReceivingIntegration,
  { key, part, externalId, failure }: Receipt,
): Promise<void> {
  if (!UUID.test(key)) return;
  const { id, organizationId, userId } = integration;
  const ours = and(eq(outbox.id, key), eq(outbox.integrationId, id));
  await asTenant(db, integration, async (tx) => {
    const [known] = await tx.select({ conversationId: outbox.conversationId }).from(outbox).where(ours);
    if (known === undefined) return;
    const { conversationId } = known;
    await lockTwinOf(tx, conversationId);
    if (failure !== null) {
      const failed = await tx
        .update(outbox)
        .set({ state: "failed", reason: failure })
        .where(and(ours, inArray(outbox.state, ["sent", "unknown"])))
        .returning({ id: outbox.id });
      if (failed.length > 0) await noteEvent(tx, organizationId, id, failure);
      return;
    }
    const found = await tx
      .update(outbox)
      .set({
        state: "pending",
        reason: null,
        nextAttemptAt: new Date(),
        externalIds: sql`${outbox.externalIds} || ${sql.param([externalId])}::text[]`,
      })
      .where(and(ours, eq(outbox.state, "unknown"), sql`cardinality(${outbox.externalIds}) = ${part - 1}`))
      .returning({ id: outbox.id });
    if (found.length > 0) await jobs.enqueue(tx, "send-outbox", { organizationId, userId, conversationId });
  });
}
