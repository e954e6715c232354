/** What a twin says where only its owner can answer, and he will: in the owner's own words for such a moment, else in plain ones. */

import { wantOf } from "#server/language/question.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import { contactAddress } from "#server/style/contact-address.ts";
import { inManner, isGrave, isLatin, type Manner, weighted } from "#server/style/manner.ts";
import { planAfter } from "../decide.ts";
import type { Generator, ReplyRequest } from "../generators/generator.ts";
import {
  fittingSayings,
  ownAcknowledgement,
  ownAsides,
  ownUnsure,
  type Setting,
  wantsOwner,
} from "./small-talk-reply.ts";

/** Whether the reply leaves the message to the owner: nothing was found, and it is no remark that words of his own meet. */
export function leavesToOwner(generator: Generator, request: ReplyRequest, response: string): boolean {
  if (planAfter(generator, request, response).kind !== "unknown") return false;
  // A model meets remarks by itself: it knows no answer only where one was asked for.
  return (generator.name === "llm" && !generator.fellBack?.(request)) || isLeftToOwner(request);
}

/** The same for what the embedded engine says; of a request whose plan is «unknown». */
export function isLeftToOwner(request: ReplyRequest): boolean {
  if (wantOf(request.message) !== "statement" || wantsOwner(request)) return true;
  const manner: Manner = { profile: request.profile, address: contactAddress(request), random: () => 0 };
  const setting: Setting = { request, manner, english: isLatin(request.message) };
  return (
    ownAsides(setting, "reaction").length === 0 &&
    ownAsides(setting, "question").length === 0 &&
    ownAcknowledgement(setting) === null
  );
}

/** That the owner will answer. @returns parts, as `smallTalkReply` */
export function ownerWillAnswer(request: ReplyRequest, manner: Manner): string[] {
  const english = isLatin(request.message);
  const plain = (russian: string, latin: string) => inManner(english ? latin : russian, manner, { smile: false });
  if (request.ownerAnswers === "asked")
    return [plain("Ещё уточняю: напишу, как только узнаю.", "I'm still finding out: I'll write as soon as I know.")];
  const want = wantOf(request.message);
  if (want === "request")
    return [
      plain(
        "Это решает владелец: передам ему, он ответит.",
        "That's for the owner to decide: I'll pass it on to them.",
      ),
    ];
  if (want === "statement") {
    const sorry = isGrave(request.message) ? plain("Очень жаль.", "I'm so sorry.") : null;
    const passedOn = plain(
      "Передам владельцу: он ответит лично.",
      "I'll pass this on: the owner will answer personally.",
    );
    return sorry === null ? [passedOn] : [`${sorry} ${passedOn}`];
  }
  const setting: Setting = { request, manner, english };
  const own = weighted(fittingSayings("deferral", setting), manner.random);
  if (own !== null) return [own];
  const unsure = ownUnsure(setting);
  if (unsure !== null) return [unsure, plain("Уточню у владельца и напишу.", "I'll ask the owner and write back.")];
  return [
    plain("Точно не знаю: уточню у владельца и напишу.", "I don't know for sure: I'll ask the owner and write back."),
  ];
}

const NEAREST = 2;

/** What was found nearest to a message that nothing answers, best first: for the owner's eyes. */
export function nearestPassages({ quotation, passages }: ReplyRequest): ReplyPassage[] {
  const found = quotation ? [quotation.passage, ...passages] : passages;
  return [...new Map(found.map((passage) => [passage.id, passage])).values()].slice(0, NEAREST);
}
