/** The kernel runs background work of the processor in what others leave. Where it cannot be told, such work runs as all the rest. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { isMainThread } from "node:worker_threads";

const LOW = constants.priority.PRIORITY_LOW;

/** For a process that has just begun: threads that it makes later are of the same priority. */
export function lowerPriorityOf(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, LOW);
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
    if (thread > 0 && thread !== process.pid) setPriority(thread, LOW);
  } catch {
    // Another system, or one without /proc.
  }
}
