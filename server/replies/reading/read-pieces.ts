import type { ReplyRequest } from "../generators/generator.ts";
import { quotationOf } from "./quotation.ts";
import type { Citation } from "./reader.ts";

/** The pieces that the extractive reader would answer from, quote or show, the likeliest first; a piece may occur twice. */
export const readPieces = ({ answer, quotation, nearest = [] }: ReplyRequest): Citation[] => [
  ...(answer?.citations ?? []).flatMap(({ text, chunk }) => quotationOf(text, chunk) ?? []),
  ...(quotation ? [quotation] : []),
  ...nearest,
];
