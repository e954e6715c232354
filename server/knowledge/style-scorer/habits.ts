/**
 * Features of a turn that show its author's style but not its subject: function words, word shapes, punctuation and length. Each family
 * is a set of classes, and a turn yields observations of each family. No class identifies a person, so the figures may shape replies to
 * anyone (docs/decisions/021-shared-past-replies.md).
 */
import { FUNCTION_WORDS, OPENERS } from "#server/knowledge/language/words/lexicon.ts";

export const FAMILIES = ["words", "shapes", "start", "end", "opener", "length", "marks"] as const;
export type Family = (typeof FAMILIES)[number];

/** Observed class numbers for each family. */
export type Habits = Record<Family, readonly number[]>;

/** Number of characters at the start of a turn that are considered. */
const LONGEST = 1000;
const WORDS = [...new Set([...FUNCTION_WORDS, ...OPENERS])].sort();
const wordAt = new Map(WORDS.map((word, at) => [word, at + 1]));
const openerAt = new Map([...OPENERS].sort().map((word, at) => [word, at + 1]));

/** Shapes of a token; the first two mark the start and end of a turn. */
const SHAPES = ["^", "$", "short", "middle", "long", "Short", "Long", "UPPER", "0", "\n", "smile", "emoji"] as const;
const MARKS = [",", ".", "!", "?", "…", ")", "(", ":", "-", "«", "other"] as const;
const SHAPE_COUNT = SHAPES.length + MARKS.length;
const shapeAt = new Map<string, number>([...SHAPES, ...MARKS].map((name, at) => [name, at]));

const PRESENT: readonly RegExp[] = [
  /,/,
  /[!?]{2}/,
  /\.{2}|…/,
  /\)\)|\(\(/,
  /[:;=xX]-?[)(DPdp]/,
  /\p{Extended_Pictographic}/u,
  /\?/,
  /!/,
  / [-–—] /,
  /["«“]/,
  /ё/iu,
  /\p{L}['’]\p{L}/u,
  /(?<!\p{L})\p{Lu}{2,}(?!\p{L})/u,
  /[.!?…] \p{Ll}/u,
  /\n/,
];
const LENGTHS = 24;

export const SIZES: Record<Family, number> = {
  words: WORDS.length + 1,
  shapes: SHAPE_COUNT ** 2,
  start: SHAPE_COUNT,
  end: SHAPE_COUNT,
  opener: OPENERS.size + 1,
  length: LENGTHS,
  marks: 2 * PRESENT.length,
};

const TOKEN =
  /\n|[:;=xX]-?[)(DPdp]+(?![\p{L}\p{N}])|\p{Extended_Pictographic}|\p{L}+(?:['’]\p{L}+)?|\p{N}+|\.{2,}|[^\s\p{L}\p{N}]/gu;

export function habitsOf(turn: string): Habits {
  const text = turn.trim().slice(0, LONGEST);
  const tokens = text.match(TOKEN) ?? [];
  const shapes = tokens.map(shapeOf);
  const words = tokens.flatMap((token) => (/^\p{L}/u.test(token) ? [plain(token)] : []));
  return {
    words: words.map((word) => wordAt.get(word) ?? 0),
    shapes: [...shapes, 1].map((shape, at) => (at === 0 ? 0 : shapes[at - 1]!) * SHAPE_COUNT + shape),
    start: shapes.slice(0, 1),
    end: shapes.slice(-1),
    opener: words.length === 0 ? [] : [openerAt.get(words[0]!) ?? 0],
    length: [Math.min(LENGTHS - 1, Math.round(2 * Math.log2(1 + text.length)))],
    marks: PRESENT.map((pattern, at) => 2 * at + (pattern.test(text) ? 1 : 0)),
  };
}

const plain = (word: string) => word.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'");

function shapeOf(token: string): number {
  const first = token[0]!;
  const known = shapeAt.get(token);
  if (known !== undefined && !/\p{L}/u.test(first)) return known;
  if (/^[:;=xX]-?[)(DPdp]+$/u.test(token) && token.length > 1) return shapeAt.get("smile")!;
  if (/^\p{L}/u.test(token)) return shapeAt.get(shapeOfWord(token))!;
  if (/^\p{N}/u.test(token)) return shapeAt.get("0")!;
  if (/^\p{Extended_Pictographic}/u.test(token)) return shapeAt.get("emoji")!;
  if (token.startsWith("..")) return shapeAt.get("…")!;
  if (/[–—]/.test(token)) return shapeAt.get("-")!;
  return shapeAt.get(/["»“”„]/.test(token) ? "«" : "other")!;
}

const SHORT = 3;
const LONG = 7;

function shapeOfWord(word: string): (typeof SHAPES)[number] {
  if (word.length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()) return "UPPER";
  if (/^\p{Lu}/u.test(word)) return word.length < LONG ? "Short" : "Long";
  return word.length <= SHORT ? "short" : word.length < LONG ? "middle" : "long";
}

/** Measures that expose a caricature of the style: shares of style markers and repetition, and the length. */
export interface StyleMeasures {
  /** Share of words from closed lists. */
  function: number;
  /** Punctuation marks and smileys per word. */
  marks: number;
  /** Share of words that have not occurred earlier in the turn. */
  fresh: number;
  /** Logarithmic length: ln(1 + characters). */
  length: number;
}

export function extentOf(turn: string): StyleMeasures {
  const text = turn.trim().slice(0, LONGEST);
  const words = (text.match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? []).map(plain);
  const marks = text.match(/[^\s\p{L}\p{N}]/gu)?.length ?? 0;
  const count = Math.max(1, words.length);
  return {
    function: words.filter((word) => wordAt.has(word)).length / count,
    marks: marks / count,
    fresh: words.length === 0 ? 1 : new Set(words).size / words.length,
    length: Math.log(1 + text.length),
  };
}
