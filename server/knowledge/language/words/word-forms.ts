/** Word forms that match a searched word, as patterns for both the database and JavaScript. */
import { normalize, stemOf } from "./analyze.ts";

interface WordForms {
  /** Common prefix of all forms, normalised by `normalize`: letters only. */
  base: string;
  /** Pattern of a whole form, without its surroundings, for PostgreSQL and JavaScript alike. */
  pattern: string;
}

/** A shorter prefix starts too many other words and has no trigram in the index. */
const SHORTEST_BASE = 3;
/**
 * After a stem of this length «ост» is an ending («возможный», «возможность»); after a shorter one it belongs to another word («цена»,
 * «ценность»).
 */
const BEFORE_OST = 5;
const BEFORE_CONSONANT = 4;

const ADJECTIVE = "[иы]ми|[ео](?:го|му)|ее|[иыо]е|[еиыо]й|[еиыо]м|[иы]х|[ую]ю|[ая]я|[ое]ю";
const PARTICIPLE = "(?:ем|нн|[иы]?вш|у?ющ|щ|ейш)";
const VERB = "[иы]ла?|[иы]л[ио]|ен[аоы]?|[еуи]йте|[еи]те|[еу]й|у?[ею]т|[яи]т|ыт|[иы]ть|[еи]шь|[иы]в(?:ши)?";
/** Endings that make another word of a short stem: «час», «часть»; «сто», «стол». */
const OF_LONGER = "л[аои]?|н[аоы]?|нно|йте|т|ть|в(?:ши)?";
const NOUN = "а|[её]в|ов|[иь]е|е|[иь]?я(?:ми?|х)?|ами?|ах|[еи]и|и|и?ей|ий|й|и?ем|о|у|ы|[иь]?ю|ь";
const OST = "ост(?:ь|и|ью|ей|ям|ями|ях)";
const REFLEXIVE = "(?:с[яь])?";
const ENGLISH = "'?s|es?|e?d|ing?s?|y|ies|ied|ers?|ly";

/** Returns null for a word that is searched literally: it has no letters, no forms, or all forms contain it. */
export function formsOf(word: string): WordForms | null {
  const letters = /^[^\p{L}\p{N}]*([а-я]+|[a-z]+)[^\p{L}\p{N}]*$/u.exec(normalize(word))?.[1];
  if (letters === undefined) return null;
  const russian = letters >= "а";
  const stem = stemOf(letters);
  // Some forms lack the last letter of the English stem: «deliveri», «price».
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
  // The stemmer removes one of two «н»: «деревян», «деревянный».
  return `${base}${base.endsWith("н") ? "н?" : ""}(?:${endings.join("|")})?${REFLEXIVE}`;
}

/** Returns the forms that occur in the texts, in lower case and each once, without the searched words. */
export function formsIn(words: readonly string[], texts: readonly string[]): string[] {
  const patterns = words.flatMap((word) => formsOf(word)?.pattern ?? []);
  if (patterns.length === 0) return [];
  const form = new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join("|")})(?![\\p{L}\\p{N}])`, "gu");
  const found = new Set(texts.flatMap((text) => text.toLowerCase().replaceAll("ё", "е").match(form) ?? []));
  for (const word of words) found.delete(normalize(word));
  return [...found];
}
