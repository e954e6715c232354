/** Decides from the event loop's delay what is refused, so that the rest is still answered (docs/decisions/080). */

/** 0: everything is answered; 1: expensive calls are refused; 2: all calls but those that somebody needs to sign in and to look after the server. */
export type LoadLevel = 0 | 1 | 2;

/**
 * Delays in ms from which on a level begins, and below which it ends. Between the two nothing changes, because refusing lowers the delay
 * that was the reason for it.
 */
const LEVELS: readonly { begins: number; ends: number }[] = [
  { begins: 1000, ends: 500 },
  { begins: 3000, ends: 1500 },
];

export class LoadShedder {
  readonly #delayMs: () => number;
  #level: LoadLevel = 0;

  /** @param delayMs the smoothed delay of the event loop */
  constructor(delayMs: () => number) {
    this.#delayMs = delayMs;
  }

  get level(): LoadLevel {
    const delay = this.#delayMs();
    while (this.#level < 2 && delay >= LEVELS[this.#level]!.begins) this.#level++;
    while (this.#level > 0 && delay < LEVELS[this.#level - 1]!.ends) this.#level--;
    return this.#level;
  }
}
