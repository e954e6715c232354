/**
 * A reader finds the answer to a message in chunks. It neither plans the reply (decide.ts) nor words it (wording/, generators/). It runs
 * inside a transaction, so it makes no requests; therefore no model reads (docs/decisions/025-answer-pipeline-and-prompts.md).
 */
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";

export interface ReadingTask {
  message: string;
  history: readonly HistoryTurn[];
  /** Chunks that may contain the answer, best first. */
  chunks: readonly ReplyChunk[];
}

export interface Citation {
  text: string;
  chunk: ReplyChunk;
}

export interface ReadAnswer {
  text: string;
  /** In the order in which the answer uses them. */
  citations: readonly Citation[];
  /** Likelihood that the text answers the question, 0..1. */
  confidence: number;
  /** Whether it also suits a message that is no question. */
  toRemark: boolean;
  /** The message's questions that the text does not answer, verbatim; absent: it answers all. */
  unanswered?: readonly string[];
}

export interface Found {
  /** The answer; null when no sentence matches the message. */
  answer: ReadAnswer | null;
  /** Piece that may be quoted when the answer is unsure, with the likelihood (0..1) that it is the answer. */
  quotation: (Citation & { likelihood: number }) | null;
  /** Pieces close to the question, `quotation` first; empty when the answer is sure. */
  nearest: readonly Citation[];
}

export interface Reader<Task extends ReadingTask = ReadingTask> {
  read(task: Task): Found;
}
