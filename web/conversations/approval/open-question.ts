import type { Approval } from "#contract/conversations/approvals.ts";

/** Whether the twin knows no answer, so that the owner must write it himself. */
export const isOpenQuestion = ({ state, text, basis }: Pick<Approval, "state" | "text" | "basis">): boolean =>
  state === "draft" && text === "" && basis === "unknown";

/** What of a conversation waits for its owner: that he decides on an answer, or that he writes one. */
export type WaitingKind = "draft" | "question";

/** By conversation; where both wait, what only he can write. */
export function waitingKinds(approvals: readonly Approval[]): Map<string, WaitingKind> {
  const kinds = new Map<string, WaitingKind>();
  for (const one of approvals) {
    if (one.state !== "draft") continue;
    const kind = one.text === "" ? "question" : "draft";
    if (kinds.get(one.conversationId) !== "question") kinds.set(one.conversationId, kind);
  }
  return kinds;
}

export const OPEN_QUESTION = "Двойник сказал собеседнику, что вы уточните. Напишите ответ, и он его отправит.";
