/**
 * Finds lines for a reply to a friend: the owner has sent them to this contact, and closed lists contain all their words. Such a line can
 * comfort, rejoice, laugh, marvel, make peace, ask back or postpone. It cannot state or promise anything or name a person.
 */
import type { EverydayAct } from "#server/knowledge/language/everyday.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

const FRIENDLY = ["sympathy", "joy", "laughter", "surprise", "peace", "later", "ask", "thanks", "welcome"] as const;
export type FriendlyKind = (typeof FRIENDLY)[number];

/** Kinds of phrases that respond to an act; the first is required, another may follow. */
export const PHRASES_BY_ACT: Record<EverydayAct, readonly [FriendlyKind, ...FriendlyKind[]]> = {
  congratulation: ["thanks"],
  thanks: ["welcome"],
  reproach: ["peace"],
  grief: ["sympathy", "ask"],
  joke: ["laughter"],
  plan: ["later"],
  favour: ["later"],
  aboutOwner: ["later"],
  joy: ["joy"],
  news: ["surprise"],
  question: ["later"],
  telling: ["surprise", "ask"],
};

/** Shortens repeated letters, so that «урааа» and «ура» are equal. */
const short = (word: string) => word.replace(/(\p{L})\1+/gu, "$1");
const list = (text: string) => new Set(wordsOf(text).map(short));

/** A line with one of these words is of this kind. */
const CORE: Record<FriendlyKind, ReadonlySet<string>> = {
  sympathy: list(
    `держись держитесь крепись крепитесь терпи сочувствую соболезную сожалею обнимаю обнял обняла жаль жалко бедная бедный бедные бедняга бедолага бедняжка бедненькая бедненький ужас ужасно кошмар жесть блин ох эх
    капец обидно тяжело несправедливо неприятно грустно печально понимаю прорвемся выздоравливай выздоравливайте лечись поправляйся береги берегите наладится образуется расстраивайся переживай накручивай
    выдохни рядом сил терпения знакомо бывает пройдет жуть отстой`,
  ),
  joy: list(
    `ура поздравляю поздравляем молодец молодцы молодчина умница умнички круто крутой крутая здорово класс классно супер огонь отлично прекрасно замечательно шикарно красота горжусь рад рада рады
    счастья браво вау ваще уважаю бомба потрясающе чудесно`,
  ),
  laughter: list("ору ржу лол смешно жиза угар хех хе хи хихи умора"),
  surprise: list(
    "ого офигеть обалдеть поворот новости серьезно неожиданно интрига фига нифига вау чудеса ничегосебе даладно надоже нудела вотэтода",
  ),
  peace: list("прости извини простите извините обижайся обижайтесь злись сердись дуйся кипятись серчай"),
  later: list("подумаю подумать отпишусь спишемся прикину прикинуть посмотрим позже попозже потом необещаю дамзнать"),
  ask: list("что как почему сильно рассказывай расскажи правда точно случилось чего кто"),
  thanks: list("спасибо спасибочки спс пасиб благодарю взаимно"),
  welcome: list("пожалуйста незачто обращайся обращайтесь здоровье очемречь"),
};
/** Words that may accompany the core words. */
const BESIDE: Record<FriendlyKind, ReadonlySet<string>> = {
  sympathy: list("я все будет хорошо получится себя не с тобой расстраивайся"),
  joy: list("я за обоих так держать счастье большое красавец красавчик красавица"),
  laughter: list("очень"),
  surprise: list("себе вот это да же ну"),
  peace: list("не зла держи на"),
  later: list(
    "посмотрю гляну напишу отвечу скажу расскажу надо чуть ближе к делу как будет время по работе делам времени сейчас дай хорошая отличная идея мысль звучит круто заманчиво неплохо интересно",
  ),
  ask: list("случилось стало такое за и же то там сам сама серьезно давай скорее все покажи"),
  thanks: list("большое огромное и приятно обнимаю так очень тебя"),
  welcome: list("всегда на да ну"),
};
const LIGHT = list(
  "ну а и же вот да ой ох ах эх о у мне тебя тебе вас вам ты правда очень так это там крепко прям прямо совсем хоть уж уже еще блин божечки",
);
/** Words that alone answer something or say too little. */
const TOO_LITTLE = list("и давай точно правда как потом что кто вау блин ох");
/** Idioms, whose meaning differs from that of their words. */
const TOGETHER =
  /(?<!\p{L})(?:да ладно|не за что|о чем речь|ничего себе|вот это да|надо же|ну дела|не обещаю|дам знать)(?!\p{L})/gu;
const LAUGHTER = /^а?(?:х[аеи]){2,}х?$/u;
const LONGEST = 60;
const MAX_WORDS = 7;

export function friendlyKind(line: string): FriendlyKind | null {
  const text = line.trim();
  if (text === "" || text.length > LONGEST || /[\d@]|:\/\//.test(text) || claimsToBeHuman(text)) return null;
  const plain = text.toLowerCase().replaceAll("ё", "е");
  const words = wordsOf(plain.replace(TOGETHER, (phrase) => phrase.replaceAll(" ", ""))).map(short);
  if (words.length === 0 || words.length > MAX_WORDS) return null;
  const laughs = (word: string) => LAUGHTER.test(word) || CORE.laughter.has(word);
  if (words.every(laughs)) return "laughter";
  if (!text.includes("?") && words.every((one) => TOO_LITTLE.has(one) || LIGHT.has(one))) return null;
  const asks = text.includes("?") || ASKS_UNMARKED.has(words[0]!);
  for (const kind of FRIENDLY) {
    // «Серьёзно?» expresses surprise; any other line with a question mark asks.
    if (kind === "laughter" || (asks ? kind !== "ask" && kind !== "surprise" : kind === "ask")) continue;
    const [core, beside] = [CORE[kind], BESIDE[kind]];
    if (!words.some((one) => core.has(one))) continue;
    if (words.every((one) => core.has(one) || beside.has(one) || LIGHT.has(one) || laughs(one))) return kind;
  }
  return null;
}

const ASKS_UNMARKED = list("рассказывай расскажи");

export interface OwnWord {
  kind: FriendlyKind;
  text: string;
  act: EverydayAct;
}

export function ownWords(
  pairs: readonly { incoming: string; reply: string }[],
  actOf: (incoming: string) => EverydayAct,
): OwnWord[] {
  return pairs.flatMap(({ incoming, reply }) => {
    const lines = reply.split("\n").flatMap((line) => {
      const kind = friendlyKind(line);
      return kind === null ? [] : [{ kind, text: line.trim() }];
    });
    if (lines.length === 0) return [];
    const act = actOf(incoming);
    return lines.map((line) => ({ ...line, act }));
  });
}
