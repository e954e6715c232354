/** Which feature handles which job. */
import type { JobHandlers } from "./jobs/queue.ts";
import type { Services } from "./services.ts";

export function jobHandlers(_services: Services): JobHandlers {
  return {
    "train-twin": async () => {},
    "read-import": async () => {},
    "run-import": async () => {},
  };
}
