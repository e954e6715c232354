/** Selects past replies of the owner that may be repeated, here and to this contact. */

import { type Address, agreeAddress } from "#server/knowledge/language/address.ts";
import { type Agreement, agreementOf } from "#server/knowledge/language/agreement.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { negates } from "#server/knowledge/language/negation.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import {
  askedWords,
  isWordInVocabulary,
  sharedWordRatio,
} from "#server/knowledge/question-similarity/question-words.ts";
import { contactAddress } from "#server/knowledge/style/contact-address.ts";
import { THRESHOLDS } from "../extraction/thresholds.ts";
import { mayRepeatReply } from "../owner-words/friend-policy.ts";
import type { ReplyEvidence, ReplyExample } from "../reply-request.ts";
import { SourceFacts } from "./source-facts.ts";

export interface ReusableReply {
  replyExample: ReplyExample;
  /** Agreement with other past replies to similar messages, including those that may not be repeated here. */
  agreement: Agreement;
  /** The reply in this contact's form of address. */
  text: string;
}

/** Maximum length in characters; a longer reply is too specific to its conversation to fit another contact. */
const LONGEST_FOR_OTHERS = 300;
const LONGEST = 700;
/** Confidence from which the same contact is asking the same thing, so that the earlier answer may be repeated. */
const SAME_EXCHANGE = 0.75;
/** Replies below this share of the best score answer something else. */
const NEAR_BEST = 0.6;

/** Share of its score by which each agreeing reply raises another's: two that agree outweigh a single slightly closer one. */
const SUPPORT = 0.25;

/** Returns the reusable replies, best first, confirmed ones before single ones. A reply with an unsupported slot is left out whole. */
export function reusableReplies(evidence: ReplyEvidence): ReusableReply[] {
  const address = contactAddress(evidence);
  const facts = new SourceFacts([evidence.message, ...evidence.chunks.map((chunk) => chunk.text)]);
  const best = Math.max(0, ...evidence.replyExamples.map((replyExample) => replyExample.score));
  // A reply about what the owner does is no answer to a question about what he does not do.
  const denied = negates(evidence.message);
  const near = evidence.replyExamples.filter(
    ({ score, incoming }) => score >= best * NEAR_BEST && (incoming === null || negates(incoming) === denied),
  );
  const asked = wantOf(evidence.message) === "question" ? askedWords(evidence.message) : null;
  const fits = ({ fit, incoming, reply }: ReplyExample) =>
    fit === undefined
      ? asked === null ||
        incoming === null ||
        sharedWordRatio(asked, askedWords(`${incoming}\n${reply}`), isWordInVocabulary) === 1
      : fit >= THRESHOLDS.fit;
  const agreements = agreementOf(near.map(({ reply, score }) => ({ text: reply, score })));
  const { friend } = evidence;
  const sayable = friend
    ? (reply: string) => mayRepeatReply(friend, reply, evidence.confidence.replyExamples)
    : () => true;
  const reusable = near.flatMap((replyExample, at): ReusableReply[] => {
    const text = adapted(replyExample, address, facts, evidence.confidence.replyExamples);
    const { same, ...rest } = agreements[at]!;
    // A published reply counts once per recipient.
    const agreement = { ...rest, same: same + (replyExample.people ?? 1) - 1 };
    return text === null || !fits(replyExample) || !sayable(text) ? [] : [{ replyExample, text, agreement }];
  });
  const weight = ({ replyExample, agreement }: ReusableReply) =>
    replyExample.score * (1 + SUPPORT * Math.min(2, agreement.same));
  return reusable.sort(
    (a, b) => weight(b) - weight(a) || Number(b.replyExample.sameContact) - Number(a.replyExample.sameContact),
  );
}

/** Whether the nearest past reply is withheld because no document supports one of its details. */
export function isWithheldAsUnsupported({ message, chunks, replyExamples }: ReplyEvidence): boolean {
  const facts = new SourceFacts([message, ...chunks.map((chunk) => chunk.text)]);
  return replyExamples[0] !== undefined && facts.unsupported(replyExamples[0].reply).length > 0;
}

function adapted(replyExample: ReplyExample, address: Address, facts: SourceFacts, confidence: number): string | null {
  const reply = replyExample.reply.trim();
  if (reply === "" || reply.length > (replyExample.sameContact ? LONGEST : LONGEST_FOR_OTHERS)) return null;
  if (claimsToBeHuman(reply)) return null;
  if (replyExample.opened) return agreeAddress(reply, address);
  const unsupported = facts.unsupported(reply);
  const sameExchange =
    replyExample.sameContact &&
    confidence >= SAME_EXCHANGE &&
    unsupported.every((slot) => slot.kind !== "date" && slot.kind !== "private");
  if (unsupported.length > 0 && !sameExchange) return null;
  return agreeAddress(reply, address);
}
