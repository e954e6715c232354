/**
 * Decides from the delays and queue lengths which requests are refused, so that the others are still answered
 * (docs/decisions/010-load-shedding-and-rate-limits.md).
 */

/** 0: everything is answered; 1: expensive calls are refused; 2: all calls but those for sign-in and for the operator are refused. */
type LoadLevel = 0 | 1 | 2;

/**
 * Delays in ms at which a level begins and below which it ends. Between the two nothing changes, because refusing calls lowers the delay
 * that caused it.
 */
const LEVELS: readonly { begins: number; ends: number }[] = [
  { begins: 1000, ends: 500 },
  { begins: 3000, ends: 1500 },
];

/**
 * Thresholds of queues, above which only expensive calls are refused: more of them would only lengthen the queue for everyone.
 * - `connections`: how long the first in the queue has waited for a database connection, ms. The embedded database has one connection,
 *   and a statement of an import may take a second.
 * - `turns`: number of requests that wait for expensive work (platform/process/fair-scheduler.ts): more than one organisation alone may
 *   queue.
 */
const QUEUES = {
  connections: { begins: 5000, ends: 1000 },
  turns: { begins: 160, ends: 80 },
} as const;
type Queue = keyof typeof QUEUES;

/** The measure that exceeds its threshold, for the metrics. */
type LoadReason = "loop" | Queue;

export class LoadShedder {
  readonly #delayMs: () => number;
  readonly #queues: Partial<Record<Queue, () => number>>;
  readonly #long = new Set<Queue>();
  #level: LoadLevel = 0;

  /**
   * @param delayMs returns the smoothed delay of the event loop
   * @param queues return the present length of each queue; absent queues are not checked
   */
  constructor(delayMs: () => number, queues: Partial<Record<Queue, () => number>> = {}) {
    this.#delayMs = delayMs;
    this.#queues = queues;
  }

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
