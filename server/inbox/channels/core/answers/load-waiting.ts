/** The first of four steps (prepare-answer.ts): loads what a contact has written in one conversation and nobody has taken in. */
import { and, asc, eq } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { Inbound } from "../../protocol/channel.ts";
import { isOwnEcho } from "../approvals/owner-messages.ts";
import {
  type ConversationRow,
  conversationOf,
  lockTwin,
  writeIncoming,
} from "../conversations/contact-conversation.ts";
import { waitingEventsSql } from "../conversations/waiting-events.ts";
import type { AnswerJob } from "./answer-in-progress.ts";

export type WaitingEvent = Omit<typeof inboxEvents.$inferSelect, "inbound"> & { inbound: Inbound };

export interface Waiting {
  integration: typeof integrations.$inferSelect;
  twin: { id: string; isActive: boolean };
  conversation: ConversationRow;
  /** In the platform's order; the rows are locked. */
  events: WaitingEvent[];
  /** Ids of events that are our own sends, as seen in the owner's account. */
  echoes: ReadonlySet<number>;
}

/** Locks the twin and the waiting events, and writes them into the conversation. Null: nothing waits any more. */
export async function loadWaiting(tx: Tx, job: AnswerJob): Promise<Waiting | null> {
  const [place] = await tx
    .select({
      integration: integrations,
      twin: { id: twins.id, isActive: twins.isActive },
    })
    .from(integrations)
    .innerJoin(twins, eq(twins.id, integrations.twinId))
    .where(and(eq(integrations.id, job.integrationId), eq(integrations.orgId, job.organizationId)));
  if (place === undefined) return null;
  await lockTwin(tx, place.twin.id);
  const rows = await tx
    .select()
    .from(inboxEvents)
    .where(waitingEventsSql(job))
    .orderBy(asc(inboxEvents.position), asc(inboxEvents.id))
    .for("update");
  const events = rows.map((row) => ({ ...row, inbound: Inbound.parse(row.inbound) }));
  const [first] = events;
  if (first === undefined) return null;
  const { integration, twin } = place;
  const conversation = await conversationOf(
    tx,
    { orgId: job.organizationId, twinId: twin.id, integrationId: integration.id, platform: integration.platform },
    first.inbound,
  );
  const echoes = new Set<number>();
  for (const { id, inbound, messageId } of events) {
    if (inbound.fromOwner && messageId === null && (await isOwnEcho(tx, conversation.id, inbound))) echoes.add(id);
  }
  await writeIncoming(
    tx,
    conversation,
    events.filter((event) => event.messageId === null && !echoes.has(event.id)),
  );
  return { integration, twin, conversation, events, echoes };
}
