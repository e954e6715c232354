/** Limits how fast an account sends; applied before a message is marked as being sent. */

export interface RateLimit {
  perConversationMs: number;
  perSecond: number;
}

/**
 * When the next message may be sent, in milliseconds, by account or conversation. Each process counts alone; the platform's 429 limits
 * their sum.
 */
const free = new Map<string, number>();
const REMEMBERED = 10_000;

/** Takes a slot and returns 0, or returns the milliseconds to wait before asking again. */
export function takeRateSlot(limit: RateLimit, account: string, conversation: string, now = Date.now()): number {
  const wait = Math.max(free.get(account) ?? 0, free.get(conversation) ?? 0) - now;
  if (wait > 0) return wait;
  if (free.size > REMEMBERED) for (const [place, at] of free) if (at <= now) free.delete(place);
  free.set(account, now + 1000 / limit.perSecond);
  free.set(conversation, now + limit.perConversationMs);
  return 0;
}
