/** Determines whose secret an answer to a contact or stranger is: as secret as the most secret source it may be made of. */
import { type Secrecy, strictestOf } from "#server/platform/db/schema/secrecy.ts";
import { type Generator, isByModel } from "../generator.ts";
import type { Plan, ReplyExample, ReplyRequest } from "../reply-request.ts";

/** A past reply that is not published is private between the owner and the contact. */
const ofExamples = (examples: readonly ReplyExample[] = []): Secrecy =>
  examples.some((example) => !example.isOpen) ? "contact" : "public";

/** @param plan after the answer was checked */
export function secrecyOf(generator: Generator, request: ReplyRequest, plan: Plan): Secrecy {
  const { corrected, chunks, replyExamples, exchanges, history, friend, fillers = [] } = request;
  // No model has touched the owner's own text.
  if (corrected && (corrected.kind === "example" || !isByModel(generator, request))) return corrected.secrecy;
  const ofSources = strictestOf(corrected?.secrecy ?? "public", ...chunks.map(({ secrecy = "public" }) => secrecy));
  // A model's text cannot be traced to one source: it has read all of these, including earlier answers of the conversation.
  if (isByModel(generator, request)) {
    const ofHistory = history.map(({ secrecy = "public" }) => secrecy);
    return strictestOf(ofSources, ofExamples(replyExamples), ofExamples(exchanges), ...ofHistory, ofWords(friend));
  }
  if (friend) return ofWords(friend);
  if (plan.kind === "recurring" && plan.ask === undefined) return strictestOf(ofSources, ofExamples(replyExamples));
  if (plan.kind === "unknown") return fillers.length > 0 ? "contact" : "public";
  return plan.kind === "smalltalk" ? "public" : ofSources;
}

const ofWords = (friend: ReplyRequest["friend"]): Secrecy => (friend ? "contact" : "public");
