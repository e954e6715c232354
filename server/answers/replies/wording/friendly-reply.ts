/**
 * Composes the reply to a friend when nothing is known: comfort, joy, laughter or a postponement, in the owner's own words to this
 * contact if there are any.
 */
import { agreeAddress } from "#server/knowledge/language/address.ts";
import type { EverydayAct } from "#server/knowledge/language/everyday.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { isLatin, type TargetStyle, transferStyle, weighted } from "#server/knowledge/style/style-transfer.ts";
import type { Friend } from "../owner-words/friend-policy.ts";
import { type FriendlyKind, PHRASES_BY_ACT } from "../owner-words/own-words.ts";
import type { ReplyRequest } from "../reply-request.ts";

/** Used when the owner has no such phrase. These state nothing and promise only that he will write. */
const PLAIN: Record<FriendlyKind, { ru: readonly string[]; en: readonly string[] }> = {
  sympathy: {
    ru: ["Ох, держись.", "Сочувствую, правда.", "Понимаю тебя. Держись."],
    en: ["Oh no, hang in there.", "I'm so sorry."],
  },
  joy: {
    ru: ["Ого, поздравляю!", "Вот это здорово!", "Класс, поздравляю!"],
    en: ["Wow, congratulations!", "That's great!"],
  },
  laughter: { ru: ["Ахаха.", "Смешно."], en: ["Haha."] },
  surprise: { ru: ["Ничего себе.", "Ого.", "Вот это да."], en: ["Wow.", "No way."] },
  peace: { ru: ["Не сердись.", "Не обижайся, пожалуйста."], en: ["Please don't be upset."] },
  later: {
    ru: ["Надо подумать, напишу чуть позже.", "Чуть позже напишу.", "Дай подумать, напишу попозже."],
    en: ["Let me think, I'll write a bit later."],
  },
  ask: { ru: ["А что случилось?", "Ты как?"], en: ["What happened?"] },
  welcome: { ru: ["Не за что.", "Да не за что."], en: ["You're welcome."] },
  thanks: { ru: ["Спасибо!", "Спасибо, приятно."], en: ["Thank you!"] },
};
/** Follow-ups that invite the friend to say more, used when the owner's phrase does not ask back. */
const FURTHER: Partial<Record<EverydayAct, { ru: readonly string[]; en: readonly string[] }>> = {
  telling: { ru: ["И как?", "Рассказывай."], en: ["Tell me more."] },
  reproach: { ru: ["Давай спокойно поговорим."], en: ["Let's talk it over."] },
  aboutOwner: { ru: ["Ты как?"], en: ["How are you?"] },
};
const FOLLOWS = 0.5;
const LAST_TURNS = 4;

/** @returns parts of the reply; each can be sent as a separate message */
export function friendlyReply(friend: Friend, request: ReplyRequest, targetStyle: TargetStyle): string[] {
  const { act } = friend;
  const [needed, ...further] = PHRASES_BY_ACT[act];
  const english = isLatin(request.message);
  const said: string[] = [];
  const own = (kind: FriendlyKind) => {
    const text = ownWord(friend, kind, { request, targetStyle, english, said });
    if (text !== null) said.push(text);
    return text !== null;
  };
  const plain = (texts: { ru: readonly string[]; en: readonly string[] }) => {
    const of = english ? texts.en : texts.ru;
    const text = of[Math.floor(targetStyle.random() * of.length)]!;
    said.push(transferStyle(text, targetStyle, { smile: act !== "grief" && act !== "reproach" }));
  };
  if (!own(needed)) plain(PLAIN[needed]);
  const [kind] = further;
  const asked = kind !== undefined && targetStyle.random() < FOLLOWS && own(kind);
  const bare = said[0]!.length < BARE;
  // A single word is too little for such news.
  if (!asked && bare && TOLD.has(act)) own(needed);
  const more = FURTHER[act];
  if (!asked && more !== undefined && said.length < 2 && (act !== "aboutOwner" || HOW.test(request.message)))
    plain(more);
  return said;
}

/** Length in characters; a shorter phrase («ой», «ого))») needs a second one. */
const BARE = 8;
const TOLD: ReadonlySet<EverydayAct> = new Set(["grief", "joy", "news"]);
const HOW = /(?<!\p{L})как(?!\p{L})/iu;

interface Place {
  request: ReplyRequest;
  targetStyle: TargetStyle;
  english: boolean;
  said: readonly string[];
}

/** Picks a phrase of the owner, preferring those sent to similar messages and excluding those that the twin has just used. */
function ownWord(
  { act, words }: Friend,
  kind: FriendlyKind,
  { request, targetStyle, english, said }: Place,
): string | null {
  const heard = new Set(
    request.history
      .slice(-LAST_TURNS)
      .flatMap(({ role, content, claimed }) => (role === "assistant" && !claimed ? content.split("\n") : [])),
  );
  const fitting = new Map<string, number>();
  for (const word of words) {
    if (word.kind !== kind || isLatin(word.text) !== english || heard.has(word.text)) continue;
    const text = agreeAddress(word.text, targetStyle.address);
    if (text === null || said.some((one) => repeats(one, text))) continue;
    if (UNFIT[act]?.test(text) || (kind === "ask" && !ASKS[act]?.test(text))) continue;
    fitting.set(text, (fitting.get(text) ?? 0) + (word.act === act ? 4 : 1));
  }
  return weighted(
    [...fitting].map(([text, count]) => ({ text, count })),
    targetStyle.random,
  );
}

const plainly = (text: string) => new Set(wordsOf(text).map((word) => word.replace(/(\p{L})\1+/gu, "$1")));
const repeats = (one: string, text: string) =>
  within(plainly(one), plainly(text)) || within(plainly(text), plainly(one));
const within = (part: ReadonlySet<string>, whole: ReadonlySet<string>) => [...part].every((word) => whole.has(word));

/** Questions in the owner's phrases that suit any news. */
const ASKS: Partial<Record<EverydayAct, RegExp>> = {
  grief: /как ты|ты как/iu,
  telling: /рассказ|и как|правда|сер[ьъ]?[её]зн|показ|покаж/iu,
};
/** Unsuitable phrases: no smile at grief, no laughter at a reproach. */
const UNFIT: Partial<Record<EverydayAct, RegExp>> = {
  grief: /[)😂🤣😁]|бывает|х[аеи]х/iu,
  reproach: /[😂🤣😁]|\){2}/u,
};
