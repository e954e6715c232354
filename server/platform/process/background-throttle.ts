/**
 * Throttles background work in favour of foreground requests. Background work runs in pieces, and a piece starts only while no request is
 * being answered. A running piece cannot be interrupted, so pieces are small while the foreground is active (adaptive-batch-size.ts).
 * `runInBackground` and the jobs' rules define background work; its pieces are its database transactions
 * (docs/decisions/009-process-roles-and-job-scheduling.md).
 */

/** Milliseconds: a longer answer waits for a model or a stream, so background work no longer delays it. */
const ANSWER_MS = 250;
/** Milliseconds for which the foreground counts as active after an expensive request. */
const FOREGROUND_MS = 2000;
/** The longest time in ms that a piece waits, so that background work progresses on a server that is never idle. */
const LONGEST_WAIT_MS = 100;
/**
 * While the foreground is active, background work pauses after each piece for this multiple of the piece's duration. The piece itself
 * delays one answer, but the garbage and dirty pages that it leaves delay later answers.
 */
const REST_FACTOR = 3;
const LONGEST_REST_MS = 500;

interface Answering {
  since: number;
}

export class BackgroundThrottle {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #answering = new Set<Answering>();
  #expensiveAt = Number.NEGATIVE_INFINITY;
  #pieces = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #onForegroundActivity: () => void = () => {};
  /** Callbacks of the waiting pieces, oldest first. */
  #waiting: (() => void)[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Marks the start of an answer; the returned function marks its end.
   * @param expensive the answer takes milliseconds of CPU or database time, so a user would notice a delay
   */
  begin({ expensive }: { expensive: boolean }): () => void {
    const one = { since: this.#now() };
    this.#answering.add(one);
    if (expensive) {
      this.#expensiveAt = one.since;
      this.#onForegroundActivity();
    }
    return () => {
      this.#answering.delete(one);
      if (!this.#isAnswering()) this.#wakeWaiting();
    };
  }

  /** Records that another process of the installation, which may share this machine or database, is answering an expensive request. */
  noteForegroundElsewhere(): void {
    this.#expensiveAt = this.#now();
  }

  /** @param listener called when an expensive answer begins in this process; replaces the previous listener */
  onForegroundActivity(listener: () => void): void {
    this.#onForegroundActivity = listener;
  }

  get isForegroundActive(): boolean {
    return this.#now() - this.#expensiveAt < FOREGROUND_MS;
  }

  /**
   * Waits until the next piece of background work may begin. While the foreground is active, pieces run one at a time with a pause between them.
   * @returns a function that ends the piece
   */
  async beginPiece(): Promise<() => void> {
    let until = this.#now() + LONGEST_WAIT_MS;
    for (;;) {
      if (this.#isResting()) {
        await this.#waitForChange(this.#restsUntil);
        until = this.#now() + LONGEST_WAIT_MS;
      } else if (this.#mustWait() && this.#now() < until) await this.#waitForChange(until);
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
      if (this.isForegroundActive) this.#restsUntil = now + Math.min((now - began) * REST_FACTOR, LONGEST_REST_MS);
      this.#wakeWaiting();
    };
  }

  /** Like `beginPiece`, for file transfers within a request: while the foreground is idle, the transfer must not wait for its own request. */
  async beginPieceIfForeground(): Promise<() => void> {
    return this.isForegroundActive ? this.beginPiece() : () => {};
  }

  #isResting(): boolean {
    return this.#now() < this.#restsUntil && this.isForegroundActive;
  }

  #mustWait(): boolean {
    return this.#isAnswering() || (this.#pieces > 0 && this.isForegroundActive);
  }

  #isAnswering(): boolean {
    const now = this.#now();
    for (const one of this.#answering) {
      if (now - one.since < ANSWER_MS) return true;
      this.#answering.delete(one);
    }
    return false;
  }

  #waitForChange(until: number): Promise<void> {
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

  /** Lets every waiting piece check again whether it may begin, in order of arrival. */
  #wakeWaiting(): void {
    for (const go of this.#waiting.splice(0)) go();
  }
}

export const backgroundThrottle = new BackgroundThrottle();

/** Yields a file's chunks, each as a piece of background work, because reading a large file at full speed would starve other requests. */
export async function* throttleChunks<Chunk>(
  source: AsyncIterable<Chunk>,
  throttle: BackgroundThrottle = backgroundThrottle,
): AsyncGenerator<Chunk> {
  for await (const chunk of source) {
    const end = await throttle.beginPieceIfForeground();
    try {
      yield chunk;
    } finally {
      end();
    }
  }
}
