/** Decides when pg-boss's workers look at their queues: at once after a notification, soon where there is none. */

/** Milliseconds between polls of a queue in use, because retries and jobs held back by their key cause no notification. */
export const BUSY_POLL_MS = 500;
/** Milliseconds for which a queue counts as in use after a run, because a busy key is skipped until pg-boss has checked the queue again. */
const BUSY_MS = 4000;
/** Milliseconds between two polls, each of which is a query of every worker: under load several notifications share one poll. */
const PAUSE_MS = 50;
const LONGEST_TIMER_MS = 60_000;

export class QueueWakeUp {
  readonly #look: (queue: string) => void;
  // By the monotonic clock: a wall clock that is set back would stop the polls for as long.
  readonly #busyUntil = new Map<string, number>();
  readonly #lookedAt = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #watching: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param look makes the workers of a queue poll now */
  constructor(look: (queue: string) => void) {
    this.#look = look;
  }

  wake(queue: string): void {
    const now = performance.now();
    const wait = (this.#lookedAt.get(queue) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - now;
    if (wait > 0) {
      this.#after(wait, `again ${queue}`, () => this.wake(queue));
      return;
    }
    this.#lookedAt.set(queue, now);
    this.#look(queue);
  }

  keep(queue: string): void {
    if (this.#stopped) return;
    this.#busyUntil.set(queue, performance.now() + BUSY_MS);
    this.wake(queue);
    this.#watching ??= setInterval(() => this.#watch(), BUSY_POLL_MS).unref();
  }

  /** Polls no sooner than after `ms`, so that other processes may take the job first. */
  standAside(queue: string, ms: number): void {
    this.#lookedAt.set(queue, performance.now() + ms - PAUSE_MS);
  }

  /**
   * Schedules a poll for when a job becomes due; beyond a minute the check of all queues (queue-maintenance.ts) is soon enough.
   * @param tell called instead of the poll in a process that handles no jobs
   */
  expect(queue: string, due: Date, tell?: () => void): void {
    const slot = Math.ceil(due.getTime() / PAUSE_MS);
    const wait = Math.max(0, slot * PAUSE_MS - Date.now());
    if (wait <= LONGEST_TIMER_MS) this.#after(wait, `${slot} ${queue}`, tell ?? (() => this.keep(queue)));
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#watching);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #after(wait: number, name: string, work: () => void): void {
    if (this.#stopped || this.#timers.has(name)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(name);
      work();
    }, wait).unref();
    this.#timers.set(name, timer);
  }

  #watch(): void {
    for (const [queue, until] of this.#busyUntil) {
      if (until < performance.now()) this.#busyUntil.delete(queue);
      else this.wake(queue);
    }
    if (this.#busyUntil.size > 0) return;
    clearInterval(this.#watching);
    this.#watching = undefined;
  }
}
