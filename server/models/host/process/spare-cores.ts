/**
 * Chooses the number of threads by the machine's other load. With as many threads as cores, every token waits for the slowest thread, so
 * under load the last thread costs more than it brings (docs/decisions/030-local-models.md). On an idle machine with two cores it halves
 * the wait.
 */
import { cpus } from "node:os";

/** CPU time in milliseconds since an arbitrary start: of the whole machine, and of this process alone. */
export interface CpuTimes {
  busyMs: number;
  ownMs: number;
  atMs: number;
}

interface Threads {
  /** A property of node-llama-cpp; a new value applies from the next batch. */
  maxThreads: number;
}

/** Number of cores that other processes may use while the machine counts as idle; a waiting server uses a few hundredths of one. */
const CALM = 0.15;
/** Number of idle samples in a row before all cores are used, because a burst of requests has gaps. */
const CALM_LOOKS = 3;
const LOOK_MS = 500;

/** Allows all cores after enough idle samples, one less after the first busy one. */
class SpareCores {
  readonly #cores: number;
  #before: CpuTimes | null = null;
  #calm = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The number of threads under load, and before the first sample. */
  get least(): number {
    return Math.max(1, this.#cores - 1);
  }

  look(now: CpuTimes): number {
    const before = this.#before;
    this.#before = now;
    if (before === null) return this.least;
    const others = (now.busyMs - before.busyMs - (now.ownMs - before.ownMs)) / Math.max(1, now.atMs - before.atMs);
    this.#calm = others < CALM ? this.#calm + 1 : 0;
    return this.#calm >= CALM_LOOKS ? this.#cores : this.least;
  }
}

/** Measures the whole machine, including a container's neighbours, because the cores that they use are not available. */
function cpuTimes(): CpuTimes {
  const busyMs = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const { user, system } = process.cpuUsage();
  return { busyMs, ownMs: (user + system) / 1000, atMs: performance.now() };
}

/** Adapts the number of threads twice a second. @returns a function that stops it */
export function adaptThreadsToLoad(llama: Threads, cores: number, look: () => CpuTimes = cpuTimes): () => void {
  const spare = new SpareCores(cores);
  llama.maxThreads = spare.look(look());
  const clock = setInterval(() => {
    llama.maxThreads = spare.look(look());
  }, LOOK_MS);
  return () => clearInterval(clock);
}
