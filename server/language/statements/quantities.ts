/** Numbers of a text as quantities, in digits or in words, with their unit where units can be compared (docs/decisions/053). */
import { keptBytes, MB, memoized } from "#server/knowledge/memoize.ts";

export interface Quantity {
  /** As it stands in the text. */
  text: string;
  value: number;
  /** null: a unit that is not compared. `base` is the value in the smallest unit of the dimension. */
  unit: { dimension: Dimension; base: number } | null;
}

export type Dimension = "clock" | "days" | "months" | "money" | "percent" | "mass" | "length" | "volume";

const UNITS: readonly [RegExp, Dimension, number][] = [
  [/^(?:сек|секунд\p{L}{0,2})$/u, "clock", 1],
  [/^(?:мин|минут\p{L}{0,2}|min|minutes?)$/u, "clock", 60],
  [/^(?:ч|час|часа|часов|часам|часами|часах|hours?)$/u, "clock", 3600],
  [/^(?:сут|сутки|суток|дн|день|дня|дней|дням|днями|днях|days?)$/u, "days", 1],
  [/^(?:нед|недел\p{L}{1,3}|weeks?)$/u, "days", 7],
  [/^(?:мес|месяц\p{L}{0,3}|months?)$/u, "months", 1],
  [/^(?:год|года|году|годов|годам|лет|летн\p{L}{2,3}|years?)$/u, "months", 12],
  [/^(?:руб|рубл\p{L}{1,3}|р|rub|roubles?|rubles?)$/u, "money", 1],
  [/^(?:%|процент\p{L}{0,3}|percent)$/u, "percent", 1],
  [/^(?:гр|грамм\p{L}{0,3}|grams?)$/u, "mass", 1],
  [/^(?:кг|кило|килограмм\p{L}{0,3}|kg)$/u, "mass", 1000],
  [/^(?:тонн\p{L}{0,2})$/u, "mass", 1_000_000],
  [/^(?:мм|миллиметр\p{L}{0,2})$/u, "length", 1],
  [/^(?:см|сантиметр\p{L}{0,2}|cm)$/u, "length", 10],
  [/^(?:м|метр\p{L}{0,2}|meters?|metres?)$/u, "length", 1000],
  [/^(?:км|километр\p{L}{0,2}|km)$/u, "length", 1_000_000],
  [/^(?:мл|миллилитр\p{L}{0,2}|ml)$/u, "volume", 1],
  [/^(?:л|литр\p{L}{0,2}|liters?|litres?)$/u, "volume", 1000],
];

const SCALES: readonly [RegExp, number][] = [
  [/^(?:тыс|тысяч[аиуе]?|тысячами|тыщ[аиу]?|т\.?р|к|k|thousand)$/u, 1000],
  [/^(?:млн|миллион(?:а|ов|у|е|ом)?|лям(?:а|ов)?|million)$/u, 1_000_000],
];

const form = (value: number, source: string): [RegExp, number] => [new RegExp(`^(?:${source})$`, "u"), value];
/** Cardinals, collectives and ordinals in all their cases. */
const NUMERALS: readonly [RegExp, number][] = [
  form(1, "один|одна|одно|одну|одного|одной|одному|одним|одном|one"),
  form(1.5, "полтора|полторы|полутора"),
  form(2, "два|две|двух|двум|двумя|двое|двоих|втор(?:ой|ая|ое|ого|ому|ую|ым|ом)|two"),
  form(3, "три|трех|трем|тремя|трое|троих|трет(?:ий|ья|ье|ьего|ьему|ью|ьим|ьем|ьей)|three"),
  form(4, "четыре|четырех|четырем|четырьмя|четверо|четверт(?:ый|ая|ое|ого|ому|ую|ым|ом)|four"),
  form(5, "пять|пяти|пятью|пятеро|пят(?:ый|ая|ое|ого|ому|ую|ым|ом)|five"),
  form(6, "шесть|шести|шестью|шестеро|шест(?:ой|ая|ое|ого|ому|ую|ым|ом)|six"),
  form(7, "семь|семи|семью|семеро|седьм(?:ой|ая|ое|ого|ому|ую|ым|ом)|seven"),
  form(8, "восемь|восьми|восемью|восьм(?:ой|ая|ое|ого|ому|ую|ым|ом)|eight"),
  form(9, "девять|девяти|девятью|девят(?:ый|ая|ое|ого|ому|ую|ым|ом)|nine"),
  form(10, "десять|десяти|десятью|десяток|десятка|десят(?:ый|ая|ое|ого|ому|ую|ым|ом)|ten"),
  form(11, "одиннадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|eleven"),
  form(12, "двенадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|дюжин[аыу]|twelve|dozen"),
  form(13, "тринадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|thirteen"),
  form(14, "четырнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|fourteen"),
  form(15, "пятнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|fifteen"),
  form(16, "шестнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|sixteen"),
  form(17, "семнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|seventeen"),
  form(18, "восемнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|eighteen"),
  form(19, "девятнадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|nineteen"),
  form(20, "двадцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|twenty"),
  form(30, "тридцат(?:ь|и|ью|ый|ая|ое|ого|ому|ую|ом)|thirty"),
  form(40, "сорока?|forty"),
  form(50, "пятьдесят|пятидесяти|fifty"),
  form(60, "шестьдесят|шестидесяти|sixty"),
  form(70, "семьдесят|семидесяти|seventy"),
  form(80, "восемьдесят|восьмидесяти|eighty"),
  form(90, "девяност[оа]|ninety"),
  form(100, "ст[оа]|сотн[яиюе]|hundred"),
  form(200, "двести|двухсот"),
  form(300, "триста|трехсот"),
  form(400, "четыреста|четырехсот"),
  form(500, "пятьсот|пятисот"),
  form(600, "шестьсот|шестисот"),
  form(700, "семьсот|семисот"),
  form(800, "восемьсот|восьмисот"),
  form(900, "девятьсот|девятисот"),
];
/** Single words that name a number together with its unit. */
const WHOLE: readonly [RegExp, number, string][] = [
  [/^полчаса$/u, 30, "минут"],
  [/^полгода$/u, 6, "месяцев"],
  [/^сутки$/u, 1, "день"],
];

