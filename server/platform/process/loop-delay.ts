/**
 * Time constant in ms of the smoothed event-loop delay, which is the time that every request waits. `event-loop-monitor.ts` records the
 * delay; a single long block weighs little, and many in a row weigh fully.
 */
const SMOOTH_MS = 3000;
/** Maximum weight of one record in ms: a long block is one event, not seconds of delay. */
const MAX_SPAN_MS = 500;
const WORST_MS = 60_000;

export class LoopDelay {
  #smoothed = 0;
  #worst: { at: number; delayMs: number }[] = [];

  /** @param delayMs how much later than planned a timer ran @param spanMs time since the previous record */
  record(delayMs: number, spanMs: number, now = performance.now()): void {
    this.#smoothed += (1 - Math.exp(-Math.min(spanMs, MAX_SPAN_MS) / SMOOTH_MS)) * (delayMs - this.#smoothed);
    // A record that is followed by a worse one can never be the maximum again.
    this.#worst = [
      ...this.#worst.filter((one) => one.delayMs > delayMs && now - one.at < WORST_MS),
      { at: now, delayMs },
    ];
  }

  /** Smoothed delay of the last seconds, ms. */
  get smoothedMs(): number {
    return this.#smoothed;
  }

  /** Longest delay of the last minute, ms. */
  worstMs(now = performance.now()): number {
    return this.#worst.find(({ at }) => now - at < WORST_MS)?.delayMs ?? 0;
  }
}

export const loopDelay = new LoopDelay();
