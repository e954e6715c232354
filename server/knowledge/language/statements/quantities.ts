/** Extracts the numbers of a text, in digits or words, with comparable units (docs/decisions/026-answer-verification.md). */
import { meaningsOf } from "./numerals.ts";
import { type Dimension, MONEY_SIGNS, type Unit, unitNamed } from "./units.ts";

export type { Dimension };

export interface Quantity {
  text: string;
  /** `text === whole.slice(at, end)`, in UTF-16 units. */
  at: number;
  end: number;
  value: number;
  /** Null for a unit that cannot be compared. `base` is the value in the smallest unit of the dimension. */
  unit: { dimension: Dimension; base: number; currency?: string } | null;
  /** Value with an implied thousand: «за город две с половиной» after «по городу полторы тысячи». */
  meant?: number;
}

/** A token is a number («1 500», «12,5», «18:30», «9-00», «10.05.2026»), a word, a code («R15», «м2») or a unit sign. */
const TOKEN = new RegExp(
  String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:,\d{1,2})?|\d{1,2}-00(?!\d)|\d+(?:[.,:]\d+)*|(?<!\d)\p{L}+(?:\d+|[²³])?|\p{L}+[²³]?|°[cс]?|[%${MONEY_SIGNS}]`,
  "giu",
);

interface Token {
  text: string;
  at: number;
  end: number;
}

/** Returns all quantities from left to right, without phone numbers (see `phonesIn`). */
export function quantitiesIn(text: string): Quantity[] {
  const tokens: Token[] = [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    text: found.toLowerCase().replaceAll("ё", "е"),
    at: index,
    end: index + found.length,
  }));
  const found: Read[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readAt(tokens, at, text);
    if (read === null) {
      at++;
      continue;
    }
    found.push(read);
    at = read.next;
  }
  shareUnits(found, text);
  shareThousands(found, text);
  return found.map(({ at, end, value, unit, meant }) => ({
    ...{ text: text.slice(at, end), at, end, value, unit },
    ...(meant === undefined ? {} : { meant }),
  }));
}

interface Read extends Omit<Quantity, "text"> {
  /** Index of the token after the quantity and its unit. */
  next: number;
  /** Multiplier written after the number (1,000 for «тыс.», 1,000,000 for «млн»); 1 when there is none. */
  scale: number;
}

function readAt(tokens: readonly Token[], at: number, text: string): Read | null {
  const { text: word, at: begin, end } = tokens[at]!;
  const place = { at: begin, end, next: at + 1, scale: 1 };
  const { whole } = meaningsOf(word);
  if (whole !== null) {
    const { value, unit } = whole;
    return { ...place, value, unit: sized(unitNamed(unit), value) };
  }
  const digits = /^\d/.test(word);
  const number = digits ? withHalf(tokens, at + 1, numberIn(word), text) : readWords(tokens, at, text);
  if (number === null) return null;
  const scale = readScale(tokens, number.next, number.value, text);
  const sign =
    MONEY_SIGNS.includes(tokens[at - 1]?.text ?? " ") && begin - tokens[at - 1]!.end <= 1 ? tokens[at - 1]! : null;
  const unit = unitAt(tokens, scale.next, scale.value, text);
  const next = unit?.next ?? scale.next;
  const timesOver = unit?.unit.dimension === "times" && tokens[at - 1]?.text === "в";
  return {
    at: sign?.at ?? begin,
    end: tokens[next - 1]!.end,
    value: scale.value,
    unit: timesOver
      ? { dimension: "factor", base: scale.value }
      : (sized(unit?.unit ?? null, scale.value) ?? sized(sign && unitNamed(sign.text), scale.value)),
    next,
    scale: scale.scale,
  };
}

const sized = (unit: Unit | null, value: number): Quantity["unit"] =>
  unit === null
    ? null
    : { dimension: unit.dimension, base: value * unit.size, ...(unit.currency ? { currency: unit.currency } : {}) };

function numberIn(digits: string): number {
  const clock = /^(\d{1,2})[:-](\d{2})$/.exec(digits);
  if (clock !== null) return Number(clock[1]) + Number(clock[2]) / 60;
  const grouped = digits.replace(/[ \u00a0\u202f]/g, "").replace(/[.,](?=\d{3}(?:\D|$))/g, "");
  const [whole, part = "0"] = grouped.split(/[.,:]/);
  return Number(`${whole}.${part}`);
}

interface Counted {
  value: number;
  next: number;
}

function readWords(tokens: readonly Token[], begin: number, text: string): Counted | null {
  let value = 0;
  let last = Number.POSITIVE_INFINITY;
  let at = begin;
  for (; at < tokens.length; at++) {
    const one = meaningsOf(tokens[at]!.text).numeral;
    // «два-три» is two numbers: only a space may join the words of one number.
    if (one === null || one >= last || (at > begin && !onlySpace(text, tokens, at))) break;
    // Within a number, tens follow only hundreds and units follow only tens.
    if (at > begin && (last < 20 || one >= 1000)) break;
    value += one;
    last = one;
  }
  if (at > begin) return withHalf(tokens, at, value, text);
  const first = tokens[begin]!.text;
  return meaningsOf(first).scale === null || first.length < 5 ? null : { value: 1, next: begin };
}

const onlySpace = (text: string, tokens: readonly Token[], at: number): boolean =>
  text.slice(tokens[at - 1]!.end, tokens[at]!.at).trim() === "";

/** Reads a half after the number: «две с половиной». */
const withHalf = (tokens: readonly Token[], at: number, value: number, text: string): Counted =>
  tokens[at]?.text === "с" && tokens[at + 1]?.text === "половиной" && onlySpace(text, tokens, at)
    ? { value: value + 0.5, next: at + 2 }
    : { value, next: at };

/** Reads the multiplier after a number: «5 тыс.», «две тысячи пятьсот». */
function readScale(tokens: readonly Token[], at: number, value: number, text: string): Counted & { scale: number } {
  const token = tokens[at];
  // «5к» means five thousand; «до 18 к вам» does not.
  const apart = token !== undefined && token.text.length === 1 && token.at > (tokens[at - 1]?.end ?? 0);
  const scale = token === undefined || apart ? null : meaningsOf(token.text).scale;
  if (scale === null) return { value, next: at, scale: 1 };
  const rest = tokens[at + 1] === undefined ? null : readWords(tokens, at + 1, text);
  const joins = rest !== null && rest.next > at + 1 && rest.value < scale && rest.value >= 1;
  return joins
    ? { value: value * scale + rest.value, next: rest.next, scale }
    : { value: value * scale, next: at + 1, scale };
}

/** Returns the unit after a number («кг», «кв. м»); null when none can be compared. */
function unitAt(
  tokens: readonly Token[],
  at: number,
  value: number,
  text: string,
): { unit: Unit; next: number } | null {
  const token = tokens[at];
  if (token === undefined || token.at - tokens[at - 1]!.end > 2) return null;
  if (/[^\s.\-–]/.test(text.slice(tokens[at - 1]!.end, token.at))) return null;
  const [next, behind] = [tokens[at + 1], token.text];
  if (/^(?:кв|квадратн\p{L}{2})$/u.test(behind) && /^м(?:етр\p{L}{0,2})?$/u.test(next?.text ?? ""))
    return { unit: unitNamed("м2")!, next: at + 2 };
  // «2026 года» and «1987 г.» are dates, not durations or weights.
  if (value >= 1900 && value <= 2100 && /^г(?:од\p{L}{0,2})?$/u.test(behind)) return null;
  const unit = unitNamed(behind);
  if (unit !== null) return { unit, next: at + 1 };
  // An adjective may precede the unit: «5 рабочих дней».
  const days = /^(?:рабоч|календарн|полн|цел)\p{L}{2,3}$/u.test(behind) ? unitNamed(next?.text ?? "") : null;
  return days?.dimension === "clock" ? { unit: days, next: at + 2 } : null;
}

/** In «10–15 минут» and «от 3 до 5 тысяч рублей» the first number takes the unit and multiplier of the second. */
function shareUnits(found: Read[], text: string): void {
  for (let at = found.length - 2; at >= 0; at--) {
    const [one, next] = [found[at]!, found[at + 1]!];
    if (one.unit !== null || !isRange(text, one, next)) continue;
    const size = next.unit === null ? 0 : next.unit.base / (next.value || 1);
    if (one.scale === 1 && one.value * next.scale <= next.value) one.value *= next.scale;
    if (next.unit !== null) one.unit = { ...next.unit, base: one.value * size };
  }
}

type Place = Pick<Quantity, "at" | "end" | "value">;

/** Whether two numbers are the ends of a range: «10–15», «3 до 5». «15 — 300 рублей» is an item with its price. */
export function isRange(text: string, one: Place, next: Place): boolean {
  const between = text.slice(one.end, next.at);
  if (/^\s{1,2}[-–—]\s{1,2}$/.test(between)) return one.value < next.value && next.value <= one.value * 3;
  return /^\s{0,2}(?:[-–—]|до|и|или|to|or)\s{0,2}$/u.test(between);
}

/** A thousand may be left out of the second price: «по городу полторы тысячи, за город две с половиной». */
function shareThousands(found: Read[], text: string): void {
  for (let at = 1; at < found.length; at++) {
    const [before, one] = [found[at - 1]!, found[at]!];
    if (before.scale === 1 || one.scale > 1 || one.unit !== null || one.value >= 100) continue;
    if (!/[.!?\n]/.test(text.slice(before.end, one.at))) one.meant = one.value * before.scale;
  }
}

/** Compares base units when both units are comparable, else values. */
export function sameQuantity(one: Quantity, other: Quantity): boolean {
  const { unit: mine } = one;
  const { unit: theirs } = other;
  if (mine !== null && theirs !== null)
    return (
      mine.dimension === theirs.dimension && mine.currency === theirs.currency && isNearlyEqual(mine.base, theirs.base)
    );
  // A bare count is no price: «1 зуб» is not one rouble.
  const priced = mine?.dimension === "money" || theirs?.dimension === "money";
  return isNearlyEqual(one.value, other.value) && !(priced && one.value < MIN_PRICE);
}

/** Minimum price in roubles; a smaller number without a unit is not taken as a price. */
export const MIN_PRICE = 20;

export const isNearlyEqual = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

const PHONE = /\+?\d[\d ()\u00a0-]{7,20}\d/g;

/** A local number without an area code: «55-40-40». */
const LOCAL_PHONE = /(?<![\d-])\d{1,3}-\d{2}-\d{2}(?![\d-])/g;

/** Returns the phone numbers of a text with their last ten digits; local numbers have fewer. */
export function phonesIn(text: string): { text: string; digits: string }[] {
  const found: string[] = [];
  const rest = text.replace(PHONE, (phone) => {
    if (!isPhone(phone)) return phone;
    found.push(phone);
    return ";";
  });
  const local = [...rest.matchAll(LOCAL_PHONE)].map(([phone]) => phone);
  return [...found, ...local].map((phone) => ({ text: phone, digits: digitsOf(phone).slice(-10) }));
}

const digitsOf = (text: string): string => text.replace(/\D/g, "");
/** Groups of three digits are a sum: «1 500 000 000». */
const isPhone = (found: string): boolean =>
  digitsOf(found).length >= 10 && digitsOf(found).length <= 12 && !/^\d{1,3}(?:[ \u00a0]\d{3})+$/.test(found);

/** Masks each phone number with a mark of the same length, so that all offsets stay valid. */
export const withoutPhones = (text: string): string =>
  text
    .replace(PHONE, (found) => (isPhone(found) ? ";".padStart(found.length) : found))
    .replace(LOCAL_PHONE, (found) => ";".padStart(found.length));
