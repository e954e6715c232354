import type { Tenant } from "#server/platform/db/database.ts";

/** Every background job with its data. Each names its tenant and runs under that tenant's row-level security. */
export interface JobData {
  /** Splits new documents, builds the index, measures the style, makes the twin ready. */
  "train-twin": Tenant & { twinId: string };
  /** Asks the embeddings endpoint for the vectors of a twin's knowledge. */
  "learn-embeddings": Tenant & { twinId: string };
  /**
   * Measures how like its owner the twin answers. `voiceId`: a trial with this voice, or (null) without any; absent: as it usually
   * answers.
   */
  "measure-fidelity": Tenant & { twinId: string; voiceId?: string | null };
  /** Asks the twin its corrected questions again and records whether the corrections hold. */
  "replay-corrections": Tenant & { twinId: string };
  /** Finds facts about prices, hours and conditions in the owner's past replies and proposes them to him. */
  "find-facts": Tenant & { twinId: string };
  /** Sorts questions that the twin could not answer, asks them again once it has learnt, and prepares answers for those who asked. */
  "close-gaps": Tenant & { twinId: string };
  /** Reads the pages of a site of the owner's into documents. */
  "read-website": Tenant & { websiteId: string };
  /** Reads an uploaded export once for its preview. */
  "preview-import": Tenant & { importId: string };
  /** Brings the chosen chats of an export into the history. */
  "run-import": Tenant & { importId: string };
  /** Reads a connected account's dialogs into the history. */
  "import-account": Tenant & { importId: string };
  /**
   * Lists a connected account's dialogs for a process that does not hold its connection. `ask`: id of the request; `passed`: how often
   * it was passed on; `until`: ms since 1970.
   */
  "list-dialogs": Tenant & { integrationId: string; ask: string; passed: number; until: number };
  /** Writes a contact's messages into the conversation and answers them. */
  "process-inbox": Tenant & { integrationId: string; conversationKey: string };
  /** Fetches a contact's recording or picture from its platform, keeps it and has it read. */
  "read-media": Tenant & { integrationId: string; mediaId: string };
  "read-original": Tenant & { mediaId: string };
  /** Has a recording or a picture of an imported message read. */
  "read-imported": Tenant & { mediaId: string };
  /** Delivers the due messages of a conversation, in order. */
  "send-outbox": Tenant & { conversationId: string };
  /** Tells open windows that a conversation that was put off is back. `at`: ms since 1970. */
  "wake-conversation": Tenant & { conversationId: string; at: number };
  /** Shows a member's drafts and their outcome in his own chat with a bot. */
  "notify-owner": Tenant & { ownerChatId: string };
  /** Tells a member, outside the screen, what waits for him. */
  "notify-member": Tenant;
  /** Delivers an event of a twin to the owner's webhook. */
  "deliver-webhook": Tenant & { webhookId: string };
  /** Makes contacts and deals in an organisation's CRM, and renews the access to it. */
  "fill-crm": Tenant & { connectionId: string };
  /** Writes the data export's zip for a user who has requested it. */
  "make-export": Tenant & { exportId: string };
}

export type JobName = keyof JobData;

export interface JobRule {
  /** A key has at most one waiting and one running job: a change during a run makes the next run, never two at once. */
  key(data: never): string;
  retries: number;
  /** Seconds that a run may take. */
  expiresIn: number;
  /** Number of runs with different keys at once in one process; 1 when absent. */
  parallel?: number;
  /** Number of runs of one organisation at once in one process, less than `parallel`; unlimited when absent. */
  perOrganization?: number;
  /** How long a finished job is remembered, in seconds; an hour when absent. A screen tells of a run that failed for as long. */
  keptSeconds?: number;
  /** Nobody waits for its next step: it gives way to answers (platform/process/background-throttle.ts). */
  background?: boolean;
  /** How long a run usually takes, in seconds: what one job costs its organisation when several wait for their turn. */
  turnSeconds?: number;
}

/** Runs for minutes. */
const LONG = { turnSeconds: 60, keptSeconds: 24 * 3600, background: true };
/** Runs for minutes: one of an organisation at a time, so that another organisation finds a worker free. */
const SHARED = { ...LONG, parallel: 2, perOrganization: 1 };

/** The key of a measure; a trial has another one, so that it does not replace a normal measure. */
export const measureKey = ({ twinId, voiceId }: Pick<JobData["measure-fidelity"], "twinId" | "voiceId">): string =>
  voiceId === undefined ? twinId : `${twinId}:${voiceId ?? "plain"}`;

export const JOB_RULES = {
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
  "measure-fidelity": { key: measureKey, retries: 3, expiresIn: 3600, ...LONG },
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
    // Passed on while the run before it has not ended.
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
    // After the last one its chats are paired anew.
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
    // Put off anew, it is woken at each of the times; only the last finds it due.
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
