/** Converts exchanges to training lines: short conversations that end with the owner's turn. */
import { setImmediate as breathe } from "node:timers/promises";
import type { Exchange } from "./exchanges.ts";
import { type KnownPeople, mentionsSecret, redactForTraining } from "./redact-exchange.ts";

/** System message of each line. The real prompt is longer, but the model learns only how the owner answers. */
export const SYSTEM = "Ты пишешь сообщения за владельца: так, как пишет он сам.";
/** Maximum exchanges per line: with more a line exceeds the 500 tokens or so that a training usually reads. */
const MAX_EXCHANGES = 4;
const MAX_CHARACTERS = 1200;
/** Maximum length in characters; a longer message was pasted. */
const LONGEST = 4000;
const MAX_REPEATS = 3;

export interface LineCounts {
  lines: number;
  exchanges: number;
  /** Number left out because the reply contained personal data or mentioned secrets. */
  personal: number;
  /** Number left out because the same words occurred before. */
  repeated: number;
}

export const noLines = (): LineCounts => ({ lines: 0, exchanges: 0, personal: 0, repeated: 0 });

type Turn = { role: "system" | "user" | "assistant"; content: string };

/** Yields JSON Lines; `counts` is complete when the generator has ended. */
export async function* trainingLines(
  pages: AsyncIterable<readonly Exchange[]>,
  people: KnownPeople,
  counts: LineCounts,
): AsyncGenerator<string> {
  const said = new Map<string, number>();
  let conversation: { exchanges: Exchange[]; characters: number } | null = null;
  const ended = (): string => {
    if (conversation === null) return "";
    counts.lines++;
    const turns = conversation.exchanges.flatMap(({ incoming, reply }): Turn[] => [
      { role: "user", content: incoming },
      { role: "assistant", content: reply },
    ]);
    conversation = null;
    return `${JSON.stringify({ messages: [{ role: "system", content: SYSTEM }, ...turns] })}\n`;
  };
  for await (const page of pages) {
    let lines = "";
    for (const exchange of page) {
      const exchanged = redacted(exchange, people);
      if (exchanged === null) {
        counts.personal++;
        // The line ends here, because the next turn would answer words that were left out.
        lines += ended();
        continue;
      }
      const words = `${exchanged.incoming}\n${exchanged.reply}`.toLowerCase();
      const before = said.get(words) ?? 0;
      if (before >= MAX_REPEATS) {
        counts.repeated++;
        continue;
      }
      said.set(words, before + 1);
      const size = exchanged.incoming.length + exchanged.reply.length;
      if (conversation !== null && !goesOn(conversation, exchanged, size)) lines += ended();
      conversation ??= { exchanges: [], characters: 0 };
      conversation.exchanges.push(exchanged);
      conversation.characters += size;
      counts.exchanges++;
    }
    if (lines !== "") yield lines;
    // Lets other requests run between two pages.
    await breathe();
  }
  const last = ended();
  if (last !== "") yield last;
}

const goesOn = (
  { exchanges, characters }: { exchanges: Exchange[]; characters: number },
  next: Exchange,
  size: number,
) =>
  exchanges.length < MAX_EXCHANGES &&
  characters + size <= MAX_CHARACTERS &&
  exchanges.at(-1)!.chatId === next.chatId &&
  exchanges.at(-1)!.session === next.session;

/**
 * Returns null for an exchange unfit for training. Personal data is masked in the question; in a reply it would teach the model the
 * masks.
 */
function redacted(exchange: Exchange, people: KnownPeople): Exchange | null {
  if (mentionsSecret(exchange.incoming) || mentionsSecret(exchange.reply)) return null;
  const reply = redactForTraining(exchange.reply.slice(0, LONGEST), people);
  if (reply.personal || reply.text.trim() === "") return null;
  const incoming = redactForTraining(exchange.incoming.slice(0, LONGEST), people).text;
  return { ...exchange, incoming, reply: reply.text };
}
