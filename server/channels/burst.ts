/** People write one thought in several messages: how long to wait for the rest of it. */

/** However long somebody goes on writing, an answer begins after this, ms. */
export const LONGEST_BURST_MS = 5_000;
const SHORTEST_MS = 800;
const USUAL_MS = 1_500;
/** Twice a writer's own pause: then the thought has ended. */
const PAUSES = 2;

export interface BurstMessage {
  text: string;
  /** ms */
  at: number;
}

/** How long it must be quiet behind the last message, ms: less after a sentence's end, more for a writer who pauses long. */
export function quietMs(messages: readonly BurstMessage[]): number {
  const last = messages.at(-1);
  if (last === undefined) return 0;
  const gaps = messages.slice(1).map((message, place) => message.at - messages[place]!.at);
  const usual = /[.!?…)]\s*$/u.test(last.text) || last.text.length > 120 ? SHORTEST_MS : USUAL_MS;
  const pace = Math.max(usual, PAUSES * Math.max(0, ...gaps));
  return Math.min(pace, LONGEST_BURST_MS);
}

/** When the burst counts as ended, ms. */
export function burstEnd(messages: readonly BurstMessage[]): number {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return Math.min(last.at + quietMs(messages), first.at + LONGEST_BURST_MS);
}
