/**
 * How late the event loop is, which is how long every request waits before it is handled. `event-loop-monitor.ts` records it; a single long
 * block weighs little, and many in a row weigh fully.
 */
const SMOOTH_MS = 3000;
/** The span that one record weighs at most: a block of seconds, however long, is one event and not seconds of lateness. */
const MAX_SPAN_MS = 500;
const WORST_MS = 60_000;

export class LoopDelay {
  #smoothed = 0;
  #worst: { at: number; delayMs: number }[] = [];

  /** @param delayMs how much later than planned a timer ran; @param spanMs since the record before */
  record(delayMs: number, spanMs: number, now = performance.now()): void {
    this.#smoothed += (1 - Math.exp(-Math.min(spanMs, MAX_SPAN_MS) / SMOOTH_MS)) * (delayMs - this.#smoothed);
    // What is followed by something worse is never the worst again.
    this.#worst = [
      ...this.#worst.filter((one) => one.delayMs > delayMs && now - one.at < WORST_MS),
      { at: now, delayMs },
    ];
  }

  /** Mean of the last seconds, ms. */
  get smoothedMs(): number {
    return this.#smoothed;
  }

  /** The longest of the last minute, ms. */
  worstMs(now = performance.now()): number {
    return this.#worst.find(({ at }) => now - at < WORST_MS)?.delayMs ?? 0;
  }
}

/** The event-loop delay of this process. */
export const loopDelay = new LoopDelay();
