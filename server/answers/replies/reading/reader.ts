/**
 * A reader finds in chunks what answers a message. It neither decides how to answer (decide.ts) nor words the reply (wording/,
 * generators/). It is called inside a transaction, so it makes no requests. Why a model is no reader: docs/decisions/025-answer-pipeline-and-prompts.md.
 */
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";

export interface ReadingTask {
  message: string;
  /** The turns of this conversation, oldest first, without `message`. */
  history: readonly HistoryTurn[];
  /** Candidates, best first. */
  chunks: readonly ReplyChunk[];
}

/** A piece of a chunk, as it stands there or without its markup. */
export interface Citation {
  text: string;
  chunk: ReplyChunk;
}

/** An answer with the sentences that it is based on. */
export interface ReadAnswer {
  text: string;
  /** In the order in which the answer uses them. */
  citations: readonly Citation[];
  /** 0..1: how sure it is that the text answers the question. */
  confidence: number;
  /** Whether it answers even what is no question. */
  toRemark: boolean;
  /** Questions of the message, as they were asked, of which the text says nothing; absent: it answers all. */
  unanswered?: readonly string[];
}

/** The result of reading: at best an answer, else the nearest pieces. */
export interface Found {
  /** null: no sentence matches the message. */
  answer: ReadAnswer | null;
  /** The piece that may be quoted where the answer is not sure, and how likely it is what is asked for, 0..1. */
  quotation: (Citation & { likelihood: number }) | null;
  /** Further pieces near the question, `quotation` first; empty where the answer is sure. */
  nearest: readonly Citation[];
}

export interface Reader<Task extends ReadingTask = ReadingTask> {
  read(task: Task): Found;
}
