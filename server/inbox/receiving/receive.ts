/** Handles everything that a platform reports: stores contacts' messages and carries out the owner's commands, each once. */

import type { Inbound, Notice, OwnerChatTransport } from "#server/inbox/channel-protocol/channel.ts";
import {
  type LeasedCursor,
  type StoreDelivery,
  storeCompletedAction,
  storeInbound,
  storeNotice,
  wasEventStored,
} from "#server/inbox/incoming/inbox.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { handleOwnerMessage, handlePress, type OwnerDeps } from "#server/inbox/owner-chat/owner-commands.ts";

/** The integration that received the event, and the chat with its owner. */
interface Receiver {
  integration: ReceivingIntegration;
  ownerChat: OwnerChatTransport | undefined;
}

export async function receiveInbound(
  deps: OwnerDeps,
  receiver: Receiver,
  inbound: Inbound | null,
  cursor?: LeasedCursor,
): Promise<void> {
  const stored = await storeInbound(deps, receiver.integration, inbound, cursor);
  if (stored === "owner" && inbound !== null) await hearOwner(deps, receiver, inbound, cursor);
}

export async function receiveInbounds(
  deps: OwnerDeps & { storeDelivery: StoreDelivery },
  receiver: Receiver,
  inbounds: readonly Inbound[],
): Promise<void> {
  if (inbounds.length === 0) return;
  const stored = await deps.storeDelivery(receiver.integration, inbounds);
  for (const [place, inbound] of inbounds.entries()) {
    if (stored[place] === "owner") await hearOwner(deps, receiver, inbound);
  }
}

function hearOwner(
  deps: OwnerDeps,
  { integration, ownerChat }: Receiver,
  inbound: Inbound,
  cursor?: LeasedCursor,
): Promise<void> {
  return once(deps, integration, inbound, cursor, async () => {
    if (ownerChat !== undefined) await handleOwnerMessage(deps, integration, ownerChat, inbound);
  });
}

export async function receiveNotice(
  deps: OwnerDeps,
  { integration, ownerChat }: Receiver,
  notice: Notice,
  cursor?: LeasedCursor,
): Promise<void> {
  if (!("press" in notice)) return storeNotice(deps.db, integration, notice, cursor);
  const { eventId, press } = notice;
  await once(deps, integration, { eventId, conversation: press.chat }, cursor, async () => {
    if (ownerChat !== undefined) await handlePress(deps, integration, ownerChat, notice);
  });
}

/** The event is recorded after the action. If a crash comes between them, the repeated action finds the draft already decided. */
async function once(
  { db }: OwnerDeps,
  integration: ReceivingIntegration,
  event: Pick<Inbound, "eventId" | "conversation">,
  cursor: LeasedCursor | undefined,
  act: () => Promise<void>,
): Promise<void> {
  if (!(await wasEventStored(db, integration, event.eventId))) await act();
  await storeCompletedAction(db, integration, event, cursor);
}
