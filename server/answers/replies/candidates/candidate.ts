import type { AnswerNotes } from "../reply-request.ts";

/** A whole reply that has passed the checks, and what they found in it. */
export interface Candidate {
  text: string;
  notes: AnswerNotes;
}
