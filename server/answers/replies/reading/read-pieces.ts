import { quotationOf } from "./quotation.ts";
import type { Citation, Found } from "./reader.ts";

/**
 * The pieces that the extractive reader would answer from, quote or show, the likeliest first; a piece may occur twice.
 * @param chars where more stands around an answer's sentence, the sentence alone is given
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
