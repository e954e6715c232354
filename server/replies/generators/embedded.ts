/**
 * The generator that needs no key and no network. It says sentences of the documents, past replies of the owner and set
 * phrases, in the owner's form; it never composes a fact.
 */

import { withRules } from "#server/corrections/style-rules.ts";
import { followUpOf } from "#server/language/contextual-query.ts";
import { asksWhoAnswers } from "#server/language/disclosure.ts";
import { questionParts } from "#server/language/question-parts.ts";
import { seededRandom } from "#server/seeded-random.ts";
import { contactAddress } from "#server/style/contact-address.ts";
import { inManner, isLatin, known, type Manner, sentenceLimit } from "#server/style/manner.ts";
import { findAnswer } from "../reading/find-answer.ts";
import { isLeftToOwner, ownerWillAnswer } from "../wording/owner-answers.ts";
import { reusableReplies } from "../wording/reuse.ts";
import { askBack, openingGreeting, smallTalkReply, unknownReply } from "../wording/small-talk-reply.ts";
import type { Generator, ReplyRequest } from "./generator.ts";

export function embeddedGenerator(): Generator {
  return {
    name: "embedded",
    async *generate(request, signal) {
      signal.throwIfAborted();
      yield embeddedReply(request);
    },
  };
}

/** The whole reply; a line break parts messages of one burst. The same seed and request give the same reply. */
export function embeddedReply(request: ReplyRequest): string {
  const { corrected, rules = [], history, message } = request;
  if (corrected?.kind === "exemplar") return corrected.text;
  const reply = composed(request);
  // Who answers is told as it is, whatever habits are ordered.
  if (asksWhoAnswers(message)) return reply;
  const opening = !history.some((turn) => turn.role === "assistant");
  return withRules(reply, rules, { opening, address: contactAddress(request) });
}

function composed(request: ReplyRequest): string {
  const manner: Manner = {
    profile: request.profile,
    address: contactAddress(request),
    random: seededRandom(`${request.seed ?? request.history.length}\n${request.message}`),
  };
  if (request.corrected) return joined([openingGreeting(request, manner), request.corrected.text], manner);
  if (request.plan.kind === "smalltalk") return joined(smallTalkReply(request, manner), manner);
  if (request.plan.ask !== undefined)
    return joined([openingGreeting(request, manner), askBack(request.plan.ask, manner)], manner);
  if (request.plan.kind === "recurring") {
    // In the owner's own words, down to the last bracket.
    const reply = reusableReplies(request)[0];
    if (reply !== undefined) return reply.text;
  }
  const greeting = openingGreeting(request, manner);
  if (request.plan.kind === "quoted")
    return joined([greeting, quoted(request.quotation!, isLatin(request.message))], manner);
  if (request.ownerAnswers && request.plan.kind === "unknown" && isLeftToOwner(request))
    return joined([greeting, ...ownerWillAnswer(request, manner)], manner);
  const body = request.plan.kind === "unknown" ? null : knowledgeReply(request, manner);
  return joined(body === null ? [greeting, ...unknownReply(request, manner)] : [greeting, body], manner);
}

/** Not in the owner's manner: the words are the document's. */
const quoted = ({ passage, text }: NonNullable<ReplyRequest["quotation"]>, english: boolean): string =>
  english
    ? `I can't say for sure, but the document “${passage.name}” says:\n${text}`
    : `Точно не скажу, но в документе «${passage.name}» сказано:\n${text}`;

function knowledgeReply(request: ReplyRequest, manner: Manner): string | null {
  const { message, passages, history } = request;
  const answer =
    request.answer === undefined
      ? findAnswer({
          parts: questionParts(message, followUpOf(history, message)),
          passages,
          rarity: () => 1,
          limit: sentenceLimit(request.profile, request.rules),
        })
      : request.answer;
  return answer === null ? null : inManner(answer.text, manner, { opener: true });
}

/** Messages of a burst where the owner sends bursts, else one line. */
function joined(parts: readonly (string | null)[], manner: Manner): string {
  const said = parts.filter((part): part is string => part !== null && part !== "");
  const bursts = known(manner.profile)?.turn.several ?? 0;
  if (said.length < 2 || manner.random() < bursts) return said.join("\n");
  return said
    .map((part, i) => (i < said.length - 1 && /[\p{L}\p{N}]$/u.test(part) ? `${part},` : part))
    .reduce((text, part) => `${text} ${text.endsWith(",") ? uncapitalised(part) : part}`);
}

const uncapitalised = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) &&
  /^(?:все|нормально|не|пожалуйста|норм|к сожалению|это|для|в|на|мы|у|а)(?!\p{L})/iu.test(text)
    ? text[0]!.toLowerCase() + text.slice(1)
    : text;
