/** Pool of the embedded engine's only connection. Users come before jobs, and users take turns among themselves. */
import type { PoolClient, PoolConfig } from "pg";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { currentCaller, isInBackground } from "../caller-priority.ts";
import { GuardedPool, onRelease, refuseInsideTransaction } from "../connection-guard.ts";

interface Waiting {
  who: string;
  since: number;
  go(): void;
}

/** Key of jobs and of all other work without a user. */
const JOBS = "";
/** Key of a piece of background work that the throttle has let begin while the foreground is active: that was its wait, so it is next. */
const RATIONED = "rationed";
/** After this many turns of users a job gets a turn, however many users wait. */
const PEOPLE_IN_A_ROW = 8;
/** The longest time that a job waits behind users, ms. */
const JOB_MS = 500;

type Callback = Parameters<GuardedPool["connect"]>[0];

export class EmbeddedPool extends GuardedPool {
  readonly #waitMs: number;
  /** Waiting callers by key, oldest first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = false;
  #peopleInARow = 0;

  /** @param waitMs after a longer wait for the connection, a call fails because the database is unavailable */
  constructor(config: PoolConfig, waitMs: number) {
    super({ ...config, max: 1, idleTimeoutMillis: 0 });
    this.#waitMs = waitMs;
  }

  /** Counts users only; jobs wait behind them. */
  override get longestWaitMs(): number {
    const since = [...this.#waiting].flatMap(([who, [first]]) =>
      isPerson(who) && first !== undefined ? first.since : [],
    );
    return since.length === 0 ? 0 : performance.now() - Math.min(...since);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: NonNullable<Callback>): void;
  override connect(callback?: Callback): unknown {
    const given = this.#connect();
    if (callback === undefined) return given;
    given.then(
      (client) => callback(undefined, client, (error) => client.release(error)),
      (error) => callback(error, undefined, () => {}),
    );
    return;
  }

  async #connect(): Promise<PoolClient> {
    refuseInsideTransaction("Another connection was asked for");
    if (!isInBackground()) return this.#inTurn(currentCaller());
    return this.asPiece(() => this.#inTurn(backgroundThrottle.isForegroundActive ? RATIONED : JOBS));
  }

  async #inTurn(who: string): Promise<PoolClient> {
    if (this.#taken) await this.#turn(who);
    this.#taken = true;
    let client: PoolClient;
    try {
      client = await this.connectNow();
    } catch (error) {
      this.#next();
      throw error;
    }
    return onRelease(client, () => this.#next());
  }

  #turn(who: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine = this.#waiting.get(who) ?? [];
      const waiting: Waiting = { who, since: performance.now(), go: () => {} };
      const timer = setTimeout(() => {
        this.#leave(waiting);
        reject(new Error("timeout exceeded when trying to connect"));
      }, this.#waitMs).unref();
      waiting.go = () => {
        clearTimeout(timer);
        resolve();
      };
      mine.push(waiting);
      this.#waiting.set(who, mine);
    });
  }

  #leave(waiting: Waiting): void {
    const { who } = waiting;
    const left = (this.#waiting.get(who) ?? []).filter((one) => one !== waiting);
    if (left.length === 0) this.#waiting.delete(who);
    else this.#waiting.set(who, left);
  }

  #next(): void {
    this.#taken = false;
    const who = this.#chosen();
    const mine = who === undefined ? undefined : this.#waiting.get(who);
    const waiting = mine?.shift();
    if (who === undefined || mine === undefined || waiting === undefined) return;
    // The map is a queue in order of insertion. Deleting the user and inserting him again moves him to its end.
    this.#waiting.delete(who);
    if (mine.length > 0) this.#waiting.set(who, mine);
    this.#peopleInARow = isPerson(who) && this.#waiting.has(JOBS) ? this.#peopleInARow + 1 : 0;
    // Taken synchronously, so that no other caller gets the connection in between.
    this.#taken = true;
    waiting.go();
  }

  #chosen(): string | undefined {
    if (this.#waiting.has(RATIONED)) return RATIONED;
    const job = this.#waiting.get(JOBS)?.[0];
    const overdue =
      job !== undefined && (this.#peopleInARow >= PEOPLE_IN_A_ROW || performance.now() - job.since >= JOB_MS);
    if (overdue) return JOBS;
    for (const who of this.#waiting.keys()) if (isPerson(who)) return who;
    return job === undefined ? undefined : JOBS;
  }
}

const isPerson = (who: string): boolean => who !== JOBS && who !== RATIONED;
