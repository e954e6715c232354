/** When pg-boss's workers look at their queues: at once where something is told, soon where nobody tells. */

/** Nobody tells of what is tried again or was held back by its key: a queue in use is looked at so often. */
export const BUSY_POLL_MS = 500;
/** A queue stays in use so long after a run: a key that was busy is passed by until the queue has been looked over again. */
const BUSY_MS = 4000;
/** A look is a query of each worker: under load what is told together is looked at together. */
const PAUSE_MS = 50;
const LONGEST_TIMER_MS = 60_000;

export class Attention {
  readonly #look: (queue: string) => void;
  readonly #busyUntil = new Map<string, number>();
  readonly #lookedAt = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #watching: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param look makes the workers of a queue look now */
  constructor(look: (queue: string) => void) {
    this.#look = look;
  }

  /** Now, or as soon as the pause after the last look is over. */
  wake(queue: string): void {
    const wait = (this.#lookedAt.get(queue) ?? 0) + PAUSE_MS - Date.now();
    if (wait > 0) {
      this.#after(wait, `again ${queue}`, () => this.wake(queue));
      return;
    }
    this.#lookedAt.set(queue, Date.now());
    this.#look(queue);
  }

  /** Now, and for a while. */
  keep(queue: string): void {
    if (this.#stopped) return;
    this.#busyUntil.set(queue, Date.now() + BUSY_MS);
    this.wake(queue);
    this.#watching ??= setInterval(() => this.#watch(), BUSY_POLL_MS).unref();
  }

  /** Others may look first: nothing is looked for here for so long. */
  standAside(queue: string, ms: number): void {
    this.#lookedAt.set(queue, Date.now() + ms - PAUSE_MS);
  }

  /** Something will be due; later than a minute hence the look at all queues (queue-care.ts) is soon enough. */
  expect(queue: string, due: Date): void {
    const slot = Math.ceil(due.getTime() / PAUSE_MS);
    const wait = Math.max(0, slot * PAUSE_MS - Date.now());
    if (wait <= LONGEST_TIMER_MS) this.#after(wait, `${slot} ${queue}`, () => this.keep(queue));
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#watching);
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** One timer for each name. */
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
      if (until < Date.now()) this.#busyUntil.delete(queue);
      else this.wake(queue);
    }
    if (this.#busyUntil.size > 0) return;
    clearInterval(this.#watching);
    this.#watching = undefined;
  }
}
