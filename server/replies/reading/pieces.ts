import { remembered } from "#server/knowledge/remembered.ts";
import { sentencesOf } from "#server/language/passage-sentences.ts";
import { quotationOf } from "./quotation.ts";

/** What a passage may be quoted by, each piece once, in the order of the text. */
export const piecesOf = remembered(500, (text: string): readonly string[] => {
  const sentences = sentencesOf(text).map((one) => ({ text: one, score: 1 }));
  const passage = { id: "", documentId: "", name: "", heading: "", text, score: 1, sentences };
  return [...new Set(sentences.flatMap((sentence) => quotationOf(sentence.text, passage)?.text ?? []))];
});
