/** What is no model's to say, whichever is asked. */
import { asksWhoAnswers, disclosureAnswer } from "#server/language/disclosure.ts";
import { isLatin } from "#server/style/manner.ts";
import type { ReplyRequest } from "./generator.ts";

export interface Settled {
  /** Stands before whatever a model says; with a line break, or empty. */
  opening: string;
  /** The whole reply, where no model is to be asked. */
  whole: string | null;
}

export function settledWithoutModel(request: ReplyRequest): Settled {
  // Not the model's to answer: neither personality nor an injected text can talk this away.
  const disclosure = asksWhoAnswers(request.message)
    ? disclosureAnswer(request.twin, isLatin(request.message) ? "en" : "ru")
    : "";
  if (disclosure !== "" && request.plan.kind === "smalltalk") return { opening: "", whole: disclosure };
  const opening = disclosure === "" ? "" : `${disclosure}\n`;
  // In these very words, says the owner: there is nothing to ask a model.
  const whole = request.corrected?.kind === "exemplar" ? `${opening}${request.corrected.text}` : null;
  return { opening, whole };
}
