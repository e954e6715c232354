/**
 * Detects how two similar questions differ, so that the answer to one is wrong for the other: another day, another place, start instead
 * of end. Embeddings treat such questions as nearly equal.
 */
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** Kinds of mutually exclusive things, each recognised by word prefixes. */
const KINDS: readonly (readonly (readonly string[])[])[] = [
  [
    ["понедельник", "пн"],
    ["вторник", "вт"],
    ["сред", "ср"],
    ["четверг", "чт"],
    ["пятниц", "пт"],
    ["суббот", "сб"],
    ["воскрес", "воскр", "вс"],
    ["выходны"],
    ["будн"],
    ["праздник", "праздничн"],
    ["сегодня", "седня"],
    ["завтра"],
    ["вчера"],
  ],
  [
    ["январ"],
    ["феврал"],
    ["март"],
    ["апрел"],
    ["мая", "май", "мае"],
    ["июн"],
    ["июл"],
    ["август"],
    ["сентябр"],
    ["октябр"],
    ["ноябр"],
    ["декабр"],
  ],
  [["зим"], ["весн", "весен"], ["лето", "летом", "летн", "лета"], ["осен"]],
  [["утр"], ["днем", "дневн"], ["вечер"], ["ночь", "ночи", "ночью", "ночн", "круглосуточн"]],
  [
    ["открыва", "открыт", "начина", "начал"],
    ["закрыва", "закрыт", "заканчива", "конец"],
  ],
  [["включ"], ["отключ", "выключ"]],
  [["холодн"], ["горяч"], ["тепл"]],
];

export interface Bounds {
  /** Per kind, the indexes of the things that the question names. */
  things: readonly ReadonlySet<number>[];
  names: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  words: readonly string[];
}

/** A capitalised word within a sentence, or one in capitals only. */
const NAME = /(?<=[\p{Ll}\d,:;)»"][ \t])\p{Lu}\p{Ll}{2,}|(?<!\p{L})\p{Lu}{2,6}(?!\p{L})|(?<=[«"„])\p{L}{3,}/gu;

export function boundsOf(question: string): Bounds {
  const words = wordsOf(question);
  const begins = (start: string) => (word: string) => (start.length <= 2 ? word === start : word.startsWith(start));
  const things = KINDS.map(
    (kind) => new Set(kind.flatMap((starts, at) => (starts.some((start) => words.some(begins(start))) ? [at] : []))),
  );
  const stems = new Set(words.map((word) => stemOf(word)).filter((stem) => stem !== ""));
  const names = new Set([...question.matchAll(NAME)].map(([name]) => nameStem(name)));
  return { things, names, stems, words };
}

const nameStem = (name: string) => stemOf(wordsOf(name)[0] ?? "") || name.toLowerCase();

/** Whether one question has a restriction that the other lacks, so that their answers differ. */
export const contrasts = (one: Bounds, other: Bounds): boolean =>
  namesDifferentPeriod(one, other) || namesAlone(one, other) || namesAlone(other, one);

export const namesDifferentPeriod = (one: Bounds, other: Bounds): boolean =>
  one.things.some((things, kind) => {
    const others = other.things[kind]!;
    return things.size !== others.size || [...things].some((thing) => !others.has(thing));
  });

const namesAlone = (one: Bounds, other: Bounds) =>
  [...one.names].some((name) => !other.stems.has(name) && ![...other.stems].some((stem) => isSameName(stem, name)));

/** Matches spellings and forms of one name: «Беларусь» and «Белоруссия», «Вокзальный» and «вокзального». */
const isSameName = (one: string, other: string) =>
  one.length >= 4 && other.length >= 4 && one.slice(0, 4) === other.slice(0, 4);
