import type { Tenant } from "#server/platform/db/database.ts";

/** Data of every background job. Each names its tenant and runs under that tenant's row-level security. */
export interface JobData {
  /** Asks an organisation's own model the questions of its exam. */
  "take-exam": Tenant;
  /** Asks a model that all organisations share the questions of its exam. `model`: the id of a local one, or `settings`. */
  "take-shared-exam": Tenant & { model: string };
  /** Asks a twin the questions of its exam, whose answers the owner marks. */
  "take-twin-exam": Tenant & { twinId: string };
  /** Splits new documents into chunks, builds the index, measures the style and makes the twin ready. */
  "train-twin": Tenant & { twinId: string };
  /** Requests embeddings of a twin's knowledge. */
  "learn-embeddings": Tenant & { twinId: string };
  /** Measures the twin's fidelity: to contacts and then to strangers, or to those alone whom it names. */
  "measure-fidelity": Tenant & { twinId: string; only?: "contacts" | "strangers" };
  /** Asks the twin its corrected questions again and records whether the corrections hold. */
  "replay-corrections": Tenant & { twinId: string };
  /** Finds facts about prices, hours and conditions in the owner's past replies and proposes them to him. */
  "find-facts": Tenant & { twinId: string };
  /** Assigns unanswered questions to gaps, tests them again after the twin has learnt, and prepares answers for the contacts who asked. */
  "close-gaps": Tenant & { twinId: string };
  /** Reads the pages of an owner's website into documents. */
  "read-website": Tenant & { websiteId: string };
  "preview-import": Tenant & { importId: string };
  /** Imports the chosen chats of an export into the history. */
  "run-import": Tenant & { importId: string };
  /** Imports a connected account's dialogs into the history. */
  "import-account": Tenant & { importId: string };
  /**
   * Lists a connected account's dialogs for a process that does not hold its connection. `ask`: id of the request; `passed`: how often it
   * was requeued; `until`: ms since 1970.
   */
  "list-dialogs": Tenant & { integrationId: string; ask: string; passed: number; until: number };
  /** Stores a contact's messages in the conversation and answers them. */
  "process-inbox": Tenant & { integrationId: string; conversationKey: string };
  /** Fetches a contact's recording or picture from its platform, stores and recognises it. */
  "read-media": Tenant & { integrationId: string; mediaId: string };
  "read-original": Tenant & { mediaId: string };
  /** Recognises a recording or a picture of an imported message. */
  "read-imported": Tenant & { mediaId: string };
  "send-outbox": Tenant & { conversationId: string };
  /** Notifies open browser windows that a snoozed conversation is due again. `at`: ms since 1970. */
  "wake-conversation": Tenant & { conversationId: string; at: number };
  /** Shows a member's drafts and their outcome in his own chat with a bot. */
  "notify-owner": Tenant & { ownerChatId: string };
  /** Notifies a member, outside the screen, of what waits for him. */
  "notify-member": Tenant;
  /** Delivers a twin's event to the owner's webhook. */
  "deliver-webhook": Tenant & { webhookId: string };
  /** Creates contacts and deals in an organisation's CRM, and refreshes its tokens. */
  "fill-crm": Tenant & { connectionId: string };
  /** Writes a requested data export as a zip. */
  "make-export": Tenant & { exportId: string };
}

export type JobName = keyof JobData;

export interface JobRule {
  /** A key has at most one waiting and one running job: a change during a run causes one more run, never a parallel one. */
  key(data: never): string;
  retries: number;
  expiresIn: number;
  /** Maximum number of parallel runs with different keys in one process; 1 when absent. */
  parallel?: number;
  /** Maximum number of parallel runs of one organisation in one process, less than `parallel`; unlimited when absent. */
  perOrganization?: number;
  /** Seconds for which a finished job is kept, and for which a screen can show that it failed; an hour when absent. */
  keptSeconds?: number;
  /** No user waits for the job's next step: it yields to answers (platform/process/background-throttle.ts). */
  background?: boolean;
  /** Usual duration of a run in seconds: the cost of one job for its organisation when several wait for their turn. */
  turnSeconds?: number;
}

const LONG = { turnSeconds: 60, keptSeconds: 24 * 3600, background: true };
/** For jobs that run for minutes, one per organisation at a time, so that another organisation finds a worker free. */
const SHARED = { ...LONG, parallel: 2, perOrganization: 1 };

