import { backgroundThrottle } from "./background-throttle.ts";

/** Target duration in ms of a piece of background work while the foreground is active; a request waits for one piece at most. */
const PIECE_MS = 6;
/** Factor by which the recorded cost of a slow piece decays with each faster piece. */
const SLOWNESS_DECAY = 0.8;
/** Smallest batch as a share of the largest where the work does not say otherwise; below it the fixed cost of a piece would outweigh its rows. */
const MIN_SHARE = 1 / 16;

/**
 * Chooses the number of rows in a piece of background work: the maximum when idle, a few milliseconds' worth while the foreground is
 * active.
 */
export class AdaptiveBatchSize {
  readonly #maxRows: number;
  readonly #minRows: number;
  readonly #throttle: { readonly isForegroundActive: boolean };
  #msPerRow = 0;

  /**
   * @param maxRows rows of a piece while the foreground is idle
   * @param options.minRows rows below which a piece costs little less
   */
  constructor(
    maxRows: number,
    {
      minRows = Math.ceil(maxRows * MIN_SHARE),
      throttle = backgroundThrottle,
    }: { minRows?: number; throttle?: { readonly isForegroundActive: boolean } } = {},
  ) {
    this.#maxRows = maxRows;
    this.#minRows = minRows;
    this.#throttle = throttle;
  }

  get rows(): number {
    if (!this.#throttle.isForegroundActive) return this.#maxRows;
    if (this.#msPerRow === 0) return this.#minRows;
    return Math.min(this.#maxRows, Math.max(this.#minRows, Math.floor(PIECE_MS / this.#msPerRow)));
  }

  /** Runs a piece and records its duration. @param rowsOf returns the number of rows processed */
  async measure<T>(work: () => Promise<T>, rowsOf: (result: T) => number): Promise<T> {
    const began = performance.now();
    const result = await work();
    this.record(rowsOf(result), performance.now() - began);
    return result;
  }

  record(rows: number, ms: number): void {
    if (rows > 0) this.#msPerRow = Math.max(ms / rows, this.#msPerRow * SLOWNESS_DECAY);
  }
}
