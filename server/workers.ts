/** Which feature handles which job. */
import { trainTwin } from "./engine/train-twin.ts";
import { importJobs } from "./imports/jobs.ts";
import type { JobHandlers } from "./jobs/queue.ts";
import type { Services } from "./services.ts";

export function jobHandlers(services: Services): JobHandlers {
  return {
    "train-twin": (data, signal) => trainTwin(services, data, signal),
    ...importJobs(services),
  };
}
