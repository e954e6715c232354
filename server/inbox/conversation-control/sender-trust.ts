/**
 * Computes how far a message comes from its named sender, on platforms where anyone may name any sender, such as email. The answer goes to
 * that address, so a forged sender would make the twin write to a stranger (docs/decisions/033-email.md).
 */
import { and, eq, inArray } from "drizzle-orm";
import { Inbound } from "#server/inbox/channel-protocol/channel.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";

/** `failed`: the receiving server has found that the sender is forged. `unproven`: nothing shows who it is. */
export type SenderTrust = "proven" | "unproven" | "failed";

export async function senderTrustOf(
  tx: Tx,
  contactId: number,
  inbounds: readonly Pick<Inbound, "sender">[],
): Promise<SenderTrust> {
  const senders = inbounds.flatMap(({ sender }) => sender ?? []);
  if (senders.some(({ authenticity }) => authenticity === "failed")) return "failed";
  for (const { authenticity, refersTo } of senders) {
    if (authenticity !== "passed" && !(await hasReceived(tx, contactId, refersTo))) return "unproven";
  }
  return "proven";
}

export async function senderTrustOfMessage(tx: Tx, contactId: number, messageId: number): Promise<SenderTrust> {
  const [event] = await tx
    .select({ inbound: inboxEvents.inbound })
    .from(inboxEvents)
    .where(eq(inboxEvents.messageId, messageId));
  return event === undefined ? "proven" : senderTrustOf(tx, contactId, [Inbound.parse(event.inbound)]);
}

/** Returns whether one of these messages of ours was sent to this contact. Their keys are random, so a sender who names one has read it. */
async function hasReceived(tx: Tx, contactId: number, keys: readonly string[]): Promise<boolean> {
  if (keys.length === 0) return false;
  const [sent] = await tx
    .select({ id: outbox.id })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .where(
      and(
        inArray(outbox.id, [...keys]),
        eq(conversations.contactId, contactId),
        inArray(outbox.state, ["sending", "sent", "unknown"]),
      ),
    )
    .limit(1);
  return sent !== undefined;
}
