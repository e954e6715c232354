import { asc, eq } from "drizzle-orm";
import type { Asked } from "#server/answers/replies/answer-conversation.ts";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { inboxEvents } from "#server/platform/db/schema/conversations.ts";
import type { JobData } from "#server/platform/jobs/catalogue.ts";
import { Inbound } from "../../protocol/channel.ts";
import { isOptIn, isOptOut } from "../../protocol/opt-out.ts";
import { questionText } from "../conversations/contact-conversation.ts";
import { historyBefore } from "../conversations/conversation-history.ts";
import { debounceEnd } from "../conversations/debounce.ts";
import { waitingEventsSql } from "../conversations/waiting-events.ts";
import { isBeingRead } from "../inbox/keep-media.ts";

/** Used for /start: opening a bot is a greeting, not a question about the word. */
const GREETING = "Здравствуйте!";

/** The messages of a burst as one message. */
export function messageOf(asked: readonly Inbound[]): string {
  return asked.map((inbound) => (isOptIn(inbound.text) ? GREETING : questionText(inbound))).join("\n");
}

/**
 * The question in the messages that wait in a conversation, read before they are taken in. Null where nothing is to be answered yet.
 * @param patient whether the end of a burst is waited for
 */
export async function incomingQuestion(
  { db }: { db: Database },
  job: JobData["process-inbox"],
  patient: boolean,
): Promise<Asked | null> {
  const waiting = await asTenant(db, job, (tx) =>
    tx
      .select({
        id: inboxEvents.id,
        inbound: inboxEvents.inbound,
        receivedAt: inboxEvents.receivedAt,
        twinId: integrations.twinId,
      })
      .from(inboxEvents)
      .innerJoin(integrations, eq(integrations.id, inboxEvents.integrationId))
      .where(waitingEventsSql(job))
      .orderBy(asc(inboxEvents.position), asc(inboxEvents.id)),
  );
  const human = waiting
    .map(({ id, inbound, receivedAt }) => ({ id, inbound: Inbound.parse(inbound), at: receivedAt.getTime() }))
    .filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  const twinId = waiting[0]?.twinId;
  if (human.length === 0 || twinId === undefined || human.some(({ inbound }) => isBeingRead(inbound))) return null;
  if (patient && debounceEnd(human.map(({ inbound, at }) => ({ text: inbound.text, at }))) > Date.now() + 50)
    return null;
  const message = messageOf(human.map(({ inbound }) => inbound).filter(({ text }) => !isOptOut(text)));
  const conversation = { integrationId: job.integrationId, externalId: human[0]!.inbound.conversation };
  const ids = human.map(({ id }) => id);
  const history = mayDependOnContext(message)
    ? await asTenant(db, job, (tx) => historyBefore(tx, conversation, ids))
    : [];
  return { twinId, message, history, audience: { kind: "stranger" } };
}
