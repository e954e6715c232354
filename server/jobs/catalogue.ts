import type { Tenant } from "#server/db/database.ts";

/** Every background job: what it carries. Each carries its tenant and runs under that tenant's row-level security. */
export interface JobData {
  /** Splits new documents, builds the index, measures the style, makes the twin ready. */
  "train-twin": Tenant & { twinId: string };
  /** Asks the embeddings endpoint for the vectors of what a twin knows. */
  "learn-meanings": Tenant & { twinId: string };
  /** Measures how like its owner the twin answers. */
  "measure-fidelity": Tenant & { twinId: string };
  /** Asks the twin again what its owner has corrected, and keeps whether it holds. */
  "replay-corrections": Tenant & { twinId: string };
  /** Gathers what the owner's past replies say of prices, hours and conditions, to be proposed to him. */
  "find-facts": Tenant & { twinId: string };
  /** Reads an uploaded export once for its preview. */
  "read-import": Tenant & { importId: string };
  /** Brings the chosen chats of an export into the history. */
  "run-import": Tenant & { importId: string };
  /** Reads a connected account's dialogues into the history. */
  "import-account": Tenant & { importId: string };
  /**
   * Lists a connected account's dialogues for a process that has not its connection. `ask`: which question; `passed`: how often it was
   * passed on; `until`: ms since 1970.
   */
  "list-dialogs": Tenant & { integrationId: string; ask: string; passed: number; until: number };
  /** Takes what a contact wrote into the conversation, and answers it. */
  "answer-inbox": Tenant & { integrationId: string; conversationKey: string };
  /** Delivers what is due in a conversation, in order. */
  "send-outbox": Tenant & { conversationId: string };
  /** Shows a member's drafts in his own chat with a bot, and what has become of them. */
  "tell-owner": Tenant & { ownerChatId: string };
  /** Tells an address of the owner's what happened to a twin. */
  "deliver-webhook": Tenant & { webhookId: string };
  /** Writes the zip of everything that somebody has asked for. */
  "make-export": Tenant & { exportId: string };
}

export type JobName = keyof JobData;

export interface JobRule {
  /** One waiting and one running job for each key: a change during a run makes the next run, never two at once. */
  key(data: never): string;
  retries: number;
  /** A run may take this long, seconds. */
  expiresIn: number;
  /** Runs of different keys at once in one process; 1 when absent. */
  parallel?: number;
}

export const JOB_RULES = {
  "train-twin": { key: (data: JobData["train-twin"]) => data.twinId, retries: 3, expiresIn: 3600 },
  "learn-meanings": { key: (data: JobData["learn-meanings"]) => data.twinId, retries: 20, expiresIn: 6 * 3600 },
  "measure-fidelity": { key: (data: JobData["measure-fidelity"]) => data.twinId, retries: 3, expiresIn: 3600 },
  "replay-corrections": { key: (data: JobData["replay-corrections"]) => data.twinId, retries: 3, expiresIn: 3600 },
  "find-facts": { key: (data: JobData["find-facts"]) => data.twinId, retries: 3, expiresIn: 3600 },
  "read-import": { key: (data: JobData["read-import"]) => data.importId, retries: 3, expiresIn: 3600 },
  "run-import": { key: (data: JobData["run-import"]) => data.importId, retries: 20, expiresIn: 6 * 3600 },
  "import-account": { key: (data: JobData["import-account"]) => data.importId, retries: 20, expiresIn: 6 * 3600 },
  "list-dialogs": {
    // Passed on while the run before it has not ended.
    key: (data: JobData["list-dialogs"]) => `${data.ask}:${data.passed}`,
    retries: 0,
    expiresIn: 120,
    parallel: 2,
  },
  "answer-inbox": {
    key: (data: JobData["answer-inbox"]) => `${data.integrationId}:${data.conversationKey}`,
    retries: 5,
    expiresIn: 600,
    parallel: 4,
  },
  "send-outbox": {
    key: (data: JobData["send-outbox"]) => data.conversationId,
    retries: 5,
    expiresIn: 600,
    parallel: 4,
  },
  "tell-owner": {
    key: (data: JobData["tell-owner"]) => data.ownerChatId,
    retries: 3,
    expiresIn: 600,
    parallel: 2,
  },
  "deliver-webhook": {
    key: (data: JobData["deliver-webhook"]) => data.webhookId,
    retries: 3,
    expiresIn: 900,
    parallel: 4,
  },
  "make-export": {
    key: (data: JobData["make-export"]) => data.exportId,
    retries: 20,
    expiresIn: 6 * 3600,
    parallel: 2,
  },
} satisfies Record<JobName, JobRule>;
