/**
 * Background work gives way to whoever waits for an answer: it is done in pieces, and a piece begins while nobody is being answered. Work
 * that is under way cannot be interrupted, so a piece is small while people are about (portion.ts). What background work is, say
 * `runInBackground` and the jobs' rules; its pieces are its database transactions (docs/decisions/009-process-roles-and-job-scheduling.md).
 */

/** An answer that takes longer waits for something else, a model or a stream: it holds up nothing any more. */
const ANSWER_MS = 250;
/** So long people are about after an expensive request. */
const ABOUT_MS = 2000;
/** A piece waits no longer: where somebody is always being answered, background work is slow but goes on. */
const LONGEST_WAIT_MS = 100;
/**
 * While people are about, background work rests so many times as long as its piece has taken: a piece delays one answer by its own length,
 * but what it leaves behind, garbage to be collected and pages to be written, delays those after it.
 */
const REST = 3;
const LONGEST_REST_MS = 500;

interface Answering {
  since: number;
}

export class GivingWay {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #answering = new Set<Answering>();
  #expensiveAt = Number.NEGATIVE_INFINITY;
  #pieces = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #onPeople: () => void = () => {};
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
    if (expensive) {
      this.#expensiveAt = one.since;
      this.#onPeople();
    }
    return () => {
      this.#answering.delete(one);
      if (!this.#isAnswering()) this.#look();
    };
  }

  /** Another process of the installation has been asked for an expensive answer: its machine or its database may be this one's. */
  peopleElsewhere(): void {
    this.#expensiveAt = this.#now();
  }

  /** @param listener called when an expensive answer begins in this process; it takes the place of the one before */
  onPeople(listener: () => void): void {
    this.#onPeople = listener;
  }

  /** Whether expensive answers are asked for, now and again. */
  get peopleAreAbout(): boolean {
    return this.#now() - this.#expensiveAt < ABOUT_MS;
  }

  /**
   * Waits until the next piece of background work may begin. While people are about there is one at a time, and a rest between two.
   * @returns a function that ends the piece
   */
  async piece(): Promise<() => void> {
    let until = this.#now() + LONGEST_WAIT_MS;
    for (;;) {
      if (this.#isResting()) {
        await this.#change(this.#restsUntil);
        until = this.#now() + LONGEST_WAIT_MS;
      } else if (this.#mustWait() && this.#now() < until) await this.#change(until);
      else break;
    }
    const began = this.#now();
    this.#pieces++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#pieces--;
      const now = this.#now();
      if (this.peopleAreAbout) this.#restsUntil = now + Math.min((now - began) * REST, LONGEST_REST_MS);
      this.#look();
    };
  }

  /** As `piece`, for what a request does on behalf of a file: where nobody is about it must not wait for its own request. */
  async pieceBesidePeople(): Promise<() => void> {
    return this.peopleAreAbout ? this.piece() : () => {};
  }

  #isResting(): boolean {
    return this.#now() < this.#restsUntil && this.peopleAreAbout;
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

/** Passes a file's chunks on, each as a piece of background work: a large one comes faster than answers can be given beside it. */
export async function* inPieces<Chunk>(
  source: AsyncIterable<Chunk>,
  way: GivingWay = givingWay,
): AsyncGenerator<Chunk> {
  for await (const chunk of source) {
    const end = await way.pieceBesidePeople();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}
