import type { ModelAbility } from "#contract/models/remote-model.ts";
import type { Payer } from "#server/accounts/twins/model-budget.ts";
import { isAnsweredSocially } from "./owner-words/friend-policy.ts";
import type { AnswerNotes, ReplyRequest } from "./reply-request.ts";

/** Free text for a screen of the owner's, never for a contact: nothing checks it. */
export interface FreeText {
  system: string;
  message: string;
  payer: Payer;
}

export interface Generator {
  readonly name: "embedded" | "llm";
  /** Name of the model; absent: there is none. */
  readonly model?: string | undefined;
  /** Characters of knowledge that the model can be given at once; absent: it is given what the search found (ReplyRequest.everything). */
  readonly knowledgeRoom?: number | undefined;
  /** Whether the model runs on this server. Absent: it is remote, or there is none. */
  readonly local?: true | undefined;
  /** What the model's exam lets it do; absent: everything, but the words of a local model are not trusted before it. */
  readonly ability?: ModelAbility | undefined;
  /**
   * Yields the reply as text deltas, checked against its sources; `guard-output.ts` still has to process it before display. The first
   * delta, which may be empty, arrives after the expected cost was charged to the day's budget and before a model is asked.
   * @throws Problem 429 when the budget is spent, 502 when a model fails; the signal's reason when aborted.
   */
  generate(request: ReplyRequest, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Writes free text in one call, charged as background work. Absent: the generator cannot.
   * @throws as `generate`
   */
  write?(asked: FreeText, signal: AbortSignal): Promise<string>;
  /** Findings of the check of this request's reply; absent or undefined: it was not checked or is not complete. */
  notes?(request: ReplyRequest): AnswerNotes | undefined;
  /** Whether the embedded engine replied to this request because the model failed. Absent: never. */
  fellBack?(request: ReplyRequest): boolean;
}

/** Whether it proposes calls of the owner's tools in its record; otherwise only the tools' examples do. */
export const proposesCalls = ({ knowledgeRoom }: Pick<Generator, "knowledgeRoom">): boolean =>
  knowledgeRoom !== undefined;

/** Whether a model is asked about this request; otherwise the embedded engine answers it. */
export const isModelAsked = (
  { name, ability }: Pick<Generator, "name" | "ability">,
  request: Pick<ReplyRequest, "plan" | "friend">,
): boolean =>
  name === "llm" && (ability !== "small-talk" || request.plan.kind === "smalltalk" || isAnsweredSocially(request));

/** Whether a model wrote the reply, and not the embedded engine in its place. */
export const isByModel = (generator: Generator, request: ReplyRequest): boolean =>
  isModelAsked(generator, request) && !generator.fellBack?.(request);
