/** One turn of a conversation, as whoever reads it for an answer sees it. */
export interface HistoryTurn {
  role: "user" | "assistant";
  content: string;
}