export const JOB_RULES = {
  "take-exam": {
    key: (data: JobData["take-exam"]) => data.organizationId,
    retries: 3,
    // A question to a slow model takes minutes.
    expiresIn: 4 * 3600,
    ...SHARED,
  },
  "take-shared-exam": {
    key: (data: JobData["take-shared-exam"]) => data.model,
    retries: 3,
    // A slow model takes hours; what it has answered stays.
    expiresIn: 12 * 3600,
    ...LONG,
  },
  "take-twin-exam": {
    key: (data: JobData["take-twin-exam"]) => data.twinId,
    retries: 3,
    expiresIn: 4 * 3600,
    ...SHARED,
  },
  "train-twin": {
    key: (data: JobData["train-twin"]) => data.twinId,
    retries: 3,
    expiresIn: 3600,
    ...SHARED,
  },
  "learn-embeddings": {
    key: (data: JobData["learn-embeddings"]) => data.twinId,
    retries: 20,
    expiresIn: 6 * 3600,
    ...SHARED,
  },
  "measure-fidelity": { key: (data: JobData["measure-fidelity"]) => data.twinId, retries: 3, expiresIn: 3600, ...LONG },
  "replay-corrections": {
    key: (data: JobData["replay-corrections"]) => data.twinId,
    retries: 3,
    expiresIn: 3600,
    ...LONG,
  },
  "find-facts": { key: (data: JobData["find-facts"]) => data.twinId, retries: 3, expiresIn: 3600, ...LONG },
  "close-gaps": { key: (data: JobData["close-gaps"]) => data.twinId, retries: 3, expiresIn: 3600, ...LONG },
  "read-website": {
    key: (data: JobData["read-website"]) => data.websiteId,
    retries: 20,
    expiresIn: 2 * 3600,
    ...SHARED,
  },
  "preview-import": {
    key: (data: JobData["preview-import"]) => data.importId,
    retries: 3,
    expiresIn: 3600,
    ...SHARED,
  },
  "run-import": {
    key: (data: JobData["run-import"]) => data.importId,
    retries: 20,
    expiresIn: 6 * 3600,
    ...SHARED,
  },
  "import-account": {
    key: (data: JobData["import-account"]) => data.importId,
    retries: 20,
    expiresIn: 6 * 3600,
    ...SHARED,
    parallel: 4,
  },
  "list-dialogs": {
    // The key includes `passed`, because the job is requeued before its own run has ended.
    key: (data: JobData["list-dialogs"]) => `${data.ask}:${data.passed}`,
    retries: 0,
    expiresIn: 120,
    parallel: 2,
  },
  "process-inbox": {
    key: (data: JobData["process-inbox"]) => `${data.integrationId}:${data.conversationKey}`,
    retries: 5,
    expiresIn: 600,
    parallel: 4,
  },
  "read-media": {
    key: (data: JobData["read-media"]) => data.mediaId,
    retries: 8,
    expiresIn: 300,
    parallel: 2,
    turnSeconds: 10,
  },
  "read-original": {
    key: (data: JobData["read-original"]) => data.mediaId,
    retries: 8,
    expiresIn: 300,
    parallel: 2,
    turnSeconds: 10,
  },
  "read-imported": {
    key: (data: JobData["read-imported"]) => data.mediaId,
    retries: 8,
    // The run for an import's last recording also pairs its chats again, which takes long.
    expiresIn: 1800,
    parallel: 2,
    perOrganization: 1,
    turnSeconds: 10,
    background: true,
  },
  "send-outbox": {
    key: (data: JobData["send-outbox"]) => data.conversationId,
    retries: 5,
    expiresIn: 600,
    parallel: 4,
  },
  "wake-conversation": {
    // A conversation that is snoozed again has a job for each time; only the last one finds it due.
    key: (data: JobData["wake-conversation"]) => `${data.conversationId}:${data.at}`,
    retries: 3,
    expiresIn: 60,
    parallel: 2,
  },
  "notify-owner": {
    key: (data: JobData["notify-owner"]) => data.ownerChatId,
    retries: 3,
    expiresIn: 600,
    parallel: 2,
  },
  "notify-member": {
    key: (data: JobData["notify-member"]) => `${data.organizationId}:${data.userId}`,
    retries: 3,
    expiresIn: 300,
    parallel: 2,
  },
  "deliver-webhook": {
    key: (data: JobData["deliver-webhook"]) => data.webhookId,
    retries: 3,
    expiresIn: 900,
    parallel: 4,
  },
  "fill-crm": {
    key: (data: JobData["fill-crm"]) => data.connectionId,
    retries: 3,
    expiresIn: 900,
    parallel: 2,
  },
  "make-export": {
    key: (data: JobData["make-export"]) => data.exportId,
    retries: 20,
    expiresIn: 6 * 3600,
    ...SHARED,
  },
} satisfies Record<JobName, JobRule>;
