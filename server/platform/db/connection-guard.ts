/**
 * Prevents deadlocks of the pool: code that holds a connection must not wait for a second one. With one connection (the embedded database)
 * it would wait for ever, with ten as soon as ten do so. Code inside a transaction is marked, so that its request for another connection
 * fails at once on either engine; a transaction that is stuck for another reason is ended.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import pg, { type PoolClient } from "pg";
import { backgroundThrottle } from "#server/platform/process/background-throttle.ts";
import { currentSpan, isTracing } from "#server/platform/process/tracing.ts";
import { isInBackground } from "./caller-priority.ts";

interface Hold {
  client: PoolClient;
  /** Stack of the code that opened the transaction. */
  opened: Error;
  began: number;
  /** Number of completed statements at the last check. */
  statements: number;
  /** Since when (ms) that number has not changed. */
  stillSince: number;
  over: boolean;
  end(error: StalledTransaction): void;
}

const holds = new AsyncLocalStorage<Hold>();

/** Code inside a transaction used the outer database, which is always a bug. */
export class ConnectionHeld extends Error {
  constructor(what: string, opened: Error) {
    // pg's pool replaces an error's stack with its own, so the caller's stack is taken here.
    const asked = stackOf(new Error());
    super(`${what} inside a transaction, which was opened here:\n${stackOf(opened)}\nIt was asked for here:\n${asked}`);
    this.name = "ConnectionHeld";
  }
}

/** A transaction sent no statement for too long: what it waits for may itself be waiting for its connection. */
export class StalledTransaction extends Error {
  constructor(hold: { opened: Error; began: number }, stillMs: number) {
    super(
      `A transaction held a connection for ${Math.round(performance.now() - hold.began)} ms, the last ${Math.round(stillMs)} without a statement. ` +
        `It was opened here:\n${stackOf(hold.opened)}`,
    );
    this.name = "StalledTransaction";
  }
}

const stackOf = ({ stack = "" }: Error): string => stack.split("\n").slice(1).join("\n");

export function holdsConnection(): boolean {
  return holds.getStore()?.over === false;
}

/** @param what the refused action, as a clause @throws ConnectionHeld inside a transaction */
export function refuseInsideTransaction(what: string): void {
  const hold = holds.getStore();
  if (hold?.over === false) throw new ConnectionHeld(what, hold.opened);
}

/** Runs work that a transaction only starts and does not wait for, such as notification handlers. */
export function outsideTransactions<T>(work: () => T): T {
  return holds.exit(work);
}

/** A pool that refuses a connection to code that already holds one, and measures how long the others wait. */
export class GuardedPool extends pg.Pool {
  /** Request times of the waiting callers, oldest first. */
  readonly #asked = new Set<{ at: number }>();

  /** How long the first caller in the queue has waited, ms. */
  get longestWaitMs(): number {
    const [first] = this.#asked;
    return first === undefined ? 0 : performance.now() - first.at;
  }

