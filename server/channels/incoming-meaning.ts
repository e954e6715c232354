import { asc } from "drizzle-orm";
import { asTenant, type Database } from "#server/db/database.ts";
import { inboxEvents } from "#server/db/schema.ts";
import type { JobData } from "#server/jobs/catalogue.ts";
import { mayLean, standaloneQuestion } from "#server/language/contextual-query.ts";
import type { Meaning, Meanings } from "#server/search/meaning/meanings.ts";
import { burstEnd } from "./burst.ts";
import { Inbound } from "./channel.ts";
import { lineOf } from "./contact-conversation.ts";
import { asksToStart, asksToStop } from "./contact-words.ts";
import { historyBefore } from "./talk-so-far.ts";
import { waitingIn } from "./waiting-events.ts";

/** Opening a bot is a greeting, not a question about the word. */
const GREETING = "Здравствуйте!";

/** What a burst asks, as one message. */
export function messageOf(asked: readonly Inbound[]): string {
  return asked.map((inbound) => (asksToStart(inbound.text) ? GREETING : lineOf(inbound))).join("\n");
}

export interface IncomingMeaning {
  /** The question that is meant, as `standaloneQuestion` has it. */
  asked: string;
  meaning: Meaning;
}

/**
 * What the messages that wait in a conversation mean, asked before they are taken in: no transaction waits for a network.
 * Null where nothing is to be answered yet, or its meaning is not known.
 * @param patient whether a burst that goes on is waited for
 */
export async function incomingMeaning(
  { db, meanings }: { db: Database; meanings: Meanings | null },
  job: JobData["answer-inbox"],
  patient: boolean,
): Promise<IncomingMeaning | null> {
  if (meanings === null) return null;
  const waiting = await asTenant(db, job, (tx) =>
    tx
      .select({ id: inboxEvents.id, inbound: inboxEvents.inbound, receivedAt: inboxEvents.receivedAt })
      .from(inboxEvents)
      .where(waitingIn(job))
      .orderBy(asc(inboxEvents.position), asc(inboxEvents.id)),
  );
  const human = waiting
    .map(({ id, inbound, receivedAt }) => ({ id, inbound: Inbound.parse(inbound), at: receivedAt.getTime() }))
    .filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  if (human.length === 0) return null;
  if (patient && burstEnd(human.map(({ inbound, at }) => ({ text: inbound.text, at }))) > Date.now() + 50) return null;
  const message = messageOf(human.map(({ inbound }) => inbound).filter(({ text }) => !asksToStop(text)));
  const talk = { integrationId: job.integrationId, externalId: human[0]!.inbound.conversation };
  const ids = human.map(({ id }) => id);
  const history = mayLean(message) ? await asTenant(db, job, (tx) => historyBefore(tx, talk, ids)) : [];
  const asked = standaloneQuestion(history, message);
  const meaning = await meanings.of(asked);
  return meaning && { asked, meaning };
}
