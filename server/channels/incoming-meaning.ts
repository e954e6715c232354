import { asc } from "drizzle-orm";
import { asTenant, type Database } from "#server/db/database.ts";
import { inboxEvents } from "#server/db/schema.ts";
import type { JobData } from "#server/jobs/catalogue.ts";
import type { Meaning, Meanings } from "#server/search/meaning/meanings.ts";
import { burstEnd } from "./burst.ts";
import { Inbound } from "./channel.ts";
import { lineOf } from "./contact-conversation.ts";
import { asksToStart, asksToStop } from "./contact-words.ts";
import { waitingIn } from "./waiting-events.ts";

/** Opening a bot is a greeting, not a question about the word. */
const GREETING = "Здравствуйте!";

/** What a burst asks, as one message. */
export function messageOf(asked: readonly Inbound[]): string {
  return asked.map((inbound) => (asksToStart(inbound.text) ? GREETING : lineOf(inbound))).join("\n");
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
): Promise<{ message: string; meaning: Meaning } | null> {
  if (meanings === null) return null;
  const waiting = await asTenant(db, job, (tx) =>
    tx
      .select({ inbound: inboxEvents.inbound, receivedAt: inboxEvents.receivedAt })
      .from(inboxEvents)
      .where(waitingIn(job))
      .orderBy(asc(inboxEvents.position), asc(inboxEvents.id)),
  );
  const human = waiting
    .map(({ inbound, receivedAt }) => ({ inbound: Inbound.parse(inbound), at: receivedAt.getTime() }))
    .filter(({ inbound }) => !inbound.automated && !inbound.fromOwner);
  if (human.length === 0) return null;
  if (patient && burstEnd(human.map(({ inbound, at }) => ({ text: inbound.text, at }))) > Date.now() + 50) return null;
  const message = messageOf(human.map(({ inbound }) => inbound).filter(({ text }) => !asksToStop(text)));
  const meaning = await meanings.of(message);
  return meaning && { message, meaning };
}
