/** Lowers the CPU priority of background work. On a platform without support, such work runs at normal priority. */
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

/**
 * Nice value that gives a third of an answer's CPU share under contention. The lowest priority, 19, gives a seventieth: on a busy machine
 * the preview of a small file would take minutes.
 */
export const BACKGROUND_PRIORITY = 5;

/** Call it for a process that has just started: threads that it creates later inherit the priority. */
export function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, BACKGROUND_PRIORITY);
  } catch {
    // The process has exited already, or the system forbids the change.
  }
}

/** Lowers the priority of the calling worker thread, on Linux, where threads have their own priorities. */
export function lowerPriorityOfThread(): void {
  if (isMainThread) return;
  try {
    // The link reads, for example, «1234/task/1240».
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (thread > 0 && thread !== process.pid) setPriority(thread, BACKGROUND_PRIORITY);
  } catch {
    // Not Linux, or /proc is not mounted.
  }
}
