/** Number words, Russian and English, in all forms. */
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";

const SCALES: readonly [RegExp, number][] = [
  [/^(?:тыс|тысяч[аиуе]?|тысячами|тыщ[аиу]?|т\.?р|к|k|thousand)$/u, 1000],
  [/^(?:млн|миллион(?:а|ов|у|е|ом)?|лям(?:а|ов)?|million)$/u, 1_000_000],
];

const form = (value: number, source: string): [RegExp, number] => [new RegExp(`^(?:${source})$`, "u"), value];
/** Cardinals, collectives and ordinals in all cases. */
const NUMERALS: readonly [RegExp, number][] = [
  form(1, "один|одна|одно|одну|одного|одной|одному|одним|одном|one"),
  form(1.5, "полтора|полторы|полутора"),
  form(2, "два|две|двух|двум|двумя|двое|двоих|двоим|втор(?:ой|ая|ое|ого|ому|ую|ым|ом)|two"),
  form(3, "три|трех|трем|тремя|трое|троих|трет(?:ий|ья|ье|ьего|ьему|ью|ьим|ьем|ьей)|three"),
  form(4, "четыре|четырех|четырем|четырьмя|четверо|четверых|четверым|четверт(?:ый|ая|ое|ого|ому|ую|ым|ом)|four"),
  form(5, "пять|пяти|пятью|пятеро|пятерых|пятерым|пят(?:ый|ая|ое|ого|ому|ую|ым|ом)|five"),
  form(6, "шесть|шести|шестью|шестеро|шестерых|шестерым|шест(?:ой|ая|ое|ого|ому|ую|ым|ом)|six"),
  form(7, "семь|семи|семью|семеро|семерых|седьм(?:ой|ая|ое|ого|ому|ую|ым|ом)|seven"),
  form(8, "восемь|восьми|восемью|восьмерых|восьм(?:ой|ая|ое|ого|ому|ую|ым|ом)|eight"),
  form(9, "девять|девяти|девятью|девят(?:ый|ая|ое|ого|ому|ую|ым|ом)|nine"),
  form(10, "десять|десяти|десятью|десятеро|десятерых|десяток|десятка|десят(?:ый|ая|ое|ого|ому|ую|ым|ом)|ten"),
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
/** Words that contain both a number and its unit, with the unit's usual spelling. */
const WHOLE: readonly [RegExp, number, string][] = [
  [/^полчас(?:а|ика)$/u, 30, "минут"],
  [/^полгода$/u, 6, "месяцев"],
  [/^(?:сутки|суток)$/u, 1, "день"],
  [/^(?:дважды|twice)$/u, 2, "раза"],
  [/^трижды$/u, 3, "раза"],
  [/^(?:рубль|рублик)$/u, 1, "рубль"],
  [/^доллар$/u, 1, "доллар"],
  [/^полтинник$/u, 50, "рублей"],
  [/^пятихатк[ауи]$/u, 500, "рублей"],
  [/^косар(?:ь|я|ей)$/u, 1000, "рублей"],
];
const firstOf = <Value>(patterns: readonly (readonly [RegExp, Value])[], word: string): Value | null =>
  patterns.find(([pattern]) => pattern.test(word))?.[1] ?? null;
const WHOLES = WHOLE.map(([pattern, value, unit]) => [pattern, { value, unit }] as const);

const readMeanings = (word: string) => ({
  numeral: firstOf(NUMERALS, word),
  scale: firstOf(SCALES, word),
  whole: firstOf(WHOLES, word),
});
type Meanings = ReturnType<typeof readMeanings>;
const NONE: Meanings = { numeral: null, scale: null, whole: null };

/** Memoised, because texts repeat their words and each is matched with about sixty patterns. Most are no numbers. */
export const meaningsOf: (word: string) => Meanings = memoize(
  MB,
  (word): Meanings => {
    const found = readMeanings(word);
    return Object.values(found).every((one) => one === null) ? NONE : found;
  },
  estimateTextBytes,
);
