import type { Approval } from "#contract/conversations/approvals.ts";

/** Whether the twin knows no answer, so that the owner must write it himself. */
export const isOpenQuestion = ({ state, text, basis }: Pick<Approval, "state" | "text" | "basis">): boolean =>
  state === "draft" && text === "" && basis === "unknown";

export const OPEN_QUESTION = "Двойник сказал собеседнику, что вы уточните. Напишите ответ, и он его отправит.";
