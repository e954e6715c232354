/**
 * Tells in the log when the loop that answers everybody was held, for how long, and by whom it may have been: all requests, jobs
 * and events that were under way then. One who holds it for a quarter of a second makes every other tenant wait as long.
 */
import type { Log } from "./log.ts";

const LOOK_MS = 50;
/** Shorter ones nobody notices. */
const LONG_MS = 250;
/** Under load many are under way: the latest begun are the likeliest. */
const NAMED = 10;

interface Running {
  label: string;
  since: number;
}

const running = new Set<Running>();
/** Whoever holds the loop may have ended before it is looked at. */
let justEnded: Running[] = [];

/** Runs `work` under a name: a route, a job, a channel; nothing of what people wrote. */
export async function underWay<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const end = begin(label);
  try {
    return await work();
  } finally {
    end();
  }
}

/** The same for what begins and ends in different places. @returns ends it */
export function begin(label: string): () => void {
  const one = { label, since: performance.now() };
  running.add(one);
  return () => {
    if (running.delete(one) && justEnded.length < NAMED) justEnded.push(one);
  };
}

export interface LoopWatchOptions {
  lookMs?: number;
  longMs?: number;
}

/** Until the returned function is called. */
export function watchLoop(log: Log, { lookMs = LOOK_MS, longMs = LONG_MS }: LoopWatchOptions = {}): () => void {
  let looked = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const heldMs = now - looked - lookMs;
    const used = process.threadCpuUsage(cpu);
    if (heldMs >= longMs) {
      const involved = [...justEnded, ...running].sort((one, other) => other.since - one.since).slice(0, NAMED);
      // Much less than it was held: the machine was busy with something else.
      const cpuMs = Math.round((used.user + used.system) / 1000);
      const underWay = involved.map(({ label, since }) => `${label} (${Math.round(now - since)} ms)`);
      log.warn({ heldMs: Math.round(heldMs), cpuMs, underWay }, "the event loop was held");
    }
    justEnded = [];
    looked = now;
    cpu = process.threadCpuUsage();
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
