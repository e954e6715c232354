import { backgroundThrottle } from "./background-throttle.ts";

/** Target duration in ms of a piece of background work while the foreground is active; a request waits for one piece at most. */
const PIECE_MS = 6;
/** The same while it is idle: the first request to come waits for the rest of a piece, wherever both share a connection. */
const IDLE_PIECE_MS = 50;
/** Share of the largest batch that is tried first while the foreground is idle, before any row is measured. */
const FIRST_SHARE = 1 / 4;
/** Factor by which the recorded cost of a slow piece decays with each faster piece. */
const SLOWNESS_DECAY = 0.8;
/** Smallest batch as a share of the largest where the work does not say otherwise; below it the fixed cost of a piece would outweigh its rows. */
const MIN_SHARE = 1 / 16;

/**
 * Chooses the number of rows in a piece of background work by the time that earlier rows have taken: some tens of milliseconds' worth while
 * the foreground is idle, a few while it is active.
 */
export class AdaptiveBatchSize {
  readonly #maxRows: number;
  readonly #minRows: number;
  readonly #idlePieceMs: number;
  readonly #throttle: { readonly isForegroundActive: boolean };
  #msPerRow = 0;

  /**
   * @param options.minRows rows below which a piece costs little less
   * @param options.idlePieceMs target duration of a piece while the foreground is idle
   */
  constructor(
    maxRows: number,
    {
      minRows = Math.ceil(maxRows * MIN_SHARE),
      idlePieceMs = IDLE_PIECE_MS,
      throttle = backgroundThrottle,
    }: { minRows?: number; idlePieceMs?: number; throttle?: { readonly isForegroundActive: boolean } } = {},
  ) {
    this.#maxRows = maxRows;
    this.#minRows = minRows;
    this.#idlePieceMs = idlePieceMs;
    this.#throttle = throttle;
  }

  get rows(): number {
    const { isForegroundActive } = this.#throttle;
    const first = isForegroundActive ? this.#minRows : this.#maxRows * FIRST_SHARE;
    const pieceMs = isForegroundActive ? PIECE_MS : this.#idlePieceMs;
    const rows = this.#msPerRow === 0 ? first : pieceMs / this.#msPerRow;
    return Math.min(this.#maxRows, Math.max(this.#minRows, Math.floor(rows)));
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
