/** Quotes what documents say nearest to a message that they do not surely answer, named as the documents' words. */
import { wantOf } from "#server/language/question/question.ts";
import { isGrave, isLatin } from "#server/style/style-transfer.ts";
import type { Citation } from "../reading/reader.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { isInTrouble } from "./small-talk-reply.ts";

/** The pieces that are shown: always with a quotation, behind «не знаю» only where something is near enough to help. */
export function shownNearest(request: ReplyRequest): readonly Citation[] {
  const { message, plan, quotation, nearest = [] } = request;
  if (plan.kind === "quoted") return nearest.length > 0 || !quotation ? nearest : [quotation];
  // The owner sees the pieces beside his draft, and a contact whom he will answer needs no guess.
  if (plan.kind !== "unknown" || plan.held || request.drafted) return [];
  // A request, a complaint or trouble is not answered by pointing at documents.
  if (wantOf(message) !== "question" || isGrave(message) || isInTrouble(request)) return [];
  return nearest;
}

/**
 * Written without the owner's manner, because the words are the documents'. «Точно не скажу» is left out after «не знаю». null: there is
 * nothing to show.
 */
export function nearestQuoted(request: ReplyRequest): string | null {
  const shown = shownNearest(request);
  if (shown.length === 0) return null;
  const english = isLatin(request.message);
  const [first, ...more] = shown;
  const opening = OPENINGS[english ? "en" : "ru"][request.plan.kind === "quoted" ? "instead" : "behind"];
  const also = english ? (name: string) => `And in “${name}”:` : (name: string) => `И в документе «${name}»:`;
  return [
    `${opening(first!.chunk.name)}\n${first!.text}`,
    ...more.map(({ chunk, text }) => (chunk.name === first!.chunk.name ? text : `${also(chunk.name)}\n${text}`)),
  ].join("\n\n");
}

const OPENINGS = {
  ru: {
    instead: (name: string) => `Точно не скажу, но в документе «${name}» сказано:`,
    behind: (name: string) => `Но вот что сказано в документе «${name}», может быть, это поможет:`,
  },
  en: {
    instead: (name: string) => `I can't say for sure, but the document “${name}” says:`,
    behind: (name: string) => `But this is what the document “${name}” says, perhaps it helps:`,
  },
} as const;
