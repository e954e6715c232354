/**
 * Logs when the event loop was blocked, for how long, and which requests, jobs and events were running then. Work that blocks it for a
 * quarter of a second delays every other tenant as long.
 */
import type { Log } from "#server/platform/log.ts";
import { loopDelay } from "./loop-delay.ts";

const LOOK_MS = 50;
/** Shorter blocks are not logged. */
const LONG_MS = 250;
/** Maximum number of named activities; the latest started ones are the likeliest causes. */
const NAMED = 10;

interface Running {
  label: string;
  since: number;
}

const running = new Set<Running>();
/** Recently ended activities are named too, because the cause may have ended before the check. */
let justEnded: Running[] = [];

/** Runs `work` under a name: a route, a job or a channel. The name must contain no user content. */
export async function runLabelled<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
  const end = beginLabelled(label);
  try {
    return await work();
  } finally {
    end();
  }
}

/** `runLabelled` for work that begins and ends in different places. @returns a function that ends it */
export function beginLabelled(label: string): () => void {
  const one = { label, since: performance.now() };
  running.add(one);
  return () => {
    if (running.delete(one) && justEnded.length < NAMED) justEnded.push(one);
  };
}

interface LoopMonitorOptions {
  lookMs?: number;
  longMs?: number;
}

export function monitorEventLoop(
  log: Log,
  { lookMs = LOOK_MS, longMs = LONG_MS }: LoopMonitorOptions = {},
): () => void {
  let looked = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const heldMs = now - looked - lookMs;
    loopDelay.record(Math.max(0, heldMs), now - looked, now);
    const used = process.threadCpuUsage(cpu);
    if (heldMs >= longMs) {
      const involved = [...justEnded, ...running].sort((one, other) => other.since - one.since).slice(0, NAMED);
      // If the CPU time is much shorter than the block, other programs kept the machine busy.
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
