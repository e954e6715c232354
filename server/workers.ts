/** Which feature handles which job. */
import { importJobs } from "./imports/jobs.ts";
import type { JobHandlers } from "./jobs/queue.ts";
import type { Services } from "./services.ts";

export function jobHandlers(services: Services): JobHandlers {
  return {
    "train-twin": async () => {},
    ...importJobs(services),
  };
}
