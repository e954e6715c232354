import type { LocalBase } from "#server/models/local/adapters/twin-voices.ts";
import type { AnswerNotes, ReplyRequest } from "../reply-request.ts";

export interface Generator {
  readonly name: "embedded" | "llm";
  /** The model file on this machine that twins may have voices for; absent: the model is remote, or there is none. */
  readonly local?: LocalBase | undefined;
  /**
   * The reply as text deltas; what a model says is checked against its sources. It is not guarded: `guard-output.ts` processes it before it
   * is shown. The first delta, which may be empty, is there before a model is asked and after the expected cost was taken from the day's
   * budget.
   * @throws Problem 429 when the budget is spent, 502 when a model fails; the signal's reason when aborted.
   */
  generate(request: ReplyRequest, signal: AbortSignal): AsyncIterable<string>;
  /** What the check found in the reply to this request object; absent or undefined: it was not checked or is not complete. */
  notes?(request: ReplyRequest): AnswerNotes | undefined;
  /** Whether the embedded engine made the reply to this request object because the model did not answer. Absent: never. */
  fellBack?(request: ReplyRequest): boolean;
}
