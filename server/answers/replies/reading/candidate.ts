/** The sentences of the chunks that were found, weighed against one part of a question. */
import type { ChunkSentence } from "#server/knowledge/documents/chunk-sentences.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";

export interface Sentence extends ChunkSentence {
  chunk: ReplyChunk;
  /** Index among all sentences; `base`: index of the first sentence of its chunk. */
  place: number;
  base: number;
  /** Similarity to the words of the message, 0..1, from retrieval. */
  similarity: number;
}

export interface Candidate {
  sentence: Sentence;
  /** Share of the question's weight that the sentence itself holds; `all`: with its heading and neighbours. */
  own: number;
  all: number;
  heading: number;
  /** Weight that is held, not divided by the question's. */
  mass: number;
  /** Share of the weightiest word that neither the chunk nor its heading holds. */
  missing: number;
  fit: number;
  value: number;
}
