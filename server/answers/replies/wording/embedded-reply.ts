/**
 * Composes a reply without a model: from sentences of the documents, past replies and set phrases, in the owner's style. It never invents
 * a fact.
 */

import { applyRules } from "#server/knowledge/corrections/style-rules.ts";
import { asksWhoAnswers } from "#server/knowledge/language/disclosure.ts";
import { followUpOf } from "#server/knowledge/language/question/contextual-query.ts";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import { contactAddress } from "#server/knowledge/style/contact-address.ts";
import {
  followableProfile,
  isLatin,
  sentenceLimit,
  type TargetStyle,
  transferStyle,
} from "#server/knowledge/style/style-transfer.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { findAnswer } from "../extraction/find-answer.ts";
import { isAnsweredSocially } from "../owner-words/friend-policy.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { friendlyReply } from "./friendly-reply.ts";
import { quoteNearest } from "./nearest-quoted.ts";
import { isLeftToOwner, ownerWillAnswer } from "./owner-answers.ts";
import { reusableReplies } from "./reuse.ts";
import { askBack, openingGreeting, smallTalkReply, unknownReply } from "./small-talk-reply.ts";

/** Returns the whole reply; a line break separates the messages of a burst. The same seed and request give the same reply. */
export function embeddedReply(request: ReplyRequest): string {
  const { corrected, rules = [], history, message } = request;
  if (corrected?.kind === "example") return corrected.text;
  const reply = composed(request);
  // Style rules must not change the disclosure that an AI answers.
  if (asksWhoAnswers(message)) return reply;
  const opening = !history.some((turn) => turn.role === "assistant");
  return applyRules(reply, rules, { opening, address: contactAddress(request) });
}

function composed(request: ReplyRequest): string {
  const targetStyle: TargetStyle = {
    profile: request.profile,
    address: contactAddress(request),
    random: seededRandom(`${request.seed ?? request.history.length}\n${request.message}`),
  };
  if (request.corrected) return joined([openingGreeting(request, targetStyle), request.corrected.text], targetStyle);
  if (isAnsweredSocially(request))
    return joined(
      [openingGreeting(request, targetStyle), ...friendlyReply(request.friend, request, targetStyle)],
      targetStyle,
    );
  if (request.plan.kind === "smalltalk") return joined(smallTalkReply(request, targetStyle), targetStyle);
  if (request.plan.ask !== undefined)
    return joined([openingGreeting(request, targetStyle), askBack(request.plan.ask, targetStyle)], targetStyle);
  if (request.plan.kind === "recurring") {
    const reply = reusableReplies(request)[0];
    if (reply !== undefined) return reply.text;
  }
  const greeting = openingGreeting(request, targetStyle);
  const nearest = quoteNearest(request);
  // A quotation starts on its own line after a greeting.
  if (request.plan.kind === "quoted" && nearest !== null)
    return greeting === null ? nearest : `${greeting}\n${nearest}`;
  if (request.ownerAnswers && request.plan.kind === "unknown" && isLeftToOwner(request))
    return joined([greeting, ...ownerWillAnswer(request, targetStyle)], targetStyle);
  const body = request.plan.kind === "unknown" ? null : knowledgeReply(request, targetStyle);
  if (body !== null) return joined([greeting, body], targetStyle);
  const unsure = joined([greeting, ...unknownReply(request, targetStyle)], targetStyle);
  // The quotation is a separate paragraph, because the owner has not written it.
  return nearest === null ? unsure : `${unsure}\n\n${nearest}`;
}

function knowledgeReply(request: ReplyRequest, targetStyle: TargetStyle): string | null {
  const { message, chunks, history } = request;
  const answer =
    request.answer === undefined
      ? findAnswer({
          parts: questionParts(message, followUpOf(history, message)),
          chunks,
          rarity: () => 1,
          limit: sentenceLimit(request.profile, request.rules),
        })
      : request.answer;
  if (answer === null) return null;
  const said = transferStyle(answer.text, targetStyle, { opener: true });
  const open = answer.unanswered?.[0];
  return open === undefined
    ? said
    : `${said}\n${transferStyle(leftOpen(open, request), targetStyle, { smile: false })}`;
}

const LONGEST_NAMED = 80;

/** Says which question of the message has no answer here. */
function leftOpen(question: string, { message, ownerAnswers }: ReplyRequest): string {
  const named =
    question.length <= LONGEST_NAMED && !/[\n«»/@]/.test(question) ? question.replace(/[\s?!.,]{1,9}$/, "") : null;
  if (isLatin(message)) {
    const about = named === null ? "the rest" : `“${named}”`;
    return ownerAnswers ? `I'll ask about ${about} and write back.` : `I can't say for sure about ${about}.`;
  }
  const about = named === null ? "остальное" : `вопрос «${named}»`;
  return ownerAnswers ? `На ${about} отвечу позже: уточню.` : `На ${about} точно не отвечу.`;
}

/** Puts each part in a message of its own as often as the owner sends bursts; otherwise joins all parts into one line. */
function joined(parts: readonly (string | null)[], targetStyle: TargetStyle): string {
  const said = parts.filter((part): part is string => part !== null && part !== "");
  const bursts = followableProfile(targetStyle.profile)?.turn.several ?? 0;
  if (said.length < 2 || targetStyle.random() < bursts) return said.join("\n");
  return said
    .map((part, i) => (i < said.length - 1 && /[\p{L}\p{N}]$/u.test(part) ? `${part},` : part))
    .reduce((text, part) => `${text} ${text.endsWith(",") ? uncapitalised(part) : part}`);
}

const uncapitalised = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) &&
  /^(?:все|нормально|не|пожалуйста|норм|к сожалению|это|для|в|на|мы|у|а)(?!\p{L})/iu.test(text)
    ? text[0]!.toLowerCase() + text.slice(1)
    : text;
