/** Whose secret an answer to a contact or a stranger is: as secret as the most secret thing that it may have been made of. */
import { type Secrecy, strictestOf } from "#server/platform/db/secrecy/secrecy.ts";
import type { Generator } from "./generators/generator.ts";
import type { Plan, ReplyExample, ReplyRequest } from "./reply-request.ts";

/** A past reply that is not published is a letter between the owner and the contact. */
const ofExamples = (examples: readonly ReplyExample[] = []): Secrecy =>
  examples.some((example) => !example.isOpen) ? "contact" : "public";

/** @param plan after the answer was read */
export function secrecyOf(generator: Generator, request: ReplyRequest, plan: Plan): Secrecy {
  const { corrected, chunks, replyExamples, exchanges, history, friend, fillers = [] } = request;
  if (corrected) return corrected.secrecy;
  const ofSources = strictestOf(...chunks.map(({ secrecy = "public" }) => secrecy));
  const byModel = generator.name === "llm" && !generator.fellBack?.(request);
  // What a model says cannot be traced to one source: it has read all of this, the conversation's earlier answers included.
  if (byModel) {
    const ofHistory = history.map(({ secrecy = "public" }) => secrecy);
    return strictestOf(ofSources, ofExamples(replyExamples), ofExamples(exchanges), ...ofHistory, ofWords(friend));
  }
  if (friend) return ofWords(friend);
  if (plan.kind === "recurring" && plan.ask === undefined) return strictestOf(ofSources, ofExamples(replyExamples));
  if (plan.kind === "unknown") return fillers.length > 0 ? "contact" : "public";
  return plan.kind === "smalltalk" ? "public" : ofSources;
}

/** What the owner has said to a friend may be said to that friend again. */
const ofWords = (friend: ReplyRequest["friend"]): Secrecy => (friend ? "contact" : "public");
