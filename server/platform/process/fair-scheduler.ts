/** Limits how many expensive requests run at once, per user and organisation, in a fair order and with bounded queues. */
import { tooMany } from "#server/platform/errors.ts";

export interface SchedulerLimits {
  all: number;
  perOrganization: number;
  perUser: number;
  waitingPerUser: number;
  waitingPerOrganization: number;
  /** Maximum number of waiting requests in total; absent: unlimited. */
  waiting?: number;
}

/** The originator of a request: a user, an API key or a visitor, and the organisation whose twin is asked. */
export interface Asker {
  organizationId: string;
  userId: string;
}

interface Waiting {
  asker: Asker;
  begin(): void;
}

/** The main thread and the database can do little more at once; a higher limit would only make each request slower. */
export const SCHEDULER_LIMITS: SchedulerLimits = {
  all: 8,
  perOrganization: 4,
  perUser: 2,
  waitingPerUser: 40,
  waitingPerOrganization: 120,
};

export class FairScheduler {
  readonly #limits: SchedulerLimits;
  /** Number of running requests by organisation and user; "" counts all. */
  readonly #running = new Map<string, number>();
  /** Oldest first. */
  #waiting: Waiting[] = [];
  /** Number of the turn that each organisation and user had last. */
  readonly #last = new Map<string, number>();
  #turns = 0;

  constructor(limits: SchedulerLimits = SCHEDULER_LIMITS) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when it is the asker's turn.
   * @param signal aborts when the asker has left; queued work is then dropped
   * @throws Problem 429 «too_many_at_once» when too many wait already, of the asker's or of all
   */
  async run<T>(asker: Asker, signal: AbortSignal, work: () => Promise<T> | T): Promise<T> {
    await this.#turn(asker, signal);
    try {
      return await work();
    } finally {
      this.#count(asker, -1);
      this.#beginNext();
    }
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running.get("") ?? 0;
  }

  async #turn(asker: Asker, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#mayBegin(asker)) return this.#begin(asker);
    const { waitingPerUser, waitingPerOrganization, waiting: most = Number.POSITIVE_INFINITY } = this.#limits;
    const ofUser = this.#waiting.filter((one) => one.asker.userId === asker.userId).length;
    const ofOrganization = this.#waiting.filter((one) => one.asker.organizationId === asker.organizationId).length;
    if (ofUser >= waitingPerUser || ofOrganization >= waitingPerOrganization || this.#waiting.length >= most) {
      throw tooMany("too_many_at_once", "Слишком много запросов сразу. Дождитесь ответов на прежние и повторите.", {
        retryAfter: 2,
      });
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        this.#begin(asker);
        resolve();
      };
      const waiting: Waiting = { asker, begin };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#beginNext();
    });
  }

  #beginNext(): void {
    for (;;) {
      const able = this.#waiting.filter(({ asker }) => this.#mayBegin(asker));
      // The organisation that has waited longest comes first, then the user within it, then the oldest request.
      const next = able.reduce<Waiting | undefined>(
        (best, one) => (best === undefined || this.#isBefore(one.asker, best.asker) ? one : best),
        undefined,
      );
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      next.begin();
    }
  }

  #isBefore(one: Asker, other: Asker): boolean {
    const last = (key: string) => this.#last.get(key) ?? 0;
    const [mine, theirs] = [last(one.organizationId), last(other.organizationId)];
    return mine === theirs ? last(one.userId) < last(other.userId) : mine < theirs;
  }

  #mayBegin({ organizationId, userId }: Asker): boolean {
    const { all, perOrganization, perUser } = this.#limits;
    const running = (key: string) => this.#running.get(key) ?? 0;
    return running("") < all && running(organizationId) < perOrganization && running(userId) < perUser;
  }

  #begin(asker: Asker): void {
    this.#turns++;
    this.#last.set(asker.organizationId, this.#turns).set(asker.userId, this.#turns);
    this.#count(asker, 1);
  }

  #count({ organizationId, userId }: Asker, by: number): void {
    // One map counts all requests (""), those of each organisation and those of each user, key or visitor. UUIDs never collide.
    for (const key of ["", organizationId, userId]) {
      const running = (this.#running.get(key) ?? 0) + by;
      if (running > 0) this.#running.set(key, running);
      else this.#running.delete(key);
    }
    if (this.#running.size === 0 && this.#waiting.length === 0) this.#last.clear();
  }
}
