/**
 * Shares a few slots among many tasks: owners of waiting tasks take turns, and no owner has two slots while another waits. So one sender's
 * thousand e-mails delay another sender's by one e-mail, not by a thousand.
 */
export class FairSlots {
  readonly #places: number;
  readonly #running = new Map<string, number>();
  /** Waiting owners in the order of turns; the one served last is at the end. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  /** Runs `work` when it is the turn of `whose`; rejects like `work`. */
  async take<T>(whose: string, work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places && this.#mayRun(whose)) this.#enter(whose);
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      const line = this.#waiting.get(whose);
      if (line === undefined) this.#waiting.set(whose, [resolve]);
      else line.push(resolve);
      await promise;
    }
    try {
      return await work();
    } finally {
      this.#leave(whose);
    }
  }

  /** Whether the owner may take a slot: one slot is always kept free for another owner. */
  #mayRun(whose: string): boolean {
    return (this.#running.get(whose) ?? 0) < Math.max(1, this.#places - 1);
  }

  #enter(whose: string): void {
    this.#taken++;
    this.#running.set(whose, (this.#running.get(whose) ?? 0) + 1);
  }

  #leave(whose: string): void {
    this.#taken--;
    const left = this.#running.get(whose)! - 1;
    if (left === 0) this.#running.delete(whose);
    else this.#running.set(whose, left);
    for (const [next, line] of this.#waiting) {
      if (this.#taken >= this.#places) return;
      if (!this.#mayRun(next)) continue;
      this.#waiting.delete(next);
      const begin = line.shift()!;
      if (line.length > 0) this.#waiting.set(next, line);
      this.#enter(next);
      begin();
    }
  }
}
