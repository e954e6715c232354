import { sentenceSpans } from "#server/knowledge/language/sentences.ts";
import { type Block, documentBlocks } from "./document-blocks.ts";

export interface Chunk {
  /** Position of the chunk in its document, counted from 0. */
  ordinal: number;
  /** The headings above it, for example «Доставка › Сроки»; null without headings. Not part of `text`. */
  heading: string | null;
  /** Equal to `whole.slice(start, end)`. */
  text: string;
  start: number;
  end: number;
}

/** Words per chunk. A chunk reaches the minimum if its section is long enough, and never exceeds the maximum. */
const CHUNK_WORDS = { min: 120, max: 200 };
/** A longer «sentence» is text without punctuation and is split between words. */
const MAX_SENTENCE_WORDS = 400;
/** A longer last sentence is not repeated in the next chunk. */
const MAX_OVERLAP_WORDS = 40;

/**
 * Splits a document's plain text (headings as «# …») into chunks of 120–200 words for retrieval. A chunk stays within its section, ends
 * between sentences and starts with the previous chunk's last sentence. Lists, tables and questions with answers stay whole if they fit.
 * Every word is in some chunk or heading.
 */
export function splitChunks(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  const path: { level: number; title: string; block: Block }[] = [];
  let units: Unit[] = [];
  const emit = (heading: string | null, start: number, end: number): void => {
    chunks.push({ ordinal: chunks.length, heading, text: text.slice(start, end), start, end });
  };
  const headingOf = (titles: { title: string }[]): string | null =>
    titles
      .map(({ title }) => title.trim())
      .filter((title) => title !== "")
      .join(" › ")
      .slice(0, 500)
      .toWellFormed() || null;
  const closeSection = (): void => {
    for (const [start, end] of pack(units)) emit(headingOf(path), start, end);
    units = [];
  };
  let bare = false;
  // A heading with nothing below it is still content.
  const closeBareHeading = (): void => {
    const last = path.at(-1);
    if (bare && last && last.title.trim() !== "")
      emit(headingOf(path.slice(0, -1)), ...trimmed(text, last.block.start, last.block.end));
  };
  for (const block of documentBlocks(text)) {
    if (block.kind !== "heading") {
      units.push(...unitsOf(text, block));
      bare = false;
      continue;
    }
    closeSection();
    if (path.length > 0 && block.level <= path.at(-1)!.level) closeBareHeading();
    while (path.length > 0 && path.at(-1)!.level >= block.level) path.pop();
    path.push({ level: block.level, title: block.title, block });
    bare = true;
  }
  closeSection();
  closeBareHeading();
  return chunks;
}

interface Unit {
  start: number;
  end: number;
  words: number;
  isSentence: boolean;
  opens: boolean;
}

function unitsOf(text: string, block: Block): Unit[] {
  const words = countWords(text.slice(block.start, block.end));
  const [start, end] = trimmed(text, block.start, block.end);
  if (block.kind !== "paragraph" && words <= CHUNK_WORDS.max)
    return [{ start, end, words, isSentence: false, opens: true }];
  const units =
    block.kind === "items"
      ? block.items.flatMap((begin, at) => itemUnits(text, begin, block.items[at + 1] ?? block.end))
      : sentenceUnits(text, start, end);
  return units.map((unit, at) => ({ ...unit, opens: at === 0 }));
}

function itemUnits(text: string, from: number, to: number): Unit[] {
  const [start, end] = trimmed(text, from, to);
  const words = countWords(text.slice(start, end));
  return words <= CHUNK_WORDS.max
    ? [{ start, end, words, isSentence: false, opens: false }]
    : sentenceUnits(text, start, end);
}

function sentenceUnits(text: string, from: number, to: number): Unit[] {
  return sentenceSpans(text.slice(from, to)).flatMap((sentence): Unit[] => {
    const start = from + sentence.start;
    const words = countWords(sentence.text);
    if (words <= MAX_SENTENCE_WORDS && sentence.text.length <= MAX_SENTENCE_WORDS * 20) {
      return [{ start, end: from + sentence.end, words, isSentence: true, opens: false }];
    }
    return cutBetweenWords(sentence.text).map(([begin, end]) => ({
      start: start + begin,
      end: start + end,
      words: countWords(sentence.text.slice(begin, end)),
      isSentence: false,
      opens: false,
    }));
  });
}

function cutBetweenWords(text: string): [number, number][] {
  const parts: [number, number][] = [];
  let begin = 0;
  let end = 0;
  let words = 0;
  // Endless words (without any space) are split too, but never inside a surrogate pair.
  for (const match of text.matchAll(/\S{1,2000}(?<![\ud800-\udbff])/g)) {
    if (words > 0 && (words >= CHUNK_WORDS.max - 20 || match.index + match[0].length - begin > 8000)) {
      parts.push([begin, end]);
      begin = match.index;
      words = 0;
    }
    end = match.index + match[0].length;
    words++;
  }
  if (end > begin) parts.push([begin, end]);
  return parts;
}

function pack(units: Unit[]): [number, number][] {
  const spans: [number, number][] = [];
  let remaining = units.reduce((sum, { words }) => sum + words, 0);
  let current: Unit[] = [];
  let words = 0;
  let isOverlap = false;
  const flush = (): void => {
    const last = current.at(-1);
    if (last && !isOverlap) spans.push([current[0]!.start, last.end]);
    const overlaps = last?.isSentence === true && last.words <= MAX_OVERLAP_WORDS && !isOverlap;
    current = overlaps ? [last] : [];
    words = overlaps ? last.words : 0;
    isOverlap = overlaps;
  };
  for (const unit of units) {
    const full = words + unit.words > CHUNK_WORDS.max;
    const enough = unit.opens && words >= CHUNK_WORDS.min && words + remaining > CHUNK_WORDS.max;
    if (current.length > 0 && (full || enough)) {
      flush();
      // The repeated sentence must not push a list or a long sentence over the limit.
      if (words + unit.words > CHUNK_WORDS.max && isOverlap) flush();
    }
    current.push(unit);
    words += unit.words;
    remaining -= unit.words;
    isOverlap = false;
  }
  flush();
  return spans;
}

function trimmed(text: string, start: number, end: number): [number, number] {
  const raw = text.slice(start, end);
  return [start + raw.length - raw.trimStart().length, end - (raw.length - raw.trimEnd().length)];
}

/** Estimates text without spaces (URLs, codes, other scripts) from its length. */
function countWords(text: string): number {
  return Math.max(text.match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0, Math.ceil(text.length / 20));
}
