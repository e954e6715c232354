/** Lowers the CPU priority of background work. Where the platform does not support it, such work runs at normal priority. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * A third of an answer's share of a processor that both want. The lowest priority, 19, has a seventieth: on a busy machine the preview of a
 * small file would take minutes.
 */
export const BACKGROUND_PRIORITY = 5;

/** For a process that has just begun: threads that it makes later are of the same priority. */
export function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // It has left already, or the system does not allow it.
  }
}

/** Of the worker thread that calls this, on Linux, where a thread has a priority of its own. */
export function lowerPriorityOfThread(): void {
  if (isMainThread) return;
  try {
    // «1234/task/1240»
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (thread > 0 && thread !== process.pid) setPriority(thread, BACKGROUND_PRIORITY);
  } catch {
    // Another system, or one without /proc.
  }
}
