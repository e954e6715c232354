/** Finds statements of a sentence that no source supports (docs/decisions/026-answer-verification.md). */

import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import { phonesIn, type Quantity, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";
import { amountsIn, type StatedAmount } from "./amounts/stated-amounts.ts";
import { daysIn } from "./days.ts";
import type { Facts } from "./facts.ts";
import { rootOf, rootsOf } from "./roots.ts";
import type { ReplySources } from "./sources.ts";

interface Checked {
  /** The unsupported pieces, verbatim; empty when everything is supported. */
  unsupported: string[];
  /** Whether a number is the sum, difference, product or share of known numbers. */
  computed: boolean;
  /** Whether part of it is supported only by past replies or by the asker's own words. */
  weak: boolean;
  defers: boolean;
}

/** Numbers available for arithmetic: those of the message and those already named in the answer. */
type Operands = readonly Quantity[];

const ASKS_AMOUNT =
  /сколько|скольк|скока|поч[её]м|цен|сто[ия]|итог|всего|вместе|посчит|хватит|сумм|выйдет|обойд|получ|разниц|дешевле|дороже|how much|how many|total|cost/iu;
const LIST_NUMBER = /^\s{0,4}\d{1,2}[.)]\s{1,3}/;
const POLITE = /^(?:вы|вас|вам|вами|ваш\p{L}{0,3}|ты|теб[яе]|тво\p{L}{1,3})$/iu;
/** Only instrumental forms, so that «добрый вечер» does not match. */
const TIME_OF_DAY = /^(?:утром|вечером|ночью)$/u;

export function checkSentence(
  sentence: string,
  sources: ReplySources,
  { message, operands }: { message: string; operands: Operands },
): Checked {
  const owners = sources.facts("chunk", "said");
  const shown = sources.facts("chunk", "said", "example");
  const all = sources.facts("chunk", "said", "example", "asker");
  const result: Checked = { unsupported: [], computed: false, weak: false, defers: false };
  /** @param mayAsk whether the asker's own words are a sufficient source */
  const settle = (text: string, holds: (facts: Facts) => boolean, mayAsk = true) => {
    if (holds(owners)) return;
    if (holds(shown) || (mayAsk && holds(all))) result.weak = true;
    else result.unsupported.push(text.trim());
  };
  for (const { text, digits } of phonesIn(sentence))
    settle(
      text,
      ({ phones }) => phones.has(digits) || (digits.length < 10 && [...phones].some((one) => one.endsWith(digits))),
    );
  checkAmounts(sentence, sources, { message, operands, result });
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
    if (kind === "name" && !isGrammar(text) && !isOfCode(text, sentence)) result.unsupported.push(text);
    if (kind === "link" || kind === "email" || kind === "handle") result.unsupported.push(text);
  }
  for (const [code] of sentence.matchAll(CODE))
    if (!rootsOf(code).every((root) => all.roots.has(root))) result.unsupported.push(code);
  for (const { verb, defers } of commitmentsIn(sentence)) {
    if (defers) result.defers = true;
    else if (!isKept(verb, sentence, sources)) result.unsupported.push(verb);
  }
  return result;
}

interface Checking {
  message: string;
  operands: Operands;
  result: Checked;
}

/** Every amount needs a source sentence with the same unit and subject, or must be computed from supported amounts. */
function checkAmounts(sentence: string, sources: ReplySources, { message, operands, result }: Checking): void {
  const known: Quantity[] = [...operands];
  const said = sentence.replace(LIST_NUMBER, "");
  const amounts = amountsIn(said, { source: false });
  if (amounts.length > MOST_AMOUNTS) {
    result.unsupported.push(sentence.slice(0, 40));
    return;
  }
  for (const amount of amounts) {
    const quantity = quantityOf(amount);
    // «один» is more often an article than a number.
    if (quantity?.value === 1 && quantity.unit === null && !/\d/.test(quantity.text)) continue;
    const claim = { amount, amounts, sentence: said, question: message };
    if (!sources.amounts("chunk", "said").holds(claim)) {
      // A price or percentage named by the asker is no evidence, because only the owner sets it.
      const asked = !isOwners(amount) && sources.amounts("asker").hasValue(claim);
      if (sources.amounts("chunk", "said", "example").holds(claim) || asked) result.weak = true;
      else if (quantity !== null && ASKS_AMOUNT.test(message) && isReckoned(quantity, known)) result.computed = true;
      else {
        result.unsupported.push(amount.text.trim());
        continue;
      }
    }
    if (quantity !== null) known.push(quantity);
  }
}

const MOST_AMOUNTS = 40;

const quantityOf = ({ readings }: StatedAmount): Quantity | null =>
  readings.find((one) => one.kind === "quantity")?.quantity ?? null;

/** Whether only the owner can set such an amount. */
const isOwners = (amount: StatedAmount): boolean =>
  ["money", "percent", "free", "factor"].includes(quantityOf(amount)?.unit?.dimension ?? "");

/** Letters and digits that name one thing: «R15», «А4», «М-16». */
const CODE = /(?<![\p{L}\p{N}])\p{L}{1,6}-?\d[\p{L}\d]*/gu;
const isOfCode = (name: string, sentence: string): boolean =>
  [...sentence.matchAll(CODE)].some(([code]) => code.startsWith(name) && !/\p{L}/u.test(code[name.length] ?? "x"));

const isGrammar = (word: string) => POLITE.test(word) || FUNCTION_WORDS.has(word.toLowerCase().replaceAll("ё", "е"));

const COMMITTED_SHARE = 0.5;

/**
 * Whether one sentence of the owner has the verb and half of the words around it. «сделаем» about a drawing does not support «сделаем»
 * about a discount.
 */
function isKept(verb: string, sentence: string, { sentences }: ReplySources): boolean {
  const deed = rootOf(verb).slice(0, 4);
  const about = new Set(rootsOf(sentence).filter((root) => !root.startsWith(deed)));
  return sentences.some(({ kind, roots }) => {
    if (kind !== "chunk" && kind !== "said") return false;
    if (![...roots].some((root) => root.startsWith(deed))) return false;
    const held = [...about].filter((root) => roots.has(root)).length;
    return held >= about.size * COMMITTED_SHARE;
  });
}

const MAX_OPERANDS = 12;

/** Whether one step of arithmetic yields the value: an operation on two named numbers, or the sum of all. */
function isReckoned({ value, unit }: Quantity, operands: Operands): boolean {
  // Roubles do not become dollars by arithmetic.
  if (unit !== null && !operands.some((one) => isOfKind(one, unit))) return false;
  const near = (other: number) => Math.abs(other - value) <= Math.max(0.005 * Math.abs(value), 1e-6);
  const values = [...new Set(operands.map((one) => one.value))].slice(-MAX_OPERANDS);
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

const isOfKind = (one: Quantity, { dimension, currency }: NonNullable<Quantity["unit"]>): boolean =>
  one.unit === null || (one.unit.dimension === dimension && one.unit.currency === currency);

const DAY_NAMES = ["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"];
const MONTH_NAMES = "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь".split(" ");
