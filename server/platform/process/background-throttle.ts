/**
 * Throttles background work in favour of foreground requests. Background work runs in pieces, and a piece starts in a gap between two
 * answers. A running piece cannot be interrupted, so pieces are small while the foreground is active (adaptive-batch-size.ts).
 * `runInBackground` and the jobs' rules define background work; its pieces are its database transactions
 * (docs/decisions/009-process-roles-and-job-scheduling.md).
 *
 * An account bounds what background work gets while the foreground is active: its share of the time is paid in while it wants to work, and
 * each piece is paid for, and so is the computing between two pieces (`turn`). Below zero it rests, above zero it waits for a gap, and with
 * a piece's worth of waiting saved up it goes on without one. So it gets its share of a server that is never idle too, and no more.
 */

import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds: a longer answer waits for a model or a stream, so background work no longer delays it. */
const ANSWER_MS = 250;
/** Milliseconds for which the foreground counts as active after an expensive request. */
const FOREGROUND_MS = 2000;
/**
 * The share of the time that background work gets while the foreground is active. A piece itself delays one answer, but the garbage and
 * dirty pages that it leaves delay later answers, so pieces are followed by rests.
 */
const SHARE = 1 / 4;
/** Milliseconds of work that may be saved up: a tenth of a second of waiting for a gap. */
const MOST_SAVED_MS = 100 * SHARE;
/** The longest rest in ms, however long the piece was. */
const LONGEST_REST_MS = 500;
/** Milliseconds that a piece is expected to take; they are charged at its start, so that one that takes long is not followed by all that wait. */
const EXPECTED_MS = 6;

interface Answering {
  since: number;
}

interface Piece {
  /** Called when the work itself begins, after a wait for what it needs. */
  started(): void;
  /** May be called again. */
  end(): void;
}

const UNTHROTTLED: Piece = { started() {}, end() {} };

export class BackgroundThrottle {
  readonly #now: () => number;
  /** Oldest first. */
  readonly #answering = new Set<Answering>();
  #expensiveAt = Number.NEGATIVE_INFINITY;
  #pieces = 0;
  /** Pieces that wait or run, and computing between them. */
  #wanted = 0;
  /** Milliseconds of work that background work is owed, as of `#settledAt`; negative while it has had more than its share. */
  #owedMs = 0;
  #settledAt = Number.NEGATIVE_INFINITY;
  /** Since when background work computes between two pieces; null: it does not. */
  #computingSince: number | null = null;
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
   * Waits until the next piece of background work may begin. While the foreground is active, pieces run one at a time with rests between them.
   */
  async beginPiece(): Promise<Piece> {
    this.#payComputing();
    this.#settle();
    this.#wanted++;
    for (let ms = this.#msToWait(); ms > 0; ms = this.#msToWait()) await this.#waitForChange(ms);
    this.#pieces++;
    this.#owedMs -= EXPECTED_MS;
    let began = this.#now();
    let ended = false;
    return {
      started: () => {
        began = this.#now();
      },
      end: () => {
        if (ended) return;
        ended = true;
        this.#settle();
        this.#pieces--;
        this.#wanted--;
        this.#owedMs += EXPECTED_MS;
        this.#pay(this.#now() - began);
        this.#wakeWaiting();
      },
    };
  }

  /**
   * Resolves in a turn of the event loop of its own, behind the requests that have arrived; call it after a piece. The computing that follows,
   * up to the next wait, is paid for like a piece.
   */
  turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // One round of the loop runs both, one after the other. Between them run the continuations of this promise alone.
    setImmediate(() => {
      this.#settle();
      this.#wanted++;
      this.#computingSince = this.#now();
      resolve();
    });
    setImmediate(() => this.#payComputing());
    return promise;
  }

  /** Runs a few milliseconds of computing as a piece, in a turn of the event loop of its own. Longer computing is done in several. */
  async compute<T>(work: () => T): Promise<T> {
    const piece = await this.beginPiece();
    try {
      await nextTurn();
      piece.started();
      return work();
    } finally {
      piece.end();
    }
  }

  /** Like `beginPiece`, for file transfers within a request: while the foreground is idle, the transfer must not wait for its own request. */
  async beginPieceIfForeground(): Promise<Piece> {
    return this.isForegroundActive ? this.beginPiece() : UNTHROTTLED;
  }

  #payComputing(): void {
    if (this.#computingSince === null) return;
    const computed = this.#now() - this.#computingSince;
    this.#computingSince = null;
    this.#settle();
    this.#wanted--;
    if (this.isForegroundActive) this.#pay(computed);
  }

  /** Call it once the time up to now is settled. */
  #pay(ms: number): void {
    this.#owedMs = Math.max(this.#owedMs - ms, -LONGEST_REST_MS * SHARE);
  }

  /** 0: a piece may begin. */
  #msToWait(): number {
    this.#settle();
    if (this.#owedMs < 0) return -this.#owedMs / SHARE;
    return this.#mustWait() ? (MOST_SAVED_MS - this.#owedMs) / SHARE : 0;
  }

  /** Pays in for the time since the last call; call it before a piece is asked for or ends. */
  #settle(): void {
    const now = this.#now();
    const gained = (now - this.#settledAt) * SHARE;
    this.#settledAt = now;
    const isWanted = this.#wanted > 0;
    // Only rests pass while nothing wants to work, and an idle server owes nothing.
    const most = isWanted ? MOST_SAVED_MS : Math.max(this.#owedMs, 0);
    this.#owedMs = Math.min(this.#owedMs + gained, most);
    if (!this.isForegroundActive) this.#owedMs = isWanted ? Math.max(this.#owedMs, 0) : 0;
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

  #waitForChange(ms: number): Promise<void> {
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
        Math.max(1, ms),
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
