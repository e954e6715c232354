import type { Approval } from "#contract/approvals.ts";

/** A question that the twin has put off: its badge says that it knows no answer, and the answer is the owner's to write. */
export const isOpenQuestion = ({ state, text, basis }: Pick<Approval, "state" | "text" | "basis">): boolean =>
  state === "draft" && text === "" && basis === "unknown";

export const OPEN_QUESTION = "Двойник сказал собеседнику, что вы уточните. Напишите ответ, и он его отправит.";
