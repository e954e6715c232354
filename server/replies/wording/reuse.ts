/** Which of the owner's past replies may be said again, here and to this contact. */
import { type Address, agreeAddress } from "#server/language/address.ts";
import { type Agreement, agreementOf } from "#server/language/agreement.ts";
import { claimsToBeHuman } from "#server/output-guard/human-claim.ts";
import { contactAddress } from "#server/style/contact-address.ts";
import type { ReplyEvidence, ReplyExemplar } from "../generators/generator.ts";
import { SourceFacts } from "./source-facts.ts";

export interface ReusableReply {
  exemplar: ReplyExemplar;
  /** With the other past replies to the like, also those that may not be said here. */
  agreement: Agreement;
  /** Spoken to this contact. */
  text: string;
}

/** A reply longer than this says too much of its own talk to fit another. */
const LONGEST_FOR_OTHERS = 300;
const LONGEST = 700;
/** From this confidence on, the same contact asks the same thing: what they were told may be told them again. */
const SAME_TALK = 0.75;
/** Replies this much weaker than the best answer something else. */
const NEAR_BEST = 0.6;

/** What agrees with this much of its score adds to a reply's own: two who say the same outweigh one who is a little nearer. */
const SUPPORT = 0.25;

/** The replies that may be said, best first, what others agree with before what stands alone; whatever holds a slot without a source is left out whole. */
export function reusableReplies(evidence: ReplyEvidence): ReusableReply[] {
  const address = contactAddress(evidence);
  const facts = new SourceFacts([evidence.message, ...evidence.passages.map((passage) => passage.text)]);
  const best = Math.max(0, ...evidence.exemplars.map((exemplar) => exemplar.score));
  const near = evidence.exemplars.filter(({ score }) => score >= best * NEAR_BEST);
  const agreements = agreementOf(near.map(({ reply, score }) => ({ text: reply, score })));
  const reusable = near.flatMap((exemplar, at): ReusableReply[] => {
    const text = adapted(exemplar, address, facts, evidence.confidence.exemplars);
    const { same, ...rest } = agreements[at]!;
    // What recurs stands for all who got it.
    const agreement = { ...rest, same: same + (exemplar.people ?? 1) - 1 };
    return text === null ? [] : [{ exemplar, text, agreement }];
  });
  const weight = ({ exemplar, agreement }: ReusableReply) =>
    exemplar.score * (1 + SUPPORT * Math.min(2, agreement.same));
  return reusable.sort(
    (a, b) => weight(b) - weight(a) || Number(b.exemplar.sameContact) - Number(a.exemplar.sameContact),
  );
}

/** Whether the nearest past reply holds what no document does, and is kept back for that. */
export function holdsUnsupported({ message, passages, exemplars }: ReplyEvidence): boolean {
  const facts = new SourceFacts([message, ...passages.map((passage) => passage.text)]);
  return exemplars[0] !== undefined && facts.unsupported(exemplars[0].reply).length > 0;
}

function adapted(exemplar: ReplyExemplar, address: Address, facts: SourceFacts, confidence: number): string | null {
  const reply = exemplar.reply.trim();
  if (reply === "" || reply.length > (exemplar.sameContact ? LONGEST : LONGEST_FOR_OTHERS)) return null;
  if (claimsToBeHuman(reply)) return null;
  if (exemplar.opened) return agreeAddress(reply, address);
  const unsupported = facts.unsupported(reply);
  const sameTalk =
    exemplar.sameContact &&
    confidence >= SAME_TALK &&
    unsupported.every((slot) => slot.kind !== "date" && slot.kind !== "private");
  if (unsupported.length > 0 && !sameTalk) return null;
  return agreeAddress(reply, address);
}
