/** Quotes document passages closest to a message without a reliable answer, marked as quotations. */
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { isGrave, isLatin } from "#server/knowledge/style/style-transfer.ts";
import type { Citation } from "../extraction/reader.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { isInTrouble } from "./small-talk-reply.ts";

/** Returns the pieces to show: always with a quotation, after «не знаю» only if something is close enough to help. */
export function shownNearest(request: ReplyRequest): readonly Citation[] {
  const { message, plan, quotation, nearest = [] } = request;
  if (plan.kind === "quoted") return nearest.length > 0 || !quotation ? nearest : [quotation];
  // The owner sees the pieces next to his draft, and a contact whom he will answer needs no guess.
  if (plan.kind !== "unknown" || plan.held || request.drafted) return [];
  // A request, a complaint or trouble must not be answered by pointing at documents.
  if (wantOf(message) !== "question" || isGrave(message) || isInTrouble(request)) return [];
  return nearest;
}

/**
 * Returns null when there is nothing to show. The owner's style is not applied, because the words are the documents'. File names are left
 * out: a contact cannot use «price_final.docx». So is «Точно не скажу» after «не знаю».
 */
export function quoteNearest(request: ReplyRequest): string | null {
  const shown = shownNearest(request);
  if (shown.length === 0) return null;
  const { instead, behind, also } = WORDS[isLatin(request.message) ? "en" : "ru"];
  const [first, ...more] = shown;
  return [
    `${request.plan.kind === "quoted" ? instead : behind}\n${first!.text}`,
    ...more.map(({ chunk, text }) => (chunk.name === first!.chunk.name ? text : `${also}\n${text}`)),
  ].join("\n\n");
}

const WORDS = {
  ru: {
    instead: "Точно не скажу, но вот что об этом написано:",
    behind: "Но вот ближайшее из написанного, может быть, это поможет:",
    also: "И ещё:",
  },
  en: {
    instead: "I can't say for sure, but this is what is written about it:",
    behind: "But this is what is written about it, perhaps it helps:",
    also: "And also:",
  },
} as const;
