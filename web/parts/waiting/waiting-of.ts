import type { Approval } from "#contract/conversations/approvals.ts";

/** What the conversation waits for: the owner's decision on an answer, or an answer that he must write. */
export type WaitingKind = "draft" | "question";

export interface WaitingState {
  kind: WaitingKind;
  /** Time since when the contact has had no answer, ISO 8601. */
  since: string;
}

/**
 * Returns what waits, by conversation id. A question that only the owner can answer takes precedence over a draft; the earliest time
 * counts.
 */
export function waitingOf(approvals: readonly Approval[]): Map<string, WaitingState> {
  const waiting = new Map<string, WaitingState>();
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
