/** Finds the sentences that an answer has used. A model rephrases them, so they are recognised by their words. */
import { normalize } from "#server/knowledge/language/words/analyze.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import type { Citation } from "../extraction/reader.ts";

/** A sentence is cited when the answer contains at least this share of its words, in any order. */
const SAID = 0.7;

export function citationsIn(response: string, chunks: readonly ReplyChunk[]): Citation[] {
  const said = new Set(wordsOf(response));
  return chunks.flatMap((chunk) =>
    chunk.sentences.flatMap(({ text }) => {
      const words = wordsOf(text);
      return words.length > 0 && words.filter((word) => said.has(word)).length >= words.length * SAID
        ? [{ text, chunk }]
        : [];
    }),
  );
}

/** Words of four characters and more; shorter ones occur in every sentence. */
const wordsOf = (text: string): readonly string[] => normalize(text).match(/[\p{L}\p{N}]{4,}/gu) ?? [];
