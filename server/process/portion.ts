import { givingWay } from "./giving-way.ts";

/** How long a piece of background work should take while people are about: they wait for one at most. */
const PIECE_MS = 6;
/** A slow piece is remembered so well against quicker ones after it. */
const MEMORY = 0.8;
/** No piece is smaller than this share of the largest: what each costs beside its rows would be all that it does. */
const LEAST_SHARE = 1 / 16;

/** How many rows a piece of background work takes: as many as suit the work, or, while people are about, as many as take a few milliseconds. */
export class Portion {
  readonly #most: number;
  readonly #way: { readonly peopleAreAbout: boolean };
  #msPerRow = 0;

  /** @param most rows that a piece takes when nobody is about */
  constructor(most: number, way: { readonly peopleAreAbout: boolean } = givingWay) {
    this.#most = most;
    this.#way = way;
  }

  get rows(): number {
    if (!this.#way.peopleAreAbout) return this.#most;
    const least = Math.ceil(this.#most * LEAST_SHARE);
    if (this.#msPerRow === 0) return least;
    return Math.min(this.#most, Math.max(least, Math.floor(PIECE_MS / this.#msPerRow)));
  }

  /** Does a piece and notes how long it has taken. @param rowsOf how many rows it had */
  async timed<T>(work: () => Promise<T>, rowsOf: (result: T) => number): Promise<T> {
    const began = performance.now();
    const result = await work();
    this.took(rowsOf(result), performance.now() - began);
    return result;
  }

  took(rows: number, ms: number): void {
    if (rows > 0) this.#msPerRow = Math.max(ms / rows, this.#msPerRow * MEMORY);
  }
}
