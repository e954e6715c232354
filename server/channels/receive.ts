/** Whatever a platform tells: a contact's message is stored, the owner's own word is carried out, each once. */
import type { Inbound, Notice, OwnerDesk } from "./channel.ts";
import {
  type LeasedCursor,
  type ReceivingIntegration,
  type StoreDelivery,
  storeDone,
  storeInbound,
  storeNotice,
  wasTaken,
} from "./inbox.ts";
import { type OwnerDeps, takeOwnerWord, takePress } from "./owner-acts.ts";

/** Where it came from, and how its owner is spoken to there. */
export interface Receiver {
  integration: ReceivingIntegration;
  desk: OwnerDesk | undefined;
}

export async function takeInbound(
  deps: OwnerDeps,
  receiver: Receiver,
  inbound: Inbound | null,
  cursor?: LeasedCursor,
): Promise<void> {
  const stored = await storeInbound(deps, receiver.integration, inbound, cursor);
  if (stored === "owner" && inbound !== null) await hearOwner(deps, receiver, inbound, cursor);
}

/** All that one delivery holds. */
export async function takeInbounds(
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
  { integration, desk }: Receiver,
  inbound: Inbound,
  cursor?: LeasedCursor,
): Promise<void> {
  return once(deps, integration, inbound, cursor, async () => {
    if (desk !== undefined) await takeOwnerWord(deps, integration, desk, inbound);
  });
}

export async function takeNotice(
  deps: OwnerDeps,
  { integration, desk }: Receiver,
  notice: Notice,
  cursor?: LeasedCursor,
): Promise<void> {
  if (!("press" in notice)) return storeNotice(deps.db, integration, notice, cursor);
  const { eventId, press } = notice;
  await once(deps, integration, { eventId, conversation: press.chat }, cursor, async () => {
    if (desk !== undefined) await takePress(deps, integration, desk, notice);
  });
}

/** Written down behind the act: after a kill between the two it comes again, and finds the draft decided. */
async function once(
  { db }: OwnerDeps,
  integration: ReceivingIntegration,
  event: Pick<Inbound, "eventId" | "conversation">,
  cursor: LeasedCursor | undefined,
  act: () => Promise<void>,
): Promise<void> {
  if (!(await wasTaken(db, integration, event.eventId))) await act();
  await storeDone(db, integration, event, cursor);
}
