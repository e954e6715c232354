/**
 * Decides whether sentences may be stated as the answer to a question. What fails a condition is quoted instead, so every condition may
 * be strict: a wrong statement costs more than a quotation.
 */

import { tableCells } from "#server/knowledge/documents/table-row.ts";
import { LIST_MARK } from "#server/knowledge/language/list-lines.ts";
import { denies, negates } from "#server/knowledge/language/negation.ts";
import { holdsSurely, isTypeWord } from "#server/knowledge/language/question/answer-type.ts";
import {
  matchWord,
  memoizedVocabularyOf,
  type Vocabulary,
  vocabularyOf,
} from "#server/knowledge/language/question/answer-vocabulary.ts";
import { contentWords, type QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import { isVerb } from "#server/knowledge/language/question/question-phrases.ts";
import { normalize, stemOf, words } from "#server/knowledge/language/words/analyze.ts";
import { limitedAmounts } from "./amounts.ts";
import type { Candidate, Sentence } from "./candidate.ts";
import { LABEL, recordOf, rowAround } from "./quotation.ts";

/** Minimum weight of a word that the answer must be about; words of the type, of connecting verbs and of earlier answers weigh less. */
const REQUIRED = 0.8;
/** Minimum `matchWord` of a form, synonym or misspelling; below are derived and denied words. */
const SAME_WORD = 0.8;
/** A rival with this share of the best sentence's value may as well be the answer. */
const RIVAL = 0.85;

/** The answer must be computed or compared, which quoting a sentence does not do. */
const COMPUTES =
  /(?<!\p{L})(?:всего|итого|в сумме|суммарно|вместе|выйдет|получится|обойд[её]тся|посчита\p{L}*|рассчита\p{L}*|на (?:двоих|троих|четверых)|за (?:двоих|троих|обоих|вс[её])|дешевле|дороже|выгодн\p{L}+|лучше|in total|altogether|cheaper|better)(?!\p{L})/iu;
/** An answer that has no meaning without its question. */
const ANSWERS_BARELY =
  /^(?:да|нет|можно|нельзя|конечно|ага|не всегда|иногда|обычно|увы|к сожалению|yes|no|sure)(?!\p{L})/iu;
/** A sentence that begins like this refers to the one before. */
const REFERS_BACK =
  /^(?:он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|этого|этой|такой|такая|такое|такие|поэтому|также|тоже|кроме того|при этом|однако|тогда|там|зато|но|а|и|или|иначе|it|they|this|these|those|however|therefore|but|and|or)(?!\p{L})/iu;

export interface Stated {
  part: QuestionPart;
  /** The best sentence with those needed to understand it. */
  needed: readonly Sentence[];
  /** What would be said, in order. */
  said: readonly Sentence[];
  best: Candidate;
  /** All sentences that were weighed for this part. */
  candidates: readonly Candidate[];
}

/** Whether sentences that were said for other questions answer this one too: «…и сколько она идёт?». */
export const isAnsweredBy = (part: QuestionPart, said: readonly Sentence[]): boolean =>
  said.some((sentence) => coversSubject(part, said, sentence)) && holdsTypes(part, said, vocabularyOf(part.text));

export function mayBeStated(stated: Stated): boolean {
  const { part, needed, best } = stated;
  const { sentence } = best;
  const own = words(part.text);
  const carried = requiredTerms(part).filter(({ word }) => !own.includes(word));
  const asked = vocabularyOf([...carried.map(({ word }) => word), part.text].join(" "));
  const isDenied = negates(part.text) && !needed.some(({ text }) => negates(text));
  const deniedAbove = sentence.question !== null && denies(sentence.question) && !denies(sentence.text);
  const says =
    !part.types.some((type) => RARELY_DENIED.has(type)) ||
    negates(part.text) ||
    !negates(sentence.text) ||
    isInRow(sentence);
  return (
    isWhole(stated.said) &&
    !stated.said.some((one) => isOfAnotherTime(one, part.text)) &&
    coversSubject(part, needed, sentence) &&
    holdsTypes(part, needed, asked) &&
    !isDenied &&
    !deniedAbove &&
    says &&
    !(COMPUTES.test(part.text) && !COMPUTES.test(sentence.text)) &&
    // «а минимум?» may replace the earlier question's thing or belong to it.
    !(part.namesOnlyThing && part.types.every((type) => type === "number")) &&
    !isAboutOther(needed, best, part, asked) &&
    concernsWhatIsTold(part, needed, sentence) &&
    (isUnderSameQuestion(sentence, part, asked) || !stated.candidates.some((rival) => isRival(rival, stated)))
  );
}

/** Words by which a note says of itself, in any form, that it no longer holds. */
const OUTDATED =
  /(?<!\p{L})(?:устарел|неактуальн|не актуальн|недействительн|(?:больше|уже) не (?:действу|актуальн|работа)|утратил\p{L}{1,2} силу|(?:прежн|стар)\p{L}{2,3} (?:цен|прайс|адрес|тариф|расписани|график)|no longer valid|outdated)/iu;
/** «Цены 2023 года», «в 2023 году»; «с 2015 года» says since when something holds. */
const DATED = /(?<!(?:^|[^\p{L}])(?:с|со|от|после)\s)(20\d\d)\s(?:год|г\.)/giu;

/** Whether the sentence is dated to a year that was not asked about, or stands in a paragraph or under a title that calls itself outdated. */
function isOfAnotherTime({ text, chunk }: Sentence, question: string): boolean {
  const years = [...text.matchAll(DATED)].map(([, year]) => year!);
  if (years.some((year) => !question.includes(year))) return true;
  if (OUTDATED.test(question)) return false;
  const paragraphs = chunk.text.split(/\n\s{0,20}\n/);
  const own = paragraphs.find((paragraph) => paragraph.includes(text.trim())) ?? "";
  return [chunk.name, chunk.heading, paragraphs[0]!, own].some((around) => OUTDATED.test(around));
}

/** Whether the sentences can be understood alone: neither cut off, nor referring back, nor a row without its column headings. */
function isWhole(said: readonly Sentence[]): boolean {
  const first = said[0]!;
  const opens = first.first && first.question !== null;
  if (REFERS_BACK.test(first.text) && !opens) return false;
  if (/[:,;(]\s*$/.test(said.at(-1)!.text)) return false;
  if (said.some(({ text, chunk }) => tableCells(text) !== null && recordOf(text, chunk) === null)) return false;
  return opens || said.some((one) => one.isListItem || isInRow(one) || isSentence(withoutLabel(one)));
}

/** «Алюминий и титан тоже.» has no predicate of its own. */
const isSentence = (text: string): boolean =>
  /[—–:=\d]|(?<!\p{L})(?:нет|есть|можно|нельзя|надо|нужно|нужен|нужна|нужны)(?!\p{L})/iu.test(text) ||
  words(text).some(isVerb);

interface Term {
  word: string;
  /** "" for a word without other forms. */
  stem: string;
  /** Whether it is asked for as missing: «без прививок». */
  isWithout: boolean;
}

const has = (vocabulary: Vocabulary, term: Term): boolean =>
  term.isWithout ? vocabulary.negated.has(term.stem) : matchWord(term, vocabulary) >= SAME_WORD;

function termsOf(text: string, of: readonly { word: string; exact: boolean }[]): Term[] {
  const { negated } = vocabularyOf(text);
  return of.map(({ word, exact }) => {
    const stem = exact ? "" : stemOf(word);
    return { word, stem, isWithout: negated.has(stem) };
  });
}

/** The words of the question's subject. Amounts such as «8 кг» are compared by `coversAmounts`. */
function requiredTerms(part: QuestionPart): Term[] {
  const amounts = new Set(limitedAmounts(part.text).flatMap(({ text }) => words(text)));
  return termsOf(
    part.text,
    part.terms.filter(({ word, weight }) => weight >= REQUIRED && !amounts.has(word)),
  );
}

/** Whether each word of the question's subject is in what is said, its row, its heading, the question above it or its document's name. */
function coversSubject(part: QuestionPart, said: readonly Sentence[], { heading, chunk }: Sentence): boolean {
  const required = requiredTerms(part);
  const vocabularies = [...said.map(rowOrSentence), heading];
  const isIn = (places: readonly Vocabulary[]) => (term: Term) => places.some((vocabulary) => has(vocabulary, term));
  if (required.length > 0)
    return (
      required.some(isIn(vocabularies)) && required.every(isIn([...vocabularies, memoizedVocabularyOf(chunk.name)]))
    );
  // «Какой адрес?» names nothing but the type, so the type must be named there, or be unmistakable.
  const types = termsOf(part.text, part.terms);
  return types.length > 0 && (types.some(isIn(vocabularies)) || part.types.some((type) => UNMISTAKABLE.has(type)));
}

/** Types that a sentence with «не» rarely gives: «После 20:00 не возим» does not say when. */
const RARELY_DENIED: ReadonlySet<string> = new Set(["day", "clock", "hours", "duration", "place", "person"]);
const UNMISTAKABLE: ReadonlySet<string> = new Set(["phone", "email", "hours"]);

const withoutLabel = ({ text }: Sentence) => text.replace(LABEL, "");

const isInRow = ({ text, chunk }: Sentence) => recordOf(text, chunk) !== null;

/** A row is said with its headings, a field with its record. */
function rowOrSentence({ text, chunk, vocabulary }: Sentence): Vocabulary {
  const row = rowAround(text, chunk);
  return row === text ? vocabulary : memoizedVocabularyOf(row);
}

/** Whether each type asked for is in the text besides the question's own words: «в сентябре» does not answer «когда в сентябре?». */
function holdsTypes(part: QuestionPart, said: readonly Sentence[], asked: Vocabulary): boolean {
  const inRow = said.some(isInRow);
  const text = said.map((one) => withoutWords(rowAround(one.text, one.chunk), asked)).join("\n");
  return part.types.every((type) => holdsSurely(type, text, { inRow, question: part.text }));
}

/** The text without the question's own words, but for those that name a type. */
export const withoutWords = (text: string, { stems }: Vocabulary) =>
  text.replace(/[\p{L}\p{N}]+/gu, (word) => {
    const plain = normalize(word);
    return stems.has(stemOf(plain)) && !isTypeWord(plain) ? "" : word;
  });

/**
 * Whether the subject comes from a heading or question above that names something the asker did not: «Нет.» under «Берёте щенков без
 * прививок?» says nothing about grown dogs.
 */
function isAboutOther(
  needed: readonly Sentence[],
  { sentence }: Candidate,
  part: QuestionPart,
  asked: Vocabulary,
): boolean {
  const first = needed[0]!;
  const above = titleAbove(sentence);
  const title = vocabularyOf(above);
  const own = needed.map(rowOrSentence);
  const isOwn = (term: Term) => own.some((vocabulary) => has(vocabulary, term));
  const subjects = subjectsOf(above);
  const isAsked = (term: Term) => has(asked, term);
  if (isLabelledOtherwise(first, isAsked)) return true;
  if (sentence.question !== null && subjects.length > 0 && !subjects.some(isAsked)) return true;
  const inherits = requiredTerms(part).some((term) => !isOwn(term) && has(title, term));
  if (!inherits && !(sentence.question !== null && ANSWERS_BARELY.test(withoutLabel(first)))) return false;
  // Verbs may differ: «Работаете ли по ОМС?» and «По ОМС принимаете?».
  return subjects.some((term) => !isAsked(term) && !isOwn(term));
}

/** «Для детей от 10 лет: суббота в 12:00» answers nobody who has not asked about children. */
function isLabelledOtherwise({ text, isListItem, chunk }: Sentence, isAsked: (term: Term) => boolean): boolean {
  const label = LEADING.exec(text.replace(LIST_MARK, ""))?.[1];
  if (label === undefined || isListItem || recordOf(text, chunk) !== null) return false;
  const subjects = subjectsOf(label);
  return subjects.length > 0 && !subjects.some(isAsked);
}

/** What a line is about, before a colon and its facts. */
const LEADING = /^([^:.!?\n]{3,60}):\s\S/u;

/** «Врач назначила анализы, хочу показать результат. Платить?» is no question about payment alone. */
function concernsWhatIsTold({ told }: QuestionPart, needed: readonly Sentence[], { heading }: Sentence): boolean {
  const places = [...needed.map(rowOrSentence), heading];
  const terms = told.map((word) => ({ word, stem: stemOf(word), isWithout: false }));
  const known = terms.filter((term) => places.some((vocabulary) => has(vocabulary, term)));
  return terms.length < 2 || known.length * 2 >= terms.length;
}

const titleAbove = ({ question, chunk }: Sentence): string => question ?? chunk.heading.split(" › ").at(-1) ?? "";

const subjectsOf = (text: string): Term[] =>
  termsOf(
    text,
    contentWords(text)
      .filter((word) => !isTypeWord(word) && !isVerb(word))
      .map((word) => ({ word, exact: false })),
  );

/** Whether the sentence stands under this very question. */
function isUnderSameQuestion(sentence: Sentence, part: QuestionPart, asked: Vocabulary): boolean {
  const above = titleAbove(sentence);
  const title = vocabularyOf(above);
  const required = requiredTerms(part);
  return (
    above.trimEnd().endsWith("?") &&
    required.length > 0 &&
    required.every((term) => has(title, term)) &&
    subjectsOf(above).every((term) => has(asked, term))
  );
}

/** Whether another sentence answers as well and says something else. */
function isRival(rival: Candidate, { part, said, best }: Stated): boolean {
  const { sentence } = rival;
  if (rival === best || !sentence.tells || said.includes(sentence)) return false;
  if (rival.value < best.value * RIVAL || rival.own < best.own * RIVAL) return false;
  if (said.some(({ vocabulary }) => isWithin(sentence.vocabulary, vocabulary))) return false;
  return coversSubject(part, [sentence], sentence) && holdsTypes(part, [sentence], vocabularyOf(part.text));
}

const isWithin = (one: Vocabulary, other: Vocabulary) =>
  words(one.words.join(" ")).every((word) => other.words.includes(word));
