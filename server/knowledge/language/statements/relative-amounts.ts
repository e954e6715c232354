/** Finds amounts without a number: «вдвое дешевле», «за полцены», «бесплатно». */
import type { Quantity } from "./quantities.ts";

const FACTORS = ["вдвое", "втрое", "вчетверо", "впятеро"];
const FACTOR = /(?<!\p{L})(?:вдвое|втрое|вчетверо|впятеро)(?!\p{L})/giu;
/** Shares; «половина девятого» and «четверть часа» are times and do not count. */
const SHARE =
  /(?<!\p{L})(?:половин(?:а|у|ы|е|ой)|вполовину|наполовину|пополам|полцены|трет(?:ь|и)|четверт(?:ь|и))(?!\p{L})(?!\s(?:часа|века|(?:перв|втор|трет|четв|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат)\p{L}{2,5}))/giu;
const FREE =
  /(?<!\p{L})(?:бесплатн\p{L}{1,3}|(?:за)?даром|безвозмездн\p{L}{1,3}|в\sподарок|за\sнаш\sсч[её]т|free\sof\scharge|for\sfree)(?!\p{L})/giu;
/** Words of a source for something without extra charge. */
const INCLUDED =
  /(?<!\p{L})(?:включ[её]н\p{L}{0,3}|вход(?:ит|ят)\sв|без\s(?:до|о)платы|не\sплат\p{L}{2,4}|не\sбер[её]\p{L}{1,3}|ничего\sне\sстоит|free|complimentary)(?!\p{L})/giu;

const sharesOf = (word: string): number => (/^трет/iu.test(word) ? 100 / 3 : /^четверт/iu.test(word) ? 25 : 50);

/** @param included whether words like «включено» mean free of charge: for sources, not for claims */
export function relativeAmountsIn(text: string, included = false): Quantity[] {
  const found = (pattern: RegExp, unit: (word: string) => NonNullable<Quantity["unit"]>): Quantity[] =>
    [...text.matchAll(pattern)].map(({ 0: said, index }) => {
      const sized = unit(said);
      return { text: said, at: index, end: index + said.length, value: sized.base, unit: sized };
    });
  return [
    ...found(FACTOR, (word) => ({ dimension: "factor", base: FACTORS.indexOf(word.toLowerCase()) + 2 })),
    ...found(SHARE, (word) => ({ dimension: "percent", base: sharesOf(word) })),
    ...found(FREE, () => ({ dimension: "free", base: 0 })),
    ...(included ? found(INCLUDED, () => ({ dimension: "free", base: 0 })) : []),
  ].sort((one, other) => one.at - other.at);
}
