/** Words the reply when only the owner can answer and will do so: in his own phrases, or in plain ones. */

import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contactAddress } from "#server/knowledge/style/contact-address.ts";
import { isLatin, type TargetStyle, transferStyle, weighted } from "#server/knowledge/style/style-transfer.ts";
import { needsOwner } from "../owner-words/friend-policy.ts";
import type { ReplyRequest } from "../reply-request.ts";
import {
  fittingSetPhrases,
  isInTrouble,
  ownAcknowledgement,
  ownFillers,
  ownUncertaintyPhrase,
  type Setting,
  sympathyFor,
  wantsOwner,
} from "./small-talk-reply.ts";

/** Whether the embedded engine leaves an «unknown» message to the owner, because his own words do not answer it as a remark. */
export function isLeftToOwner(request: ReplyRequest): boolean {
  if (request.friend) return needsOwner(request.friend);
  if (wantOf(request.message) !== "statement" || wantsOwner(request) || isInTrouble(request)) return true;
  const targetStyle: TargetStyle = { profile: request.profile, address: contactAddress(request), random: () => 0 };
  const setting: Setting = { request, targetStyle, english: isLatin(request.message) };
  return (
    ownFillers(setting, "reaction").length === 0 &&
    ownFillers(setting, "question").length === 0 &&
    ownAcknowledgement(setting) === null
  );
}

/** Returns a reply that says that the owner will answer, as parts that can be sent as separate messages. */
export function ownerWillAnswer(request: ReplyRequest, targetStyle: TargetStyle): string[] {
  const english = isLatin(request.message);
  const plain = (russian: string, latin: string) =>
    transferStyle(english ? latin : russian, targetStyle, { smile: false });
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
  if (want === "statement" || isInTrouble(request)) {
    const met = sympathyFor(request, english);
    const sorry = met === null ? null : plain(met, met);
    const passedOn = plain(
      "Передам владельцу: он ответит лично.",
      "I'll pass this on: the owner will answer personally.",
    );
    return sorry === null ? [passedOn] : [sorry, passedOn];
  }
  const setting: Setting = { request, targetStyle, english };
  const own = weighted(fittingSetPhrases("deferral", setting), targetStyle.random);
  if (own !== null) return [own];
  const unsure = ownUncertaintyPhrase(setting);
  if (unsure !== null) return [unsure, plain("Уточню у владельца и напишу.", "I'll ask the owner and write back.")];
  return [
    plain("Точно не знаю: уточню у владельца и напишу.", "I don't know for sure: I'll ask the owner and write back."),
  ];
}
