/** What no model decides: the disclosure that an AI answers, and the owner's own word on a question. */
import { asksWhoAnswers, disclosureAnswer } from "#server/knowledge/language/disclosure.ts";
import { isLatin } from "#server/knowledge/style/style-transfer.ts";
import type { ReplyRequest } from "../reply-request.ts";

interface Settled {
  /** Put before whatever a model says; ends with a line break, or is empty. */
  opening: string;
  /** The whole reply; null where a model is to be asked. */
  whole: string | null;
}

export function scriptedReply(request: ReplyRequest): Settled {
  // Not left to the model, so that neither personality nor an injected text can talk it away.
  const disclosure = asksWhoAnswers(request.message)
    ? disclosureAnswer(request.twin, isLatin(request.message) ? "en" : "ru")
    : "";
  if (disclosure !== "" && request.plan.kind === "smalltalk") return { opening: "", whole: disclosure };
  const opening = disclosure === "" ? "" : `${disclosure}\n`;
  // The owner wants exactly these words, so there is nothing to ask a model.
  const whole = request.corrected?.kind === "example" ? `${opening}${request.corrected.text}` : null;
  return { opening, whole };
}
