/** Records an event for each subscribed webhook, in the transaction in which it happens. */
import { and, arrayContains, eq } from "drizzle-orm";
import type { WebhookEvent } from "#contract/integrations/webhooks.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { webhookDeliveries, webhooks } from "#server/platform/db/schema/programs.ts";
import { isPrivate, type Secrecy } from "#server/platform/db/schema/secrecy.ts";

interface TwinEvent {
  type: WebhookEvent;
  orgId: string;
  twinId: string;
  /** The conversation that the event is about; deleting it deletes the event. */
  conversationId: string;
  /** Ids and kinds, which are always delivered. */
  data: Record<string, unknown>;
  /** Texts and their authors; delivered only if the owner has enabled it. */
  texts?: Record<string, unknown>;
  /** Whose secret `texts` are: those from the owner's private messages go to no other program. */
  secrecy: Secrecy;
}

export async function emit(
  tx: Tx,
  { type, orgId, twinId, conversationId, data, texts, secrecy }: TwinEvent,
): Promise<void> {
  const wanted = await tx
    .select({ id: webhooks.id, includeTexts: webhooks.includeTexts })
    .from(webhooks)
    .where(and(eq(webhooks.twinId, twinId), eq(webhooks.enabled, true), arrayContains(webhooks.events, [type])));
  if (wanted.length === 0) return;
  const timestamp = new Date().toISOString();
  const said = isPrivate(secrecy) ? { private: true } : texts;
  await tx.insert(webhookDeliveries).values(
    wanted.map(({ id, includeTexts }) => ({
      orgId,
      webhookId: id,
      conversationId,
      event: type,
      payload: JSON.stringify({ type, timestamp, data: { twinId, ...data, ...(includeTexts ? said : {}) } }),
    })),
  );
}
