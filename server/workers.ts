/** Which feature handles which job, and what a start asks for again. */
import { answerInbox } from "./channels/answer-inbox.ts";
import { sendOutbox } from "./channels/outbox.ts";
import { tellOwner } from "./channels/tell-owner.ts";
import { learnLessons } from "./corrections/learn-lessons.ts";
import { findFacts, resumeFacts } from "./facts/find-facts.ts";
import { dialogJobs } from "./imports/account-dialogs.ts";
import { accountImportJobs } from "./imports/account-import.ts";
import { importJobs, resumeImports } from "./imports/jobs.ts";
import { countedRun } from "./jobs/counted-run.ts";
import type { JobHandlers } from "./jobs/queue.ts";
import { exportJobs } from "./records/export/make-export.ts";
import { resumeExports } from "./records/export/sweep-exports.ts";
import { withModels } from "./replies/models.ts";
import { piecesOf } from "./replies/reading/pieces.ts";
import { learnMeanings, resumeMeanings } from "./search/meaning/learn-meanings.ts";
import type { Services } from "./services.ts";
import { measureFidelity } from "./training/measure-fidelity.ts";
import { replayCorrections } from "./training/replay-corrections.ts";
import { resumeTraining, trainTwin } from "./training/train-twin.ts";
import { meaningRuns, trainingRuns } from "./twins/twin-runs.ts";
import { deliverWebhook } from "./webhooks/deliver.ts";

export function jobHandlers(services: Services): JobHandlers {
  return {
    "train-twin": (data, signal) =>
      countedRun(services.db, data, trainingRuns(data.twinId), () => trainTwin(services, data, signal)),
    "learn-meanings": (data, signal) =>
      countedRun(services.db, data, meaningRuns(data.twinId), async () =>
        learnMeanings(await withModels(services, data), data, signal, { lessons: learnLessons, piecesOf }),
      ),
    "measure-fidelity": async (data, signal) => measureFidelity(await withModels(services, data), data, signal),
    "replay-corrections": async (data, signal) => replayCorrections(await withModels(services, data), data, signal),
    "find-facts": (data, signal) => findFacts(services, data, signal),
    ...importJobs(services),
    ...accountImportJobs(services),
    ...dialogJobs(services),
    ...exportJobs(services),
    "answer-inbox": (data, signal) => answerInbox(services, data, signal),
    "send-outbox": (data, signal) => sendOutbox(services, data, signal),
    "tell-owner": (data, signal) => tellOwner(services, data, signal),
    "deliver-webhook": (data, signal) => deliverWebhook(services, data, signal),
  };
}

/** Work whose job has used up its tries, for example while the database was away. */
export async function resumeJobs(services: Services): Promise<void> {
  await resumeImports(services);
  await resumeTraining(services);
  await resumeMeanings(services);
  await resumeFacts(services);
  await resumeExports(services);
}
