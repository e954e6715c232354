import { readlinkSync } from "node:fs";
import { getPriority } from "node:os";
import { lowerPriorityOfThread } from "#server/platform/process/low-priority.ts";

lowerPriorityOfThread();

/** Its own priority and that of the process. */
export default (): string => {
  const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  return `${getPriority(thread)} ${getPriority(process.pid)}`;
};
