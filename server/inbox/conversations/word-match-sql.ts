/** SQL conditions on a text that is searched for words, as typed or inflected, and SQL for the shown excerpt. */
import { and, like, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { formsOf } from "#server/knowledge/language/words/word-forms.ts";

type Text = SQL | AnyPgColumn;
type Words = readonly string[];

const EXCERPT = 160;
const BEFORE_WORD = 24;

/** Folds text as the message index does: «ё» becomes «е», in lower case. */
const folded = (text: Text) => sql`translate(lower(${text}), 'ё', 'е')`;
const foldedWord = (word: string) => word.toLowerCase().replaceAll("ё", "е");

const has = (text: Text, part: string): SQL => like(folded(text), `%${foldedWord(part).replace(/[\\%_]/g, "\\$&")}%`);

/** SQL condition: the text contains each of the words as a part of a word. */
export const containsWords = (text: Text, words: Words): SQL | undefined =>
  and(...words.map((word) => has(text, word)));

/**
 * Matches the word only at the start of a word in folded text: «алина» not in «сахалина». A word that starts with a sign matches anywhere.
 */
const beginning = (word: string) => {
  const letters = foldedWord(word);
  const pattern = letters.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
  return /^[\p{L}\p{N}]/u.test(letters) ? `(^|[^[:alnum:]])${pattern}` : pattern;
};

const beginsWord = (text: Text, word: string): SQL => sql`${folded(text)} ~ ${beginning(word)}`;

/** SQL condition: each of the words begins a word of the text. */
export const startsWithWords = (text: Text, words: Words): SQL | undefined =>
  // The plain condition is cheaper than the regular expression, so it filters first.
  and(containsWords(text, words), ...words.map((word) => beginsWord(text, word)));

const wholeForm = (pattern: string) => `(^|[^[:alnum:]])(?:${pattern})(?![[:alnum:]])`;

/** SQL per word: `typed`, or a form of the word if it has any. */
const orForm = (text: Text, words: Words, typed: (word: string) => SQL): SQL | undefined =>
  and(
    ...words.map((word) => {
      const forms = formsOf(word);
      if (forms === null) return typed(word);
      return and(has(text, forms.base), or(typed(word), sql`${folded(text)} ~ ${wholeForm(forms.pattern)}`));
    }),
  );

/** SQL condition: the text contains each of the words, or a form of it, as a part of a word. */
export const containsInflectedWords = (text: Text, words: Words): SQL | undefined =>
  orForm(text, words, (word) => has(text, word));

/** SQL condition: each of the words, or a form of it, begins a word of the text. */
export const startsWithInflectedWords = (text: Text, words: Words): SQL | undefined =>
  orForm(text, words, (word) => and(has(text, word), beginsWord(text, word))!);

/** Returns whether a text may contain the words in a form other than the typed one. */
export const haveInflections = (words: Words): boolean => words.some((word) => formsOf(word) !== null);

/** Returns parts that every text with any form of the words contains. */
export const inflectionStems = (words: Words): string[] => words.map((word) => formsOf(word)?.base ?? word);

/**
 * SQL for the excerpt around the first word found: at the start of a word, else anywhere, else in another form. It is cut between words and
 * marked with «…».
 */
export function excerptOf(words: Words, content: Text): SQL<string> {
  const word = words[0] ?? "";
  const text = folded(content);
  const forms = formsOf(word);
  const form = forms === null ? sql`0` : sql`regexp_instr(${text}, ${wholeForm(forms.pattern)})`;
  const at = sql`coalesce(nullif(regexp_instr(${text}, ${beginning(word)}), 0), nullif(strpos(${text}, ${foldedWord(word)}), 0),
    nullif(${form}, 0), 1)`;
  return sql<string>`(select concat(
      -- A few letters are not worth a cut. Of what stands before the word, the piece of a word that the cut leaves goes too.
      case when place <= ${BEFORE_WORD + 8}::int then substr(whole, 1, place - 1)
        else '…' || regexp_replace(substr(whole, place - ${BEFORE_WORD + 1}::int, ${BEFORE_WORD + 1}::int), '^\\S*\\s+', '') end,
      case when length(whole) < place + ${EXCERPT - BEFORE_WORD}::int then substr(whole, place)
        else regexp_replace(substr(whole, place, ${EXCERPT - BEFORE_WORD + 1}::int), '(\\S)\\s+\\S*$', '\\1') || '…' end)
    from (select ${content} as whole, ${at} as place offset 0) as found)`;
}
