/** Computes how long to wait for the rest of a burst, because people write one thought in several messages. */

interface DebounceTimes {
  /** Milliseconds after which an answer begins, even if the contact is still writing. */
  longestMs: number;
  /** Milliseconds of silence after the end of a sentence. */
  shortestMs: number;
  /** Milliseconds of silence after anything else. */
  usualMs: number;
}

export const DEBOUNCE_TIMES: Readonly<DebounceTimes> = { longestMs: 5_000, shortestMs: 800, usualMs: 1_500 };
/** The times in force; tests shorten them (server/test/setup.ts). */
export const debounceTimes: DebounceTimes = { ...DEBOUNCE_TIMES };

/** A pause longer than this multiple of the contact's own pauses ends the thought. */
const PAUSES = 2;

interface DebouncedMessage {
  text: string;
  /** Milliseconds. */
  at: number;
}

/** Returns the milliseconds of silence needed after the last message: fewer after the end of a sentence, more for a slow writer. */
export function quietMs(messages: readonly DebouncedMessage[], times: DebounceTimes = debounceTimes): number {
  const last = messages.at(-1);
  if (last === undefined) return 0;
  const gaps = messages.slice(1).map((message, place) => message.at - messages[place]!.at);
  const usual = /[.!?…)]\s*$/u.test(last.text) || last.text.length > 120 ? times.shortestMs : times.usualMs;
  const wanted = Math.max(usual, PAUSES * Math.max(0, ...gaps));
  return Math.min(wanted, times.longestMs);
}

/** Returns the time at which the burst counts as complete, in milliseconds. */
export function debounceEnd(messages: readonly DebouncedMessage[], times: DebounceTimes = debounceTimes): number {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Math.min(last.at + quietMs(messages, times), first.at + times.longestMs);
}