  override connect(): Promise<PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: PoolClient | undefined,
      done: (release?: Error | boolean) => void,
    ) => void,
  ): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): unknown {
    try {
      refuseInsideTransaction("Another connection was asked for");
    } catch (error) {
      if (callback === undefined) return Promise.reject(error);
      callback(error as Error, undefined, () => {});
      return;
    }
    if (isInBackground()) {
      const given = this.asPiece(() => this.connectNow());
      if (callback === undefined) return given;
      given.then(
        (client) => callback(undefined, client, (error) => client.release(error)),
        (error) => callback(error, undefined, () => {}),
      );
      return;
    }
    const asked = { at: performance.now() };
    this.#asked.add(asked);
    if (callback === undefined) return super.connect().finally(() => this.#asked.delete(asked));
    super.connect((error, client, done) => {
      this.#asked.delete(asked);
      callback(error, client, done);
    });
    return;
  }

  /** Connects without yielding to other work. */
  protected connectNow(): Promise<PoolClient> {
    const asked = { at: performance.now() };
    this.#asked.add(asked);
    return super.connect().finally(() => this.#asked.delete(asked));
  }

  /** Connects when it is the background work's turn; the time for which the connection is held is one piece of that work. */
  protected async asPiece(connect: () => Promise<PoolClient>): Promise<PoolClient> {
    const piece = await backgroundThrottle.beginPiece();
    try {
      const client = await connect();
      piece.started();
      return onRelease(client, piece.end);
    } catch (error) {
      piece.end();
      throw error;
    }
  }
}

/** Calls `released` at the end of this checkout: the pool assigns a new `release` at each checkout, so the wrapper does not outlive it. */
export function onRelease(client: PoolClient, released: () => void): PoolClient {
  const { release } = client;
  client.release = (error) => {
    release.call(client, error);
    released();
  };
  return client;
}

const answered = new WeakMap<PoolClient, number>();

/** Counts the completed statements of a pool's connections for `whileHolding`. */
export function countStatements(pool: pg.Pool): void {
  pool.on("connect", (client) => {
    answered.set(client, 0);
    client.on("drain", () => answered.set(client, answered.get(client)! + 1));
  });
  // The embedded database's connection is older than this call, so its `connect` event has passed.
  if (isTracing()) pool.on("acquire", timeStatements);
}

const timed = new WeakSet<PoolClient>();

/** Adds a statement's duration to the span in which it runs; its text and values are left out. */
function timeStatements(client: PoolClient): void {
  if (timed.has(client)) return;
  timed.add(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const span = currentSpan();
    if (span === undefined) return query(...args);
    const began = performance.now();
    const ended = () => span.countStatement(performance.now() - began);
    const [first] = args as [{ callback?: unknown } | string];
    const last = args.at(-1);
    if (typeof last === "function") {
      return query(...args.slice(0, -1), (...given: unknown[]) => {
        ended();
        last(...given);
      });
    }
    if (typeof first === "object" && typeof first.callback === "function") {
      const { callback } = first;
      first.callback = function (this: unknown, ...given: unknown[]) {
        ended();
        return callback.apply(this, given);
      };
      return query(...args);
    }
    const asked = query(...args);
    if (asked instanceof Promise) asked.then(ended, ended);
    return asked;
  }) as typeof client.query;
}

export type StalledListener = (stalled: StalledTransaction) => void;

export class StuckTransactionWatch {
  readonly #stillMs: number;
  readonly #holds = new Set<Hold>();
  readonly #listeners = new Set<StalledListener>();
  #timer: NodeJS.Timeout | undefined;

  /** @param stillMs milliseconds without a statement after which a transaction is ended */
  constructor(stillMs: number) {
    this.#stillMs = stillMs;
  }

  onStalled(listener: StalledListener): void {
    this.#listeners.add(listener);
  }

  /**
   * Runs `work` marked as holding `client`.
   * @param opened an Error created by the code that requested the transaction, for its stack
   * @throws StalledTransaction when it was stuck; its later use of the connection fails
   */
  async whileHolding<T>(client: PoolClient, opened: Error, work: () => Promise<T>): Promise<T> {
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    const now = performance.now();
    const hold: Hold = { client, opened, began: now, statements: -1, stillSince: now, over: false, end };
    this.#holds.add(hold);
    this.#timer ??= setInterval(() => this.#look(), Math.min(1000, this.#stillMs / 4)).unref();
    try {
      return await Promise.race([holds.run(hold, work), ended]);
    } finally {
      hold.over = true;
      this.#holds.delete(hold);
      if (this.#holds.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  #look(): void {
    const now = performance.now();
    for (const hold of this.#holds) {
      const statements = answered.get(hold.client) ?? 0;
      // `pg` sets it with the response to the last statement.
      const { readyForQuery } = hold.client as PoolClient & { readyForQuery?: boolean };
      if (statements !== hold.statements || readyForQuery !== true) {
        hold.statements = statements;
        hold.stillSince = now;
      } else if (now - hold.stillSince >= this.#stillMs) {
        const stalled = new StalledTransaction(hold, now - hold.stillSince);
        hold.end(stalled);
        for (const listener of this.#listeners) listener(stalled);
      }
    }
  }
}