/** Digits that belong together («1 500», «12,5», «18:30», «10.05.2026»), a word, or a sign for money or percent. */
const TOKEN = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:,\d{1,2})?|\d+(?:[.,:]\d+)*|\p{L}+|[%₽$€]/gu;

interface Token {
  text: string;
  at: number;
  end: number;
}

/** Every quantity of a text, from left to right. Phone numbers are not included, see `phonesIn`. */
export function quantitiesIn(text: string): Quantity[] {
  const tokens: Token[] = [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    text: found.toLowerCase().replaceAll("ё", "е"),
    at: index,
    end: index + found.length,
  }));
  const found: (Quantity & { from: number; to: number })[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = /^\d/.test(tokens[at]!.text) ? readDigits(tokens, at) : readWords(tokens, at, text);
    if (read === null) {
      at++;
      continue;
    }
    const scaled = readScale(tokens, read.next, read.value, text);
    const unit = unitAt(tokens, scaled.next, scaled.value);
    const from = tokens[at]!.at;
    const to = tokens[(unit === null ? scaled.next : scaled.next + 1) - 1]!.end;
    found.push({ text: text.slice(from, to), value: scaled.value, unit: unit ?? read.unit, from, to });
    at = scaled.next;
  }
  shareUnits(found, text);
  return found.map(({ text: said, value, unit }) => ({ text: said, value, unit }));
}

interface Read {
  value: number;
  unit: Quantity["unit"];
  next: number;
}

function readDigits(tokens: readonly Token[], at: number): Read {
  const { text } = tokens[at]!;
  const clock = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (clock !== null) return { value: Number(clock[1]) + Number(clock[2]) / 60, unit: null, next: at + 1 };
  const grouped = text.replace(/[ \u00a0\u202f]/g, "").replace(/[.,](?=\d{3}(?:\D|$))/g, "");
  const [whole, part = "0"] = grouped.split(/[.,:]/);
  return { value: Number(`${whole}.${part}`), unit: null, next: at + 1 };
}

function readWords(tokens: readonly Token[], begin: number, text: string): Read | null {
  const whole = wholeOf(tokens[begin]!.text);
  if (whole !== null) {
    const { value, unit } = whole;
    return { value, unit: unitOf(unit, value), next: begin + 1 };
  }
  let value = 0;
  let last = Number.POSITIVE_INFINITY;
  let at = begin;
  for (; at < tokens.length; at++) {
    const one = numeralOf(tokens[at]!.text);
    // In «два-три» the second word is a number of its own, as is a word after anything but a space.
    if (one === null || one >= last || (at > begin && text.slice(tokens[at - 1]!.end, tokens[at]!.at).trim() !== ""))
      break;
    // Only tens after hundreds and units after tens continue a number.
    if (at > begin && (last < 20 || one >= 1000)) break;
    value += one;
    last = one;
  }
  if (at === begin)
    return scaleOf(tokens[begin]!.text) === null || tokens[begin]!.text.length < 5
      ? null
      : { value: 1, unit: null, next: begin };
  return { value, unit: null, next: at };
}

/** The value of the first pattern that the word matches. */
const firstOf = <Value>(patterns: readonly (readonly [RegExp, Value])[], word: string): Value | null =>
  patterns.find(([pattern]) => pattern.test(word))?.[1] ?? null;
