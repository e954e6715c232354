/** Registers the job handlers of all features, and enqueues unfinished work again at the start. */

import { notifyMember } from "./accounts/notifications/notify-member.ts";
import { embeddingRuns, trainingRuns } from "./accounts/twins/twin-runs.ts";
import { takeSharedExam } from "./answers/exam/shared-exams.ts";
import { takeExam } from "./answers/exam/take-exam.ts";
import { withModels } from "./answers/replies/models.ts";
import { piecesOf } from "./answers/replies/quotable-pieces.ts";
import { measureFidelity } from "./answers/training/measure-fidelity.ts";
import { replayCorrections } from "./answers/training/replay-corrections.ts";
import { resumeTraining, trainTwin } from "./answers/training/train-twin.ts";
import { measureDemoTwin } from "./demo/workspace/measure-demo-twin.ts";
import { dialogJobs } from "./imports/account/account-dialogs.ts";
import { accountImportJobs } from "./imports/account/account-import.ts";
import { readImported, resumeImported } from "./imports/attached/read-imported.ts";
import { importJobs } from "./imports/runs/jobs.ts";
import { resumeImports } from "./imports/runs/sweep-imports.ts";
import { processInbox } from "./inbox/answering/process-inbox.ts";
import { wakeConversation } from "./inbox/conversations/snooze.ts";
import { syncCrmCards } from "./inbox/crm/cards.ts";
import { closeGaps, resumeGaps } from "./inbox/gaps/close-gaps.ts";
import { readMedia, resumeMedia } from "./inbox/incoming/read-media.ts";
import { sendOutbox } from "./inbox/outbox/outbox.ts";
import { notifyOwner } from "./inbox/owner-chat/notify-owner.ts";
import { takeTwinExam } from "./inbox/twin-exam/take-twin-exam.ts";
import { deliverWebhook } from "./inbox/webhooks/deliver.ts";
import { embedCorrections } from "./knowledge/corrections/embed-corrections.ts";
import { readOriginal, resumeOriginals } from "./knowledge/documents/read-original.ts";
import { learnEmbeddings, resumeEmbeddings } from "./knowledge/embeddings/learn-embeddings.ts";
import { findFacts, resumeFacts } from "./knowledge/facts/find-facts.ts";
import { resumeWebsites, websiteJobs } from "./knowledge/websites/read-website.ts";
import { exportJobs } from "./operations/records/make-export.ts";
import { resumeExports } from "./operations/records/sweep-exports.ts";
import { runWithCrashLimit } from "./platform/jobs/crash-limit.ts";
import type { JobHandlers } from "./platform/jobs/queue.ts";
import type { Services } from "./services.ts";

export function jobHandlers(services: Services): JobHandlers {
  return {
    "train-twin": (data, signal) =>
      runWithCrashLimit(services.db, data, trainingRuns(data.twinId), () => trainTwin(services, data, signal)),
    "learn-embeddings": (data, signal) =>
      runWithCrashLimit(services.db, data, embeddingRuns(data.twinId), async () =>
        learnEmbeddings(await withModels(services, data), data, signal, { corrections: embedCorrections, piecesOf }),
      ),
    "measure-fidelity": async (data, signal) => {
      const deps = await withModels(services, data);
      if (services.config.demo && (await measureDemoTwin(deps, data, signal))) return;
      await measureFidelity(deps, data, signal);
    },
    "replay-corrections": async (data, signal) => replayCorrections(await withModels(services, data), data, signal),
    "find-facts": (data, signal) => findFacts(services, data, signal),
    "close-gaps": async (data, signal) => closeGaps(await withModels(services, data), data, signal),
    "take-shared-exam": (data, signal) => takeSharedExam(services, data, signal),
    "take-twin-exam": (data, signal) => takeTwinExam(services, data, signal),
    "take-exam": (data, signal) => takeExam(services, data, signal),
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

/** Enqueues unfinished work whose job has used up its attempts, for example while the database was unavailable. */
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
