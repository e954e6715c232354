/** Whatever a platform tells: a contact's message is stored, the owner's own word is carried out, each once. */
import type { Inbound, Notice, OwnerDesk } from "./channel.ts";
import {
  type LeasedCursor,
  type ReceivingIntegration,
  type Stored,
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
): Promise<Stored> {
  const { integration, desk } = receiver;
  const stored = await storeInbound(deps, integration, inbound, cursor);
  if (stored !== "owner" || inbound === null) return stored;
  await once(deps, integration, inbound, cursor, async () => {
    if (desk !== undefined) await takeOwnerWord(deps, integration, desk, inbound);
  });
  return stored;
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
