import { quotationOf } from "./quotation.ts";
import type { Citation, Found } from "./reader.ts";

/**
 * Returns the pieces that the extractive reader would answer from, quote or show, likeliest first; a piece may occur twice.
 * @param chars maximum length of the text around an answer's sentence; beyond it the sentence alone is returned
 */
export const readPieces = (
  { answer, quotation, nearest = [] }: Partial<Found>,
  chars = Number.POSITIVE_INFINITY,
): Citation[] => [
  ...(answer?.citations ?? []).flatMap((citation) => {
    const around = quotationOf(citation.text, citation.chunk);
    return around && around.text.length > chars ? citation : (around ?? []);
  }),
  ...(quotation ? [quotation] : []),
  ...nearest,
];
