import { meaningsOf } from "#server/knowledge/language/statements/numerals.ts";
import { unitNamed } from "#server/knowledge/language/statements/units.ts";
import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";
import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import { memoize } from "#server/platform/text/memoize.ts";
import { daysIn } from "../days.ts";
import { rootOf } from "../roots.ts";

export type Tokens = ReadonlySet<string>;

const words = (text: string) => new Set(text.trim().split(/\s+/));
const rootSet = (text: string) => new Set([...words(text)].map(rootOf));

/** Words that accompany any amount. */
const OF_ANY = rootSet(
  `стоит стоят стоить стоимость цена цены ценой ценник прайс обойдется обойдутся выйдет выходит выйдут составляет составит составляют берем
  беру возьмем платить платите заплатить оплата будет будут получится получается сумма сумму итого всего вместе минимум максимум примерно
  около ровно почем сколько скольких скольки рублей рубля каждый каждая каждое каждого любой есть имеется равно который время часов час можно нужно
  надо пожалуйста сейчас подскажите скажите также еще тоже включая сразу просто конечно цены ваш ваша ваше вашей вашего вашу наш наша наше нашей нашу нашего свой своей своего мой моя моей
  нужна нужен нужны требуется бывает бывают хватит делаем делаете даем дает дают даете предлагаем хотите хочу интересует узнать расскажите
  бесплатно бесплатный даром подарок
  cost costs price total`,
);
/** Words that accompany any opening hours. */
const OF_HOURS = rootSet(
  "работаем работает работаете работать работы открыты открыто открыта открываемся открывается открываетесь открытие закрываемся закрывается закрыты режим график часы ждем утра вечера дня ночи до с по",
);
/** Prepositions that change the meaning of a noun: «по городу», «за город», «без доставки». */
const PREPOSITION = /^(?:за|по|без|после|под|из|с|со|на|в|во|до|от|для|при|у|к)$/;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Returns the roots of a text's subject words, each also with its preposition; days of the week are separate tokens.
 * @param related adds synonyms: for sources, not for claims
 */
export const tokensOf = (text: string, related = false): Tokens =>
  text.length > LONGEST_KEPT ? read(text, related) : related ? relatedTokens(text) : plainTokens(text);

/** Headings, titles and questions recur with each amount, so they are cached up to this length. */
const LONGEST_KEPT = 400;
const plainTokens = memoize(2000, (text: string): Tokens => read(text, false));
const relatedTokens = memoize(2000, (text: string): Tokens => read(text, true));

function read(text: string, related: boolean): Set<string> {
  const found = new Set<string>();
  let before = "";
  for (const [word] of normalize(text).matchAll(WORD)) {
    if (PREPOSITION.test(word)) {
      before = word.replace(/^(с|в)о$/, "$1");
      continue;
    }
    if (FUNCTION_WORDS.has(word) || /^\d+$/.test(word)) continue;
    const root = rootOf(word);
    const says = (word.length > 2 || /\d/.test(word)) && daysIn(word).week.size === 0;
    if (!says || OF_ANY.has(root) || OF_HOURS.has(root) || isAmountWord(word)) continue;
    found.add(root);
    if (before !== "") found.add(`${before} ${root}`);
    before = "";
    if (related)
      for (const other of relatedStems(stemOf(word))) found.add(other.length > ROOT ? other.slice(0, ROOT) : other);
  }
  if (DAY.test(text)) for (const day of daysIn(text, true).week) found.add(`day ${day}`);
  return found;
}

const DAY =
  /(?<!\p{L})(?:пн|вт|ср|чт|пт|сб|вс|понед|вторн|сред|четв|пятн|субб|воскр|ежедн|кажд|выходн|будн|рабоч|кругл|вс[юе]|24|семь|7|mon|tue|wed|thu|fri|sat|sun|dail|every|week)/iu;

/** Length of a root in letters; the same as in `rootOf`. */
const ROOT = 5;

const isAmountWord = (word: string): boolean => {
  const { numeral, scale, whole } = meaningsOf(word);
  if (numeral !== null || scale !== null || whole !== null) return true;
  const unit = unitNamed(word);
  return unit !== null && unit.dimension !== "people" && unit.dimension !== "pieces";
};

/** Whether one text says «без …» of something that the other includes. */
export function contradicts(one: Tokens, other: Tokens): boolean {
  const lacks = (tokens: Tokens, root: string) => tokens.has(`без ${root}`);
  for (const root of one) {
    if (root.includes(" ") || !other.has(root)) continue;
    if (lacks(one, root) !== lacks(other, root)) return true;
  }
  return false;
}

export type Role = "price" | "discount" | "deposit" | "fine" | "bonus" | "extra" | "minimum";

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ["discount", /(?<!\p{L})(?:скидк|дешев|акци[яюи]|промо|уступ|эконом|сэконом|discount)\p{L}{0,8}/iu],
  ["deposit", /(?<!\p{L})(?:предоплат|аванс|задат|залог|депозит|deposit)\p{L}{0,8}/iu],
  ["fine", /(?<!\p{L})(?:штраф|неустой|пен[яиюе](?!\p{L})|удержив|удерж)\p{L}{0,8}/iu],
  ["bonus", /(?<!\p{L})(?:бонус|балл|к[еэ]шб[еэ]к|cashback)\p{L}{0,8}/iu],
  ["extra", /(?<!\p{L})(?:доплат|наценк|надбавк|дорож)\p{L}{0,8}/iu],
  ["minimum", /(?<!\p{L})(?:минимальн)\p{L}{0,8}/iu],
  ["price", /(?<!\p{L})(?:сто[ия]т|стоимост|цен[аыуе](?!\p{L})|обойд|cost|price)\p{L}{0,8}/iu],
];

export const rolesIn = (text: string): ReadonlySet<Role> =>
  new Set(ROLES.flatMap(([role, pattern]) => (pattern.test(text) ? [role] : [])));

const OPENS = /(?<!\p{L})(?:откр|начин|начал|старт|с\sкакого|со\sскольк)\p{L}{0,10}/iu;
const CLOSES = /(?<!\p{L})(?:закр|заканч|оканч|закон|завер|до\sскольк|до\sкакого|допоздна)\p{L}{0,10}/iu;

/** Whether the words name the start or the end of the hours; null: both or neither. */
export function endSpokenOf(text: string): "from" | "to" | null {
  const [opens, closes] = [OPENS.test(text), CLOSES.test(text)];
  return opens === closes ? null : opens ? "from" : "to";
}
