/**
 * Shares the counts of rate limits between all processes of an installation. Each process sends its counts every second by NOTIFY, so no
 * request waits for the database and nothing is stored (docs/decisions/009-process-roles-and-job-scheduling.md).
 */
import { createHash, randomUUID } from "node:crypto";
import type { FastifyRateLimitOptions, FastifyRateLimitStore } from "@fastify/rate-limit";
import { LRUCache } from "lru-cache";
import type { OpenDatabase } from "#server/platform/db/database.ts";
import { listenTo } from "#server/platform/db/notifications.ts";
import type { Log } from "#server/platform/log.ts";

export interface SharedCounts {
  /** For the `store` option of @fastify/rate-limit. */
  Store: new (
    options: FastifyRateLimitOptions,
  ) => FastifyRateLimitStore;
  close(): Promise<void>;
}

interface Count {
  /** Number of calls in the window, including those that other processes have reported. */
  current: number;
  /** Number of calls that are not yet sent to the other processes. */
  untold: number;
  windowMs: number;
  /** End of the window, in `Date.now()` milliseconds. */
  endsAt: number;
}

type Counted = Parameters<FastifyRateLimitStore["incr"]>[1];
/** Options that the plugin passes to the store of a route, or of a limiter that is called directly and has no route. */
type ChildOptions = { routeInfo?: { method?: string | readonly string[]; url?: string }; groupId?: string };

const CHANNEL = "request_counts";
const TELL_MS = 1000;
/** Maximum number of remembered counts, as many as the plugin's own store keeps for one route. */
const REMEMBERED = 20_000;
/** Maximum number of counts sent per second; those of clients near their limit go first. */
const TOLD_AT_ONCE = 500;
/** Number of lines per notification: PostgreSQL limits its payload to 8000 bytes. */
const PAYLOAD_LINES = 100;

export async function openSharedCounts(database: OpenDatabase, log: Log): Promise<SharedCounts> {
  const me = randomUUID();
  const counts = new LRUCache<string, Count>({ max: REMEMBERED });
  const untold = new Set<string>();

  function add(key: string, more: number, windowMs: number): Count {
    const now = Date.now();
    let count = counts.get(key);
    if (count === undefined || count.endsAt <= now) {
      count = { current: 0, untold: 0, windowMs, endsAt: now + windowMs };
      counts.set(key, count);
    }
    count.current += more;
    return count;
  }

  function hear(payload: string): void {
    const [from, ...lines] = payload.split("\n");
    if (from === me) return;
    for (const line of lines) {
      const [key, more, windowMs] = line.split(" ");
      add(key!, Number(more), Number(windowMs));
    }
  }

  async function tell(): Promise<void> {
    const waiting = [...untold].flatMap((key) => {
      const count = counts.peek(key);
      return count === undefined ? [] : [{ key, count }];
    });
    untold.clear();
    const first = waiting.sort((a, b) => b.count.current - a.count.current).slice(0, TOLD_AT_ONCE);
    const lines = first.map(({ key, count }) => `${key} ${count.untold} ${count.windowMs}`);
    for (const { count } of first) count.untold = 0;
    for (let at = 0; at < lines.length; at += PAYLOAD_LINES) {
      const payload = [me, ...lines.slice(at, at + PAYLOAD_LINES)].join("\n");
      await database.db.$client.query("select pg_notify($1, $2)", [CHANNEL, payload]);
    }
  }

  class Store implements FastifyRateLimitStore {
    readonly #name: string;

    /** @param name the same in all processes, and unique to this limit */
    constructor(_options: unknown, name = "") {
      this.#name = name;
    }

    incr(address: string, done: Counted, windowMs = 60_000): void {
      // Hashed, because readers of the database's notifications must not learn the address.
      const key = createHash("sha256").update(`${this.#name} ${address}`).digest("base64url").slice(0, 22);
      const count = add(key, 1, windowMs);
      count.untold++;
      untold.add(key);
      done(null, { current: count.current, ttl: count.endsAt - Date.now() });
    }

    child(options: object): FastifyRateLimitStore {
      const { routeInfo, groupId } = options as ChildOptions;
      const name = routeInfo?.url === undefined ? groupId : `${routeInfo.method ?? ""} ${routeInfo.url}`;
      // Without a name its calls would be added to those of every other unnamed limiter.
      if (name === undefined) throw new Error("A limiter made by createRateLimit needs a groupId");
      return new Store(options, name);
    }
  }

  const listening = await listenTo(database, CHANNEL, { heard: hear, opened: () => {} }, log);
  let telling = Promise.resolve();
  const timer = setInterval(() => {
    // While the database is unavailable, each process counts alone.
    if (untold.size > 0) telling = tell().catch((error: unknown) => log.debug({ err: error }, "counts were not told"));
  }, TELL_MS).unref();
  return {
    Store,
    async close() {
      clearInterval(timer);
      await telling;
      await listening.stop();
    },
  };
}
