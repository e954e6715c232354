/**
 * Chooses the number of threads by what other processes do on this machine. With as many threads as cores every token waits for the slowest
 * thread, so beside other work the last thread costs more than it brings (docs/decisions/030-local-models.md); on an idle machine of two cores it halves the wait.
 */
import { cpus } from "node:os";

/** CPU time in milliseconds since an arbitrary beginning: of the whole machine, and of this process alone. */
export interface CpuTimes {
  busyMs: number;
  ownMs: number;
  atMs: number;
}

interface Threads {
  /** A property of node-llama-cpp; a new value holds from the next batch on. */
  maxThreads: number;
}

/** Number of cores that other processes may use while the machine counts as idle; a waiting server uses a few hundredths. */
const CALM = 0.15;
/** Number of idle samples in a row before all cores are taken, because a burst of requests has gaps. */
const CALM_LOOKS = 3;
const LOOK_MS = 500;

/** All cores after enough idle samples, one less after the first busy one. */
class SpareCores {
  readonly #cores: number;
  #before: CpuTimes | null = null;
  #calm = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The number of threads while others work, and before anything is known. */
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

/** Counts a container's neighbours as well, because the cores that they use are not available. */
function cpuTimes(): CpuTimes {
  const busyMs = cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
  const { user, system } = process.cpuUsage();
  return { busyMs, ownMs: (user + system) / 1000, atMs: performance.now() };
}

/** Adapts the number of threads twice a second. @returns stops it */
export function adaptThreadsToLoad(llama: Threads, cores: number, look: () => CpuTimes = cpuTimes): () => void {
  const spare = new SpareCores(cores);
  llama.maxThreads = spare.look(look());
  const clock = setInterval(() => {
    llama.maxThreads = spare.look(look());
  }, LOOK_MS);
  return () => clearInterval(clock);
}
