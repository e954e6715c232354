/**
 * Decides whether a hyphen at the end of a PDF's line belongs to the word, as in «интернет-магазин», or only divides it, as in «достав-ка».
 * The document's own spelling decides, else a dictionary of Russian: a word that it knows undivided was divided.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { normalize, stemOf } from "#server/knowledge/language/words/analyze.ts";

/** Particles that are always written with a hyphen. */
const LEADING = new Set(["кое", "кой"]);
const TRAILING = new Set(["то", "либо", "нибудь", "таки"]);
/** The prepositions that are written with a hyphen. */
const PREPOSITIONS = new Set(["из-за", "из-под"]);
/** Endings longer than these do not occur behind a stem. */
const ENDING_LETTERS = 3;
const STEM_LETTERS = 3;

/** @param lines the document's lines, of which only words inside a line are evidence */
export function createHyphenJudge(lines: readonly string[]): (first: string, second: string) => boolean {
  let written: Set<string> | null = null;
  return (first, second) => {
    const [head, tail] = [normalize(first), normalize(second)];
    written ??= wordsInside(lines);
    if (written.has(`${head}-${tail}`)) return true;
    if (written.has(head + tail)) return false;
    if (PREPOSITIONS.has(`${head}-${tail}`) || isEntry(`${head}-${tail}`)) return true;
    if (isKnown(head + tail)) return false;
    return LEADING.has(head) || TRAILING.has(tail) || (isKnown(head) && isKnown(tail));
  };
}

/** Returns the words and hyphenated words that do not stand at an edge of their line. */
function wordsInside(lines: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const line of lines) {
    const inLine = normalize(line).match(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu) ?? [];
    for (const word of inLine.slice(1, -1)) found.add(word);
  }
  return found;
}

let dictionary: string | null = null;

function readDictionary(): string {
  // The package's own module reads its two files at once; only one is needed, and only here.
  dictionary ??= normalize(
    readFileSync(join(dirname(createRequire(import.meta.url).resolve("dictionary-ru")), "index.dic"), "utf8"),
  );
  return dictionary;
}

const judged = new Map<string, boolean>();
const MOST_JUDGED = 50_000;

/** Whether the dictionary has a form of a word. */
function isKnown(word: string): boolean {
  const known = judged.get(word) ?? isInDictionary(word);
  if (judged.size < MOST_JUDGED) judged.set(word, known);
  return known;
}

/** Whether a word stands in the dictionary as it is. */
function isEntry(word: string): boolean {
  const entries = readDictionary();
  return entries.includes(`\n${word}\n`) || entries.includes(`\n${word}/`);
}

function isInDictionary(word: string): boolean {
  if (isEntry(word)) return true;
  const stem = stemOf(word);
  if (stem.length < STEM_LETTERS) return false;
  const entries = readDictionary();
  for (let at = entries.indexOf(`\n${stem}`); at >= 0; at = entries.indexOf(`\n${stem}`, at + 1)) {
    const behind = at + 1 + stem.length;
    const [ending] = /^\p{L}*/u.exec(entries.slice(behind, behind + ENDING_LETTERS + 1))!;
    if (ending.length <= ENDING_LETTERS) return true;
  }
  return false;
}
