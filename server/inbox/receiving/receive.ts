/** Handles everything that a platform reports: stores contacts' messages and carries out the owner's commands, each once. */

import {
  type Inbound,
  isInbound,
  type Notice,
  type OwnerChatTransport,
  type Reported,
} from "#server/inbox/channel-protocol/channel.ts";
import {
  type LeasedCursor,
  type StoreDelivery,
  storeCompletedAction,
  storeInbound,
  storeNotice,
  wasEventStored,
} from "#server/inbox/incoming/inbox.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { setAside } from "#server/inbox/incoming/set-aside-events.ts";
import { handleOwnerMessage, handlePress, type OwnerDeps } from "#server/inbox/owner-chat/owner-commands.ts";

/** The integration that received the event, and the chat with its owner. */
interface Receiver {
  integration: ReceivingIntegration;
  ownerChat: OwnerChatTransport | undefined;
}

/** @param reported null: the event says nothing for us, and only the cursor moves */
export async function receiveOne(
  deps: OwnerDeps,
  receiver: Receiver,
  reported: Reported | null,
  cursor?: LeasedCursor,
): Promise<void> {
  if (reported !== null && !isInbound(reported)) return receiveNotice(deps, receiver, reported, cursor);
  const stored = await storeInbound(deps, receiver.integration, reported, cursor);
  if (stored === "owner" && reported !== null) await hearOwner(deps, receiver, reported, cursor);
}

/** Messages are stored together first, because a notice of the same delivery may be about one of them. */
export async function receiveAll(
  deps: OwnerDeps & { storeDelivery: StoreDelivery },
  receiver: Receiver,
  reported: readonly Reported[],
): Promise<void> {
  const inbounds = reported.filter(isInbound);
  if (inbounds.length > 0) {
    const stored = await deps.storeDelivery(receiver.integration, inbounds);
    for (const [place, inbound] of inbounds.entries()) {
      if (stored[place] === "owner") await hearOwner(deps, receiver, inbound);
    }
  }
  for (const notice of reported) if (!isInbound(notice)) await receiveNotice(deps, receiver, notice);
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

async function receiveNotice(
  deps: OwnerDeps,
  { integration, ownerChat }: Receiver,
  notice: Notice,
  cursor?: LeasedCursor,
): Promise<void> {
  if ("unread" in notice) return setAside(deps.db, integration, notice.unread, cursor);
  if (!("press" in notice)) {
    const arrived = await storeNotice(deps, integration, notice, cursor);
    return arrived === null ? undefined : receiveOne(deps, { integration, ownerChat }, arrived, cursor);
  }
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
