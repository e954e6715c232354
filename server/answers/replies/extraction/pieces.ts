import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { memoize } from "#server/platform/text/memoize.ts";
import { quotationOf } from "./quotation.ts";

/** Returns the quotable pieces of a chunk, each once, in the order of the text. */
export const piecesOf = memoize(500, (text: string): readonly string[] => {
  const sentences = sentencesOf(text).map((one) => ({ text: one, score: 1 }));
  const chunk = { id: "", documentId: "", name: "", heading: "", text, score: 1, sentences };
  return [...new Set(sentences.flatMap((sentence) => quotationOf(sentence.text, chunk)?.text ?? []))];
});
