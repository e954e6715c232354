/** Milliseconds over which the speed is averaged. */
const WINDOW_MS = 5000;

export class Speed {
  readonly #now: () => number;
  #pieces: { at: number; bytes: number }[] = [];
  #begun: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#begun = now();
  }

  add(bytes: number): void {
    // A negative number means that the file restarts.
    if (bytes < 0) return;
    const at = this.#now();
    const last = this.#pieces.at(-1);
    // Chunks arrive every few milliseconds, so they are summed by the tenth of a second.
    if (last !== undefined && at - last.at < 100) last.bytes += bytes;
    else this.#pieces.push({ at, bytes });
  }

  /** null: there are too few measurements yet. */
  now(): number | null {
    const now = this.#now();
    this.#pieces = this.#pieces.filter(({ at }) => now - at < WINDOW_MS);
    const span = Math.min(WINDOW_MS, now - this.#begun);
    if (span < 500) return null;
    return Math.round((this.#pieces.reduce((sum, { bytes }) => sum + bytes, 0) * 1000) / span);
  }
}
