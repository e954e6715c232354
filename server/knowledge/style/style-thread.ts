/** The thread that measures styles. It is kept for a while, because starting it costs more than measuring a short history. */
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "#server/platform/config.ts";

const IDLE_MS = 10_000;

interface StyleThread {
  worker: Worker;
  /** Rejects when the thread ends, with or without an error. */
  died: Promise<never>;
  /** Keeps the thread for the next history; only after its answer to the last message of this one. */
  giveBack: () => void;
  /** Ends the thread, unless it was given back. */
  end: () => Promise<void>;
}

let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/** Neither the idle thread nor its timer keeps the process alive. */
export function takeStyleThread(): StyleThread {
  const worker = takeIdle() ?? start();
  let fail: (error: unknown) => void = () => undefined;
  // A thread may leave without an error: when it is out of memory as it loads.
  const leave = () => fail(new Error("The style thread has left"));
  const died = new Promise<never>((_, reject) => {
    fail = reject;
    worker.once("error", fail);
    worker.once("exit", leave);
  });
  // It may die while no caller waits for it.
  died.catch(() => undefined);
  let kept = false;
  return {
    worker,
    died,
    giveBack: () => {
      worker.off("error", fail);
      worker.off("exit", leave);
      if (idle !== undefined) return;
      kept = true;
      keep(worker);
    },
    end: async () => {
      if (!kept) await worker.terminate();
    },
  };
}

function start(): Worker {
  // Far above what the counters of a thousand people need; with a smaller heap in view V8 clears up sooner.
  const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 };
  const worker = new Worker(new URL("style-worker.ts", import.meta.url), {
    env: threadEnvironment(),
    resourceLimits,
  });
  return worker.on("error", () => forget(worker)).on("exit", () => forget(worker));
}

function takeIdle(): Worker | undefined {
  if (idle === undefined) return;
  const { worker, timer } = idle;
  forget(worker);
  clearTimeout(timer);
  worker.ref();
  return worker;
}

function keep(worker: Worker): void {
  worker.unref();
  const timer = setTimeout(() => {
    forget(worker);
    worker.terminate();
  }, IDLE_MS).unref();
  idle = { worker, timer };
}

function forget(worker: Worker): void {
  if (idle?.worker === worker) idle = undefined;
}
