/** The forms in which a searched word may stand in a text, for a database and for a program alike. */
import { normalize, stemOf } from "./analyze.ts";

interface WordForms {
  /** What all forms begin with, as `normalize` writes it: letters only. */
  base: string;
  /** An expression of a whole form, without what stands around it; PostgreSQL and JavaScript read it alike. */
  pattern: string;
}

/** Fewer letters begin too many other words, and have no trigram in the index. */
const SHORTEST_BASE = 3;
/** «ост» is an ending («возможный», «возможность») after a stem of so many letters; after fewer it belongs to another word («цена», «ценность»). */
const BEFORE_OST = 5;
const BEFORE_CONSONANT = 4;

const ADJECTIVE = "[иы]ми|[ео](?:го|му)|ее|[иыо]е|[еиыо]й|[еиыо]м|[иы]х|[ую]ю|[ая]я|[ое]ю";
const PARTICIPLE = "(?:ем|нн|[иы]?вш|у?ющ|щ|ейш)";
const VERB = "[иы]ла?|[иы]л[ио]|ен[аоы]?|[еуи]йте|[еи]те|[еу]й|у?[ею]т|[яи]т|ыт|[иы]ть|[еи]шь|[иы]в(?:ши)?";
/** After a short stem they would make another word of it: «час», «часть»; «сто», «стол». */
const OF_LONGER = "л[аои]?|н[аоы]?|нно|йте|т|ть|в(?:ши)?";
const NOUN = "а|[её]в|ов|[иь]е|е|[иь]?я(?:ми?|х)?|ами?|ах|[еи]и|и|и?ей|ий|й|и?ем|о|у|ы|[иь]?ю|ь";
const OST = "ост(?:ь|и|ью|ей|ям|ями|ях)";
const REFLEXIVE = "(?:с[яь])?";
const ENGLISH = "'?s|es?|e?d|ing?s?|y|ies|ied|ers?|ly";

/** null: a word of which nothing but its own letters is searched, since it has no letters, no forms, or forms that all hold it. */
export function formsOf(word: string): WordForms | null {
  const letters = /^[^\p{L}\p{N}]*([а-я]+|[a-z]+)[^\p{L}\p{N}]*$/u.exec(normalize(word))?.[1];
  if (letters === undefined) return null;
  const russian = letters >= "а";
  const stem = stemOf(letters);
  // English stems end in letters that some of the forms have not: «deliveri», «price».
  const base = russian ? stem : stem.replace(/[ie]$/, "");
  if (base.length < SHORTEST_BASE || base === letters || !letters.startsWith(base)) return null;
  return { base, pattern: russian ? russianForms(base) : `${base}${base.at(-1)}?(?:${ENGLISH})?` };
}

function russianForms(base: string): string {
  const endings = [
    ...[`${PARTICIPLE}?(?:${ADJECTIVE})`, VERB, NOUN],
    ...(base.length < BEFORE_CONSONANT ? [] : [OF_LONGER]),
    ...(base.length < BEFORE_OST ? [] : [OST]),
  ];
  // The stemmer takes one of two «н» away: «деревян», «деревянный».
  return `${base}${base.endsWith("н") ? "н?" : ""}(?:${endings.join("|")})?${REFLEXIVE}`;
}

/** Forms of the words as they stand in the texts, in small letters and each once; a word as it was searched is none. */
export function formsIn(words: readonly string[], texts: readonly string[]): string[] {
  const patterns = words.flatMap((word) => formsOf(word)?.pattern ?? []);
  if (patterns.length === 0) return [];
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  const found = new Set(texts.flatMap((text) => text.toLowerCase().replaceAll("ё", "е").match(form) ?? []));
  for (const word of words) found.delete(normalize(word));
  return [...found];
}
