import { formatNumber } from "#web/i18n/format.ts";
import { type Forms, plural, pluralForm } from "#web/i18n/plural.ts";

const NEUTER = split(
  `ноль одно два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать
  семнадцать восемнадцать девятнадцать двадцать`,
);
const GENITIVE = split(
  `ноля одного двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати
  семнадцати восемнадцати девятнадцати двадцати`,
);
const DATIVE = split("нулю одному двум трём четырём пяти шести семи восьми девяти десяти");
const ORDINAL = split("втором третьем четвёртом пятом шестом седьмом восьмом девятом десятом");

/** Whether a count has a word here; others are written in digits. */
export const saidInWords = (count: number): boolean => count < NEUTER.length;

function split(text: string): string[] {
  return text.split(/\s+/);
}

/** «пять слов», «одно слово», «25 слов»: a count with a neuter noun. */
export function countOfNeuter(count: number, forms: Forms): string {
  const word = NEUTER[count];
  return word === undefined ? plural(count, forms) : `${word}\u00a0${pluralForm(count, forms)}`;
}

/** «больше пятнадцати», «больше 35»: a count in the genitive. */
export const genitive = (count: number): string => GENITIVE[count] ?? formatNumber(count);

/** «двум собеседникам», «21 собеседнику»: a count in the dative. */
export function dativeOf(count: number, one: string, many: string): string {
  const ends = count % 10 === 1 && count % 100 !== 11;
  return `${DATIVE[count] ?? formatNumber(count)}\u00a0${ends ? one : many}`;
}

/** «примерно в каждом пятом сообщении»: the frequency of a habit with this share of messages, 0..1. */
export function inMessages(share: number): string {
  if (share >= 0.85) return "почти в каждом сообщении";
  if (share >= 0.6) return "в большинстве сообщений";
  const nth = ORDINAL[Math.round(1 / Math.max(share, 0.001)) - 2];
  return nth === undefined ? "изредка" : `примерно в каждом ${nth} сообщении`;
}

/** Quotes the texts and joins them with «и» or «или»: ««ну», «короче» и «типа»». */
export const quoteList = (texts: readonly string[], by: "и" | "или" = "и"): string =>
  joinList(
    texts.map((text) => `«${text}»`),
    by,
  );

export function joinList(parts: readonly string[], by: "и" | "или" = "и"): string {
  if (parts.length < 2) return parts[0] ?? "";
  return `${parts.slice(0, -1).join(", ")} ${by}\u00a0${parts.at(-1)}`;
}
