/** Time limits of requests to a model's process, in milliseconds, and the queue limits. */
import type { SchedulerLimits } from "#server/platform/process/fair-scheduler.ts";
import type { HostLimits } from "./host-process.ts";

export interface HostTimes extends Omit<HostLimits, "memoryBytes"> {
  /** For a turn in the queue. */
  waitMs: number;
  /** Until the first token of a generation, while the model reads the prompt. */
  firstTokenMs: number;
  /** Between two tokens, and until a vector or a score. */
  nextTokenMs: number;
  /** For a whole generation, from the beginning of its turn. */
  totalMs: number;
  /** Pause before a restart after the first failure of the process; each further failure in a row doubles it. */
  restMs: number;
}

export const TIMES: HostTimes = {
  loadMs: 180_000,
  silentMs: 20_000,
  priority: 10,
  waitMs: 20_000,
  firstTokenMs: 60_000,
  nextTokenMs: 20_000,
  totalMs: 120_000,
  restMs: 500,
};

/** A CPU works best on one conversation at a time; a request far back in the queue is answered sooner without a model. */
export const GENERATIONS: SchedulerLimits = {
  all: 1,
  perOrganization: 1,
  perUser: 1,
  waitingPerUser: 3,
  waitingPerOrganization: 4,
  waiting: 8,
};
export const VECTORS: SchedulerLimits = {
  all: 1,
  perOrganization: 1,
  perUser: 1,
  waitingPerUser: 200,
  waitingPerOrganization: 400,
};
