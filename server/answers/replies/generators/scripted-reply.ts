/** The parts of a reply that no model decides: the disclosure that an AI answers, and the owner's corrected answer. */
import { asksWhoAnswers, disclosureAnswer } from "#server/knowledge/language/disclosure.ts";
import { isLatin } from "#server/knowledge/style/style-transfer.ts";
import type { ReplyRequest } from "../reply-request.ts";

interface Settled {
  /** Precedes the model's text; ends with a line break, or is empty. */
  opening: string;
  /** The whole reply; null when a model must be asked. */
  whole: string | null;
}

export function scriptedReply(request: ReplyRequest): Settled {
  // The disclosure is fixed, so that neither the personality nor an injected text can talk the model out of it.
  const disclosure = asksWhoAnswers(request.message)
    ? disclosureAnswer(request.twin, isLatin(request.message) ? "en" : "ru")
    : "";
  if (disclosure !== "" && request.plan.kind === "smalltalk") return { opening: "", whole: disclosure };
  const opening = disclosure === "" ? "" : `${disclosure}\n`;
  // The owner wants exactly these words, so no model is needed.
  const whole = request.corrected?.kind === "example" ? `${opening}${request.corrected.text}` : null;
  return { opening, whole };
}

/** The reply after its opening, unless it holds that itself. */
export const withOpening = (opening: string, reply: string): string =>
  reply.includes(opening.trim()) ? reply : `${opening}${reply}`;
