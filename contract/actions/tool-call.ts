/** What a twin called, or would have called, for one answer: shown beside the answer, in a test chat and to the owner. */
import * as z from "zod/mini";

export const Named = z.object({ label: z.string(), value: z.string() });
export type Named = z.infer<typeof Named>;

/**
 * done: called, and answered. dry: a test chat that does not call; it would have been called. proof: the asker must first prove that it
 * concerns him. unproven: the proof is wrong or there is no such row; an asker cannot tell which. limit: too many attempts.
 * waiting-customer: the asker was asked to confirm it. waiting-owner: it waits for the owner. refused: code, the asker or the owner
 * refused it. failed: the system did not answer or refused. unknown: nobody knows whether it was done. needs-model: an example of it was
 * asked, but only a model could propose it, and there is none.
 */
export const CallOutcome = z.enum([
  "done",
  "dry",
  "proof",
  "unproven",
  "limit",
  "waiting-customer",
  "waiting-owner",
  "refused",
  "failed",
  "unknown",
  "needs-model",
]);
export type CallOutcome = z.infer<typeof CallOutcome>;

export const ToolCall = z.object({
  /** The row in the ledger; null where nothing was to be kept, as in a call with impossible arguments. */
  actId: z.nullable(z.string()),
  title: z.string(),
  /** In the order of the tool's fields, with their labels. */
  arguments: z.array(Named),
  outcome: CallOutcome,
  /** What the system answered, as the owner has chosen it; empty without a result. */
  result: z.array(Named),
  /** Explains the outcome to a member, as a Russian sentence; null where there is nothing to add. */
  note: z.nullable(z.string()),
});
export type ToolCall = z.infer<typeof ToolCall>;
