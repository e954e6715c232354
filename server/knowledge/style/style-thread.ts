/** The thread that measures styles. It is kept for a while, because starting it costs more than measuring a short history. */
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "#server/platform/config.ts";

const IDLE_MS = 10_000;

interface StyleThread {
  worker: Worker;
  /** Rejects when the thread ends, with or without an error. */
  died: Promise<never>;
  /** Keeps the thread for the next history; call it only after the response to this history's last message. */
  giveBack: () => void;
  end: () => Promise<void>;
}

let idle: { worker: Worker; timer: NodeJS.Timeout } | undefined;

/** Neither the idle thread nor its timer keeps the process alive. */
export function takeStyleThread(): StyleThread {
  const worker = takeIdle() ?? start();
  let fail: (error: unknown) => void = () => undefined;
  // A thread may exit without an error event, for example when it runs out of memory while loading.
  const leave = () => fail(new Error("The style thread has left"));
  const died = new Promise<never>((_, reject) => {
    fail = reject;
    worker.once("error", fail);
    worker.once("exit", leave);
  });
  // Prevents an unhandled rejection if the thread dies while no caller waits.
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
  // Far above what counters for a thousand people need; with a tighter limit V8 collects garbage earlier.
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
