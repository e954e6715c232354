/** Decides from what waits, and for how long, what is refused, so that the rest is still answered (docs/decisions/010-load-shedding-and-rate-limits.md). */

/** 0: everything is answered; 1: expensive calls are refused; 2: all calls but those that somebody needs to sign in and to look after the server. */
type LoadLevel = 0 | 1 | 2;

/**
 * Delays in ms from which on a level begins, and below which it ends. Between the two nothing changes, because refusing lowers the delay
 * that was the reason for it.
 */
const LEVELS: readonly { begins: number; ends: number }[] = [
  { begins: 1000, ends: 500 },
  { begins: 3000, ends: 1500 },
];

/**
 * The same for queues, from which on expensive calls alone are refused: more of them would only lengthen what everybody waits in.
 * - `connections`: how long the first in the queue has waited for a connection to the database, ms. The embedded database has one, and a
 *   statement of an import may take a second.
 * - `turns`: how many wait for their turn at expensive work (platform/process/fair-scheduler.ts): more than one organisation alone may have waiting.
 */
const QUEUES = {
  connections: { begins: 5000, ends: 1000 },
  turns: { begins: 160, ends: 80 },
} as const;
type Queue = keyof typeof QUEUES;

/** What is long, for the metrics. */
type LoadReason = "loop" | Queue;

export class LoadShedder {
  readonly #delayMs: () => number;
  readonly #queues: Partial<Record<Queue, () => number>>;
  readonly #long = new Set<Queue>();
  #level: LoadLevel = 0;

  /**
   * @param delayMs the smoothed delay of the event loop
   * @param queues how long each queue is; one that is not given is not looked at
   */
  constructor(delayMs: () => number, queues: Partial<Record<Queue, () => number>> = {}) {
    this.#delayMs = delayMs;
    this.#queues = queues;
  }

  /** What is to be refused now, and why. */
  look(): { level: LoadLevel; reason: LoadReason } {
    const delay = this.#delayMs();
    while (this.#level < 2 && delay >= LEVELS[this.#level]!.begins) this.#level++;
    while (this.#level > 0 && delay < LEVELS[this.#level - 1]!.ends) this.#level--;
    const long = this.#longQueue();
    return this.#level === 0 && long !== undefined
      ? { level: 1, reason: long }
      : { level: this.#level, reason: "loop" };
  }

  #longQueue(): Queue | undefined {
    for (const name of Object.keys(QUEUES) as Queue[]) {
      const length = this.#queues[name]?.() ?? 0;
      if (length >= QUEUES[name].begins) this.#long.add(name);
      if (length < QUEUES[name].ends) this.#long.delete(name);
    }
    return this.#long.values().next().value;
  }
}
