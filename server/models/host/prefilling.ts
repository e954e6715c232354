/** Milliseconds; shorter than the time after which a silent process is killed. */
const MAX_PREFILL_MS = 30_000;

export class Prefilling {
  #under: AbortController | null = null;

  /** Called before each real task. Tokens that were read stay in the context. */
  stop(): void {
    this.#under?.abort();
  }

  /** Stops the running prefill first. null: the prefill was stopped or failed, which does no harm. */
  async run<T>(read: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.stop();
    const mine = new AbortController();
    this.#under = mine;
    const clock = setTimeout(() => mine.abort(), MAX_PREFILL_MS).unref();
    try {
      return await read(mine.signal);
    } catch {
      return null;
    } finally {
      clearTimeout(clock);
      if (this.#under === mine) this.#under = null;
    }
  }
}