const WHOLES = WHOLE.map(([pattern, value, unit]) => [pattern, { value, unit }] as const);
const KNOWN_UNITS = UNITS.map(([pattern, dimension, base]) => [pattern, { dimension, base }] as const);

const readMeanings = (word: string) => ({
  numeral: firstOf(NUMERALS, word),
  scale: firstOf(SCALES, word),
  whole: firstOf(WHOLES, word),
  unit: firstOf(KNOWN_UNITS, word),
});
type Meanings = ReturnType<typeof readMeanings>;
const NONE: Meanings = { numeral: null, scale: null, whole: null, unit: null };

/** Texts repeat their words, and each is compared with some fifty patterns: what a word means is kept. Most mean no amount. */
const meaningsOf = memoized(
  MB,
  (word): Meanings => {
    const found = readMeanings(word);
    return Object.values(found).every((one) => one === null) ? NONE : found;
  },
  keptBytes,
);
const numeralOf = (word: string) => meaningsOf(word).numeral;
const scaleOf = (word: string) => meaningsOf(word).scale;
const wholeOf = (word: string) => meaningsOf(word).whole;
const knownUnitOf = (word: string) => meaningsOf(word).unit;

/** Reads the scale behind a number: «5 тыс.», «две тысячи пятьсот». */
function readScale(tokens: readonly Token[], at: number, value: number, text: string): { value: number; next: number } {
  const token = tokens[at];
  // «5к» is five thousand, «до 18 к вам» is not.
  const apart = token !== undefined && token.text.length === 1 && token.at > tokens[at - 1]!.end;
  const scale = token === undefined || apart ? null : scaleOf(token.text);
  if (scale === null) return { value, next: at };
  const rest = tokens[at + 1] === undefined ? null : readWords(tokens, at + 1, text);
  const joins = rest !== null && rest.unit === null && rest.next > at + 1 && rest.value < scale && rest.value >= 1;
  return joins ? { value: value * scale + rest.value, next: rest.next } : { value: value * scale, next: at + 1 };
}

function unitAt(tokens: readonly Token[], at: number, value: number): Quantity["unit"] {
  const token = tokens[at];
  if (token === undefined || token.at - tokens[at - 1]!.end > 2) return null;
  return unitOf(token.text, value);
}

function unitOf(word: string, value: number): Quantity["unit"] {
  if (word === "₽") return { dimension: "money", base: value };
  // «2026 года» is a date, not a duration.
  const unit = knownUnitOf(word);
  if (unit === null || (unit.dimension === "months" && value >= 1900)) return null;
  return { dimension: unit.dimension, base: value * unit.base };
}

/** In «10–15 минут» and «от 3 до 5 дней» the first number takes the unit of the second. */
function shareUnits(found: (Quantity & { from: number; to: number })[], text: string): void {
  for (let at = found.length - 2; at >= 0; at--) {
    const [one, next] = [found[at]!, found[at + 1]!];
    if (one.unit !== null || next.unit === null) continue;
    if (!/^\s{0,2}(?:[-–—]|до|и|или|to|or)\s{0,2}$/u.test(text.slice(one.to, next.from))) continue;
    one.unit = { dimension: next.unit.dimension, base: one.value * (next.unit.base / (next.value || 1)) };
  }
}

/** Whether both are the same amount: compared in base units where both have a comparable unit, else by value. */
export function sameQuantity(one: Quantity, other: Quantity): boolean {
  const { unit: mine } = one;
  const { unit: theirs } = other;
  if (mine !== null && theirs !== null) return mine.dimension === theirs.dimension && near(mine.base, theirs.base);
  // «1 зуб» is not a price of one rouble.
  const priced = mine?.dimension === "money" || theirs?.dimension === "money";
  return near(one.value, other.value) && !(priced && one.value < MIN_PRICE);
}

/** Roubles: a smaller number without a unit is not taken for a price. */
const MIN_PRICE = 20;

const near = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other));

const PHONE = /\+?\d[\d ()\u00a0-]{7,20}\d/g;

/** Phone numbers of a text, with their last ten digits. */
export function phonesIn(text: string): { text: string; digits: string }[] {
  return [...text.matchAll(PHONE)].flatMap(({ 0: found }) => {
    const digits = found.replace(/\D/g, "");
    return digits.length >= 10 && digits.length <= 12 && !/^\d{1,3}(?:[ \u00a0]\d{3})+$/.test(found)
      ? [{ text: found, digits: digits.slice(-10) }]
      : [];
  });
}

export const withoutPhones = (text: string): string =>
  phonesIn(text).reduce((rest, { text: phone }) => rest.replace(phone, " ; "), text);
