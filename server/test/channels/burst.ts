import { onTestFinished } from "vitest";
import { debounceTimes } from "#server/inbox/conversation-control/debounce.ts";

/**
 * Until the test ends, a contact's messages are answered together although three seconds lie between them: on a busy machine the
 * second may be delivered a second after the first.
 */
export function holdBursts(): void {
  const before = { ...debounceTimes };
  onTestFinished(() => void Object.assign(debounceTimes, before));
  Object.assign(debounceTimes, { longestMs: 6_000, shortestMs: 3_000, usualMs: 3_000 });
}
