/** People write one thought in several messages: computes how long to wait for the rest. */

/** Milliseconds after which an answer begins, however long somebody goes on writing. */
export const LONGEST_DEBOUNCE_MS = 5_000;
const SHORTEST_MS = 800;
const DEFAULT_MS = 1_500;
/** Multiple of a writer's own pauses after which the thought has ended. */
const PAUSES = 2;

export interface DebouncedMessage {
  text: string;
  /** ms */
  at: number;
}

/** Milliseconds of silence needed after the last message: fewer after the end of a sentence, more for a writer who pauses long. */
export function quietMs(messages: readonly DebouncedMessage[]): number {
  const last = messages.at(-1);
  if (last === undefined) return 0;
  const gaps = messages.slice(1).map((message, place) => message.at - messages[place]!.at);
  const usual = /[.!?…)]\s*$/u.test(last.text) || last.text.length > 120 ? SHORTEST_MS : DEFAULT_MS;
  const wanted = Math.max(usual, PAUSES * Math.max(0, ...gaps));
  return Math.min(wanted, LONGEST_DEBOUNCE_MS);
}

/** Time at which the burst counts as ended, in milliseconds. */
export function debounceEnd(messages: readonly DebouncedMessage[]): number {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Math.min(last.at + quietMs(messages), first.at + LONGEST_DEBOUNCE_MS);
}
