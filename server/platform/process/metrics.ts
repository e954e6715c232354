/**
 * Counters of this process for /metrics (operations/health/metrics.ts) and for the page «Состояние». Labels are the program's own names:
 * routes, kinds of jobs, platforms. They are never user text, addresses or ids, except the organisation's id in `tenantReplies`.
 */
import { Counter, Histogram, Registry } from "prom-client";

export const registry = new Registry();
const registers = [registry];

export const httpRequests = new Counter({
  name: "twins_http_requests_total",
  help: "Answered HTTP requests by method, route template and status",
  labelNames: ["method", "route", "status"],
  registers,
});

export const httpSeconds = new Histogram({
  name: "twins_http_request_seconds",
  help: "Duration of HTTP requests by the first part of the route template; streams count until their end",
  labelNames: ["area"],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const shedRequests = new Counter({
  name: "twins_http_shed_total",
  help: "Requests that were refused because of the load, by what was long (loop, connections, turns)",
  labelNames: ["reason"],
  registers,
});

/** Origin of a reply: the server's own engine, a local model, or a remote model. */
export type ReplyEngine = "embedded" | "local" | "remote";

export const replies = new Counter({
  name: "twins_replies_total",
  help: "Replies by what they are based on, by what wrote them, and by outcome (ok, fallback, failed, aborted)",
  labelNames: ["basis", "generator", "outcome"],
  registers,
});

export const modelSeconds = new Histogram({
  name: "twins_model_reply_seconds",
  help: "Time a model took for a whole reply",
  labelNames: ["generator"],
  buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160],
  registers,
});

export const modelTokens = new Counter({
  name: "twins_model_tokens_total",
  help: "Tokens that models have read and written for replies",
  labelNames: ["generator", "direction"],
  registers,
});

export const jobsEnded = new Counter({
  name: "twins_jobs_ended_total",
  help: "Runs of background jobs in this process by kind and outcome (ok, failed)",
  labelNames: ["job", "outcome"],
  registers,
});

/** Replies since the start by organisation. Only the first few are shown, so this is not a metric. */
const repliesOf = new Map<string, number>();

export function countTenantReply(organizationId: string): void {
  repliesOf.set(organizationId, (repliesOf.get(organizationId) ?? 0) + 1);
}

/** Returns the organisations with the most replies since the start, the busiest first. */
export const busiestTenants = (most: number): [organizationId: string, replies: number][] =>
  [...repliesOf].sort(([, one], [, other]) => other - one).slice(0, most);

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

class HourlyCount {
  readonly #minutes = new Map<number, number>();

  add(now = Date.now()): void {
    const minute = Math.floor(now / MINUTE_MS);
    this.#minutes.set(minute, (this.#minutes.get(minute) ?? 0) + 1);
    for (const past of this.#minutes.keys()) if (past <= minute - HOUR_MINUTES) this.#minutes.delete(past);
  }

  reset(): void {
    this.#minutes.clear();
  }

  total(now = Date.now()): number {
    const first = Math.floor(now / MINUTE_MS) - HOUR_MINUTES;
    let sum = 0;
    for (const [minute, count] of this.#minutes) if (minute > first) sum += count;
    return sum;
  }
}

export const lastHour = {
  /** Requests answered with status 500 or above, except 503. */
  failedRequests: new HourlyCount(),
  failedJobs: new HourlyCount(),
  /** Replies that were requested from a model. */
  modelReplies: new HourlyCount(),
  /** Replies that the model failed to give. */
  modelFailures: new HourlyCount(),
};

/** Resets all counters, for tests: many test files share a process. */
export function resetCounts(): void {
  registry.resetMetrics();
  repliesOf.clear();
  for (const count of Object.values(lastHour)) count.reset();
}
