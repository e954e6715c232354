/** Registers the job handlers of all features, and enqueues unfinished work again at the start. */
import { processInbox } from "./channels/core/answers/process-inbox.ts";
import { readMedia, resumeMedia } from "./channels/core/media/read-media.ts";
import { sendOutbox } from "./channels/core/outbox/outbox.ts";
import { notifyOwner } from "./channels/owner-chat/notify-owner.ts";
import { wakeConversation } from "./conversations/snooze/snooze.ts";
import { embedCorrections } from "./corrections/embed-corrections.ts";
import { syncCrmCards } from "./crm/cards.ts";
import { findFacts, resumeFacts } from "./facts/find-facts.ts";
import { closeGaps, resumeGaps } from "./gaps/close-gaps.ts";
import { dialogJobs } from "./imports/account/account-dialogs.ts";
import { accountImportJobs } from "./imports/account/account-import.ts";
import { readImported, resumeImported } from "./imports/attached/read-imported.ts";
import { importJobs } from "./imports/jobs.ts";
import { resumeImports } from "./imports/sweep-imports.ts";
import { runWithCrashLimit } from "./jobs/crash-limit.ts";
import type { JobHandlers } from "./jobs/queue.ts";
import { readOriginal, resumeOriginals } from "./knowledge/originals/read-original.ts";
import { resumeWebsites, websiteJobs } from "./knowledge/websites/read-website.ts";
import { notifyMember } from "./notifications/notify-member.ts";
import { exportJobs } from "./records/export/make-export.ts";
import { resumeExports } from "./records/export/sweep-exports.ts";
import { withModels } from "./replies/models.ts";
import { piecesOf } from "./replies/reading/pieces.ts";
import { learnEmbeddings, resumeEmbeddings } from "./search/embeddings/learn-embeddings.ts";
import type { Services } from "./services.ts";
import { measureFidelity } from "./training/measure-fidelity.ts";
import { replayCorrections } from "./training/replay-corrections.ts";
import { resumeTraining, trainTwin } from "./training/train-twin.ts";
import { embeddingRuns, trainingRuns } from "./twins/twin-runs.ts";
import { deliverWebhook } from "./webhooks/deliver.ts";

export function jobHandlers(services: Services): JobHandlers {
  return {
    "train-twin": (data, signal) =>
      runWithCrashLimit(services.db, data, trainingRuns(data.twinId), () => trainTwin(services, data, signal)),
    "learn-embeddings": (data, signal) =>
      runWithCrashLimit(services.db, data, embeddingRuns(data.twinId), async () =>
        learnEmbeddings(await withModels(services, data), data, signal, { corrections: embedCorrections, piecesOf }),
      ),
    "measure-fidelity": async (data, signal) => measureFidelity(await withModels(services, data), data, signal),
    "replay-corrections": async (data, signal) => replayCorrections(await withModels(services, data), data, signal),
    "find-facts": (data, signal) => findFacts(services, data, signal),
    "close-gaps": async (data, signal) => closeGaps(await withModels(services, data), data, signal),
    ...websiteJobs(services),
    ...importJobs(services),
    ...accountImportJobs(services),
    ...dialogJobs(services),
    ...exportJobs(services),
    "process-inbox": (data, signal) => processInbox(services, data, signal),
    "read-media": (data, signal) => readMedia(services, data, signal),
    "read-original": (data, signal) => readOriginal(services, data, signal),
    "read-imported": (data, signal) => readImported(services, data, signal),
    "send-outbox": (data, signal) => sendOutbox(services, data, signal),
    "wake-conversation": (data) => wakeConversation(services, data),
    "notify-owner": (data, signal) => notifyOwner(services, data, signal),
    "notify-member": (data) => notifyMember(services, data),
    "fill-crm": (data, signal) => syncCrmCards(services, data, signal),
    "deliver-webhook": (data, signal) => deliverWebhook(services, data, signal),
  };
}

/** Enqueues work again whose job has used up its attempts, for example while the database was away. */
export async function resumeJobs(services: Services): Promise<void> {
  await resumeImports(services);
  await resumeTraining(services);
  await resumeEmbeddings(services);
  await resumeFacts(services);
  await resumeGaps(services);
  await resumeExports(services);
  await resumeMedia(services);
  await resumeOriginals(services);
  await resumeImported(services);
  await resumeWebsites(services);
}
