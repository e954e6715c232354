/**
 * What this process counts for /metrics (operations/health/metrics.ts) and for the page «Состояние». Labels are names of the program: routes, kinds of
 * jobs, platforms; never what anybody wrote, an address or an id, but for the organisation's in `tenantReplies`.
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

/** Who wrote a reply: the server's own engine, a model file on this machine, or a model's server. */
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

/** Replies since the start by organisation. Only the first few are shown, so it is no metric of its own. */
const repliesOf = new Map<string, number>();

export function countTenantReply(organizationId: string): void {
  repliesOf.set(organizationId, (repliesOf.get(organizationId) ?? 0) + 1);
}

/** The organisations with the most replies since the start, the busiest first. */
export const busiestTenants = (most: number): [organizationId: string, replies: number][] =>
  [...repliesOf].sort(([, one], [, other]) => other - one).slice(0, most);

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** How often something has happened within the last hour, by minutes. */
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

/** The last hour of this process. */
export const lastHour = {
  /** Requests that were answered with 500 or more. */
  failedRequests: new HourlyCount(),
  failedJobs: new HourlyCount(),
  /** Replies that a model was asked for, and those of them that it did not give. */
  modelReplies: new HourlyCount(),
  modelFailures: new HourlyCount(),
};

/** Counts anew from nothing, for tests: many files of them share a process. */
export function resetCounts(): void {
  registry.resetMetrics();
  repliesOf.clear();
  for (const count of Object.values(lastHour)) count.reset();
}
