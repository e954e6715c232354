import type { Approval } from "#contract/conversations/approvals.ts";

/** What of a conversation waits for its owner: that he decides on an answer, or that he writes one. */
export type WaitingKind = "draft" | "question";

export interface Waiting {
  kind: WaitingKind;
  /** ISO; since when the contact has had no answer. */
  since: string;
}

/** By conversation; where both wait, what only he can write, since the first of them. */
export function waitingOf(approvals: readonly Approval[]): Map<string, Waiting> {
  const waiting = new Map<string, Waiting>();
  for (const { conversationId, state, text, createdAt } of approvals) {
    if (state !== "draft") continue;
    const other = waiting.get(conversationId);
    waiting.set(conversationId, {
      kind: text === "" || other?.kind === "question" ? "question" : "draft",
      since: other && other.since < createdAt ? other.since : createdAt,
    });
  }
  return waiting;
}

export const waitingNames: Record<WaitingKind, string> = { draft: "Черновик", question: "Нужен ваш ответ" };
