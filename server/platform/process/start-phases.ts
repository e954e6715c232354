/** What each phase of the start has taken, for the log's line «started» and `npm run bench:start`. */

interface Phase {
  phase: string;
  ms: number;
  /** Of all threads of the process. */
  cpuMs: number;
}

const phases: Phase[] = [];
let endedAt = 0;
let cpuAt = 0;

/** Ends the phase that began at the end of the one before, the first one with the process. */
export function endPhase(phase: string): void {
  const now = performance.now();
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1000;
  phases.push({ phase, ms: Math.round(now - endedAt), cpuMs: Math.round(cpu - cpuAt) });
  endedAt = now;
  cpuAt = cpu;
}

export function takePhases(): Phase[] {
  return phases.splice(0);
}
