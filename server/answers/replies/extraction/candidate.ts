import type { ChunkSentence } from "#server/knowledge/documents/chunk-sentences.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";

export interface Sentence extends ChunkSentence {
  chunk: ReplyChunk;
  /** Index among all sentences; `base`: index of the first sentence of its chunk. */
  place: number;
  base: number;
  similarity: number;
}

export interface Candidate {
  sentence: Sentence;
  /** Share of the question's weight in the sentence alone; `all`: including its heading and neighbours. */
  own: number;
  all: number;
  heading: number;
  /** Matched weight, not divided by the question's. */
  mass: number;
  /** Share of the weightiest word that is missing in the chunk and its heading. */
  missing: number;
  fit: number;
  value: number;
}
