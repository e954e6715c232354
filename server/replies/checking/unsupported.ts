/** What a sentence of an answer states that no source holds (docs/decisions/053). */
import { FUNCTION_WORDS } from "#server/language/lexicon.ts";
import { daysIn } from "./days.ts";
import { commitmentsIn } from "./promises.ts";
import { phonesIn, type Quantity, quantitiesIn, sameQuantity, withoutPhones } from "./quantities.ts";
import { type Facts, type ReplySources, rootOf, rootsOf } from "./sources.ts";

export interface Checked {
  /** Each as it stands in the sentence; empty: all of it is supported. */
  unsupported: string[];
  /** A number is a sum, a difference, a product or a share of such as are known. */
  computed: boolean;
  /** Only the past replies, or only who asks, hold something of it. */
  weak: boolean;
  /** Somebody is to look or ask. */
  defers: boolean;
}

/** What can be reckoned with: the numbers of the message and those that the answer has named. */
export type Operands = readonly Quantity[];

const ASKS_AMOUNT =
  /сколько|скольк|скока|поч[её]м|цен|сто[ия]|итог|всего|вместе|посчит|хватит|сумм|выйдет|обойд|получ|разниц|дешевле|дороже|how much|how many|total|cost/iu;
/** «1.», «2)» before a line. */
const LIST_NUMBER = /^\s{0,4}\d{1,2}[.)]\s{1,3}/;
const POLITE = /^(?:вы|вас|вам|вами|ваш\p{L}{0,3}|ты|теб[яе]|тво\p{L}{1,3})$/iu;
/** Not of «добрый вечер». */
const TIME_OF_DAY = /^(?:утром|вечером|ночью)$/u;

export function checkSentence(
  sentence: string,
  sources: ReplySources,
  { message, operands }: { message: string; operands: Operands },
): Checked {
  const owners = sources.facts("passage", "said");
  const shown = sources.facts("passage", "said", "example");
  const all = sources.facts("passage", "said", "example", "asker");
  const result: Checked = { unsupported: [], computed: false, weak: false, defers: false };
  /** @param mayAsk whether the asker's own words are enough */
  const settle = (text: string, holds: (facts: Facts) => boolean, mayAsk = true) => {
    if (holds(owners)) return;
    if (holds(shown) || (mayAsk && holds(all))) result.weak = true;
    else result.unsupported.push(text.trim());
  };
  for (const { text, digits } of phonesIn(sentence)) settle(text, ({ phones }) => phones.has(digits));
  const known: Quantity[] = [...operands];
  for (const quantity of quantitiesIn(withoutPhones(sentence.replace(LIST_NUMBER, "")))) {
    // «один» is an article more often than a number.
    if (quantity.value === 1 && !/\d/.test(quantity.text) && quantity.unit === null) continue;
    const held = (facts: Facts) => facts.quantities.some((one) => sameQuantity(quantity, one));
    // Whoever asks for a price or a share has not set it.
    const mayAsk = quantity.unit?.dimension !== "money" && quantity.unit?.dimension !== "percent";
    if (!held(shown) && !(mayAsk && held(all)) && ASKS_AMOUNT.test(message) && reckoned(quantity, known))
      result.computed = true;
    else if (!held(mayAsk ? all : shown)) {
      result.unsupported.push(quantity.text.trim());
      continue;
    } else settle(quantity.text, held, mayAsk);
    known.push(quantity);
  }
  const days = daysIn(sentence);
  for (const day of days.week) settle(DAY_NAMES[day]!, (facts) => facts.days.week.has(day));
  for (const month of days.months) settle(MONTH_NAMES[month]!, (facts) => facts.days.months.has(month));
  for (const word of days.relative) settle(word, (facts) => facts.days.relative.has(word));
  const words =
    sentence
      .toLowerCase()
      .replaceAll("ё", "е")
      .match(/\p{L}+/gu) ?? [];
  if (quantitiesIn(sentence).length === 0) {
    for (const word of words) if (TIME_OF_DAY.test(word)) settle(word, ({ roots }) => roots.has(rootOf(word)));
  }
  for (const { kind, text } of all.named.unsupported(sentence)) {
    if (kind === "name" && !isGrammar(text)) result.unsupported.push(text);
    if (kind === "link" || kind === "email" || kind === "handle") result.unsupported.push(text);
  }
  for (const { verb, defers } of commitmentsIn(sentence)) {
    if (defers) result.defers = true;
    else if (!isKept(verb, sentence, sources)) result.unsupported.push(verb);
  }
  return result;
}

/** A capital within a sentence makes no name of «Вам», nor of a word of grammar. */
const isGrammar = (word: string) => POLITE.test(word) || FUNCTION_WORDS.has(word.toLowerCase().replaceAll("ё", "е"));

const COMMITTED_SHARE = 0.5;

/** Whether one sentence of the owner's own says the deed and half of what it is about: «сделаем» of a drawing is no discount. */
function isKept(verb: string, sentence: string, { sentences }: ReplySources): boolean {
  const deed = rootOf(verb).slice(0, 4);
  const about = new Set(rootsOf(sentence).filter((root) => !root.startsWith(deed)));
  return sentences.some(({ kind, roots }) => {
    if (kind !== "passage" && kind !== "said") return false;
    if (![...roots].some((root) => root.startsWith(deed))) return false;
    const held = [...about].filter((root) => roots.has(root)).length;
    return held >= about.size * COMMITTED_SHARE;
  });
}

const MOST_OPERANDS = 12;

/** One step of reckoning that whoever reads can follow: of two numbers that are named, or the sum of all. */
function reckoned({ value }: Quantity, operands: Operands): boolean {
  const near = (other: number) => Math.abs(other - value) <= Math.max(0.005 * Math.abs(value), 1e-6);
  const values = [...new Set(operands.map((one) => one.value))].slice(-MOST_OPERANDS);
  for (const [at, one] of values.entries()) {
    for (const other of values.slice(at + 1)) {
      const results = [one * other, one + other, Math.abs(one - other)];
      for (const [part, whole] of [
        [one, other],
        [other, one],
      ] as const) {
        if (part <= 100) results.push((whole * part) / 100, whole * (1 - part / 100), whole * (1 + part / 100));
        if (part !== 0) results.push(whole / part);
      }
      if (results.some(near)) return true;
    }
  }
  const amounts = values.filter((one) => one >= 10);
  return amounts.length > 2 && near(amounts.reduce((sum, one) => sum + one, 0));
}

const DAY_NAMES = ["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"];
const MONTH_NAMES = "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь".split(" ");
