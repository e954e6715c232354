/** How fast a platform lets an account send, kept before anything is marked as being sent. */

export interface Pace {
  /** Least time between two messages to one conversation, ms. */
  perConversationMs: number;
  /** Most messages of the account in a second. */
  perSecond: number;
}

/** Place → when the next message may go, ms. Each process keeps its own: beyond, the platform's 429 is honoured. */
const free = new Map<string, number>();
const REMEMBERED = 10_000;

/** Takes the turn and gives 0, or gives how long to wait before asking again, ms. */
export function takeTurn(pace: Pace, account: string, conversation: string, now = Date.now()): number {
  const wait = Math.max(free.get(account) ?? 0, free.get(conversation) ?? 0) - now;
  if (wait > 0) return wait;
  if (free.size > REMEMBERED) for (const [place, at] of free) if (at <= now) free.delete(place);
  free.set(account, now + 1000 / pace.perSecond);
  free.set(conversation, now + pace.perConversationMs);
  return 0;
}
