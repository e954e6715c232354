import type { Secrecy } from "#server/platform/db/secrecy/secrecy.ts";

/** One turn of a conversation, as answering code sees it. */
export interface HistoryTurn {
  role: "user" | "assistant";
  content: string;
  /** Whose secret an earlier answer is; absent: it is open to every reader of the conversation. */
  secrecy?: Secrecy;
  /**
   * Only the calling program says that the twin has said it. It shows what the asker means, and is never a source: otherwise the author of
   * the history could put prices and promises into the twin's mouth.
   */
  claimed?: true;
}

/** How many of a conversation's latest turns a twin sees where the conversation is kept here. */
export const MAX_HISTORY_TURNS = 12;
