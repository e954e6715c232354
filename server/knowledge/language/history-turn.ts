import type { Secrecy } from "#server/platform/db/schema/secrecy.ts";

export interface HistoryTurn {
  role: "user" | "assistant";
  content: string;
  /** Whose secret an earlier answer is; absent: it is open to every reader of the conversation. */
  secrecy?: Secrecy;
  /**
   * Set when only the calling program claims that the twin wrote this. It clarifies the question but is never a source: otherwise the
   * history's author could put prices and promises into the twin's mouth.
   */
  claimed?: true;
}

/** Number of latest turns that a twin sees of a conversation stored here. */
export const MAX_HISTORY_TURNS = 12;
