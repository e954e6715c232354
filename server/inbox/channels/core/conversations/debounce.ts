/** People write one thought in several messages: computes how long to wait for the rest. */

interface DebounceTimes {
  /** Milliseconds after which an answer begins, however long somebody goes on writing. */
  longestMs: number;
  /** Milliseconds of silence after what ends a sentence. */
  shortestMs: number;
  /** Milliseconds of silence after anything else. */
  usualMs: number;
}

export const DEBOUNCE_TIMES: Readonly<DebounceTimes> = { longestMs: 5_000, shortestMs: 800, usualMs: 1_500 };
/** The times in force. Tests, which would wait for each answer, make them shorter (server/test/setup.ts). */
export const debounceTimes: DebounceTimes = { ...DEBOUNCE_TIMES };

/** Multiple of a writer's own pauses after which the thought has ended. */
const PAUSES = 2;

interface DebouncedMessage {
  text: string;
  /** ms */
  at: number;
}

/** Milliseconds of silence needed after the last message: fewer after the end of a sentence, more for a writer who pauses long. */
export function quietMs(messages: readonly DebouncedMessage[], times: DebounceTimes = debounceTimes): number {
  const last = messages.at(-1);
  if (last === undefined) return 0;
  const gaps = messages.slice(1).map((message, place) => message.at - messages[place]!.at);
  const usual = /[.!?…)]\s*$/u.test(last.text) || last.text.length > 120 ? times.shortestMs : times.usualMs;
  const wanted = Math.max(usual, PAUSES * Math.max(0, ...gaps));
  return Math.min(wanted, times.longestMs);
}

/** Time at which the burst counts as ended, in milliseconds. */
export function debounceEnd(messages: readonly DebouncedMessage[], times: DebounceTimes = debounceTimes): number {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Math.min(last.at + quietMs(messages, times), first.at + times.longestMs);
}
