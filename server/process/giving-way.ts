/**
 * Background work gives way to whoever waits for an answer: it is done in pieces, and a piece begins while nobody is being answered. Work
 * that is under way cannot be interrupted, so a piece is small while people are about (portion.ts). What background work is, say
 * `runInBackground` and the jobs' rules; its pieces are its database transactions (docs/decisions/088).
 */

/** An answer that takes longer waits for something else, a model or a stream: it holds up nothing any more. */
const ANSWER_MS = 250;
/** So long people are about after an expensive request. */
const ABOUT_MS = 2000;
/** A piece waits no longer: where somebody is always being answered, background work is slow but goes on. */
const LONGEST_WAIT_MS = 100;

interface Answering {
  since: number;
}

export class GivingWay {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #answering = new Set<Answering>();
  #expensiveAt = Number.NEGATIVE_INFINITY;
  #pieces = 0;
  /** Pieces that wait, oldest first. */
  #waiting: (() => void)[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Somebody is being answered until the returned function is called.
   * @param expensive the answer takes milliseconds of the processor or of the database, so that what holds it up would be felt
   */
  begin({ expensive }: { expensive: boolean }): () => void {
    const one = { since: this.#now() };
    this.#answering.add(one);
    if (expensive) this.#expensiveAt = one.since;
    return () => {
      this.#answering.delete(one);
      if (!this.#isAnswering()) this.#look();
    };
  }

  /** Whether expensive answers are asked for, now and again. */
  get peopleAreAbout(): boolean {
    return this.#now() - this.#expensiveAt < ABOUT_MS;
  }

  /**
   * Waits until the next piece of background work may begin. While people are about there is one at a time.
   * @returns a function that ends the piece
   */
  async piece(): Promise<() => void> {
    const until = this.#now() + LONGEST_WAIT_MS;
    while (this.#mustWait() && this.#now() < until) await this.#change(until);
    this.#pieces++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#pieces--;
      this.#look();
    };
  }

  #mustWait(): boolean {
    return this.#isAnswering() || (this.#pieces > 0 && this.peopleAreAbout);
  }

  #isAnswering(): boolean {
    const now = this.#now();
    for (const one of this.#answering) {
      if (now - one.since < ANSWER_MS) return true;
      this.#answering.delete(one);
    }
    return false;
  }

  #change(until: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          this.#waiting = this.#waiting.filter((one) => one !== go);
          go();
        },
        Math.max(1, until - this.#now()),
      );
      this.#waiting.push(go);
    });
  }

  /** Each looks again whether it must wait, in the order in which they came. */
  #look(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

/** That of this process. */
export const givingWay = new GivingWay();
