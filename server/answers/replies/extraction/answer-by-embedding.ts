import { chunkSentences } from "#server/knowledge/documents/chunk-sentences.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { type FoundAnswer, MAX_QUOTED } from "./find-answer.ts";
import { withoutMarkup } from "./markup.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Length in characters; a shorter chunk is quoted whole. */
const SHORT = 300;

/**
 * Returns an answer from the likeliest chunk when no words match: its best sentence by words, or its beginning. Null when no chunk is
 * likely. It may be quoted, not stated, because nearness in meaning does not tell one price from another.
 * @param meant likelihood that a chunk means what the question means, 0..1, by chunk id
 */
export function answerByEmbedding(
  chunks: readonly ReplyChunk[],
  meant: ReadonlyMap<string, number>,
  byWords: FoundAnswer | null,
  limit: number,
): FoundAnswer | null {
  const likelihood = ({ id }: ReplyChunk) => meant.get(id) ?? 0;
  const chunk = chunks.reduce<ReplyChunk | null>(
    (best, one) => (likelihood(one) > (best === null ? 0 : likelihood(best)) ? one : best),
    null,
  );
  if (chunk === null || likelihood(chunk) < THRESHOLDS.knowledge) return null;
  const confidence = Math.min(MAX_QUOTED, likelihood(chunk));
  const telling = chunkSentences(
    chunk,
    chunk.sentences.map(({ text }) => text),
  ).filter(({ tells }) => tells);
  if (telling.length === 0) return null;
  if (chunk.text.length > SHORT && byWords?.citations.some((one) => one.chunk === chunk))
    return { ...byWords, confidence };
  const said = chunk.text.length > SHORT ? telling.slice(0, limit) : telling;
  return {
    text: said.map(({ text }) => withoutMarkup(text)).join(" "),
    sentence: { text: telling[0]!.text, chunk },
    citations: said.map(({ text }) => ({ text, chunk })),
    confidence,
    toRemark: false,
  };
}
