/**
 * Finds the sentences of the chunks that answer a message, part by part, and says how sure that is. A sentence is weighed
 * by the rare words of the question that it, its heading and its neighbours hold, and by whether it holds the kind of thing
 * asked for.
 */

import { chunkSentences } from "#server/knowledge/documents/chunk-sentences.ts";
import { typeFit } from "#server/knowledge/language/question/answer-type.ts";
import {
  matchWord,
  memoizedVocabularyOf,
  type Vocabulary,
} from "#server/knowledge/language/question/answer-vocabulary.ts";
import { mayDependOnContext } from "#server/knowledge/language/question/contextual-query.ts";
import type { QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { addNeededSentences, formatForChat } from "./answer-wording.ts";
import type { Candidate, Sentence } from "./candidate.ts";
import type { Citation, ReadAnswer } from "./reader.ts";

/**
 * The answer to a message. Its confidence is that of the surest part, less when another part has no answer. `toRemark` is set where it
 * names the kind of thing that the message names, or says what the message says.
 */
export interface FoundAnswer extends ReadAnswer {
  /** The sentence that answers the surest part. */
  sentence: Citation;
}

interface AnswerQuery {
  parts: readonly QuestionPart[];
  /** Best first. */
  chunks: readonly ReplyChunk[];
  /** How rare a stem is among all that the twin knows, 0..1. */
  rarity: (stem: string) => number;
  /** Sentences for each part, 1..3. */
  limit: number;
}

interface Term {
  /** As asked. */
  word: string;
  stem: string;
  /** Rarity of the stem times its importance in the question. */
  weight: number;
  /** Cached results of `held` for headings and names, which many sentences share. */
  known: Map<Vocabulary, number>;
  /** What each sentence holds of the term, by place, 0..1; `nearby`: what its neighbours hold. */
  heldBy: readonly number[];
  nearby: readonly number[];
}

/** Share of a remark's weight that the sentence itself must hold: with less it is only about a similar subject. */
const SAYS_IT_ITSELF = 0.55;

const FROM_HEADING = 0.85;
const FROM_NAME = 0.6;
const FROM_BLOCK = 0.75;
const FROM_CHUNK = 0.45;

/** null when no sentence matches the message. */
export function findAnswer(query: AnswerQuery): FoundAnswer | null {
  const { parts } = query;
  const sentences: Sentence[] = [];
  for (const chunk of query.chunks) addSentences(sentences, chunk);
  const answers = parts.flatMap((part) => {
    const answer = answerTo(part, sentences, query);
    return answer === null ? [] : { ...answer, part };
  });
  if (answers.length === 0) return null;
  const sure = Math.max(...answers.map((answer) => answer.confidence));
  // A part without an answer is left out and lowers the confidence.
  const surest = answers.find((answer) => answer.confidence === sure)!;
  const said = answers.filter(
    ({ confidence, best }) =>
      confidence >= Math.min(sure, 0.5) ||
      // «…и в какие часы?»: the answer to this part stands beside the answer to the other.
      (confidence >= 0.2 && best.fit > 0 && best.sentence.chunk === surest.best.sentence.chunk),
  );
  const chosen: Sentence[] = [];
  for (const answer of said)
    for (const sentence of answer.sentences) if (!chosen.includes(sentence)) chosen.push(sentence);
  const silent = parts.filter((part) => !said.some((answer) => answer.part === part));
  // «…и сколько она идёт?»: what it is about stands in its neighbour, and so may its answer.
  const unanswered = silent.map(({ text }) => text).filter((text) => !mayDependOnContext(text));
  return {
    text: formatForChat(chosen),
    sentence: { text: surest.best.sentence.text, chunk: surest.best.sentence.chunk },
    citations: chosen.map(({ text, chunk }) => ({ text, chunk })),
    confidence: sure * (silent.length > 0 ? 0.85 : 1),
    toRemark: surest.best.fit > 0 || surest.best.own >= SAYS_IT_ITSELF,
    ...(unanswered.length > 0 && { unanswered }),
  };
}

function answerTo(part: QuestionPart, sentences: readonly Sentence[], query: AnswerQuery) {
  const terms = part.terms.map(({ word, weight, exact }) => {
    const stem = exact ? "" : stemOf(word);
    // Halfway between the rarity of the word and that of its most common synonym.
    const own = query.rarity(stem);
    const rarity = (own + Math.min(own, ...[...relatedStems(stem)].map(query.rarity))) / 2;
    const term = termOf(word, stem, weight * (0.15 + rarity));
    const heldBy = sentences.map((sentence) => matchWord(term, sentence.vocabulary));
    return { ...term, heldBy, nearby: fromNeighbours(heldBy, sentences) };
  });
  const total = terms.reduce((sum, term) => sum + term.weight, 0);
  if (total === 0) return null;
  const counts = counting(part, terms);
  const candidates = sentences.map((sentence) => {
    const fit = counts(sentence) ? typeFit(part.types, sentence.text, sentence.fits) : -1;
    return weigh(sentence, terms, { fit, total });
  });
  const best = candidates
    .filter(({ sentence }) => sentence.tells)
    .reduce<Candidate | null>((top, one) => (top === null || one.value > top.value ? one : top), null);
  if (best === null || best.all === 0) return null;
  return { best, sentences: addNeededSentences(best, candidates, part, query.limit), confidence: sureness(best, part) };
}

/** What neighbours add to each sentence: the most that an earlier sentence of its block, or any under the same question, holds. */
function fromNeighbours(heldBy: readonly number[], sentences: readonly Sentence[]): number[] {
  const inSection = new Array<number>(sentences.length).fill(0);
  for (const { place, base, section } of sentences) {
    inSection[base + section] = Math.max(inSection[base + section]!, heldBy[place]!);
  }
  const before = new Array<number>(sentences.length).fill(0);
  return sentences.map(({ place, base, section, previous, isRow }) => {
    if (previous !== null) before[place] = Math.max(before[base + previous]!, heldBy[base + previous]!);
    const here = FROM_BLOCK * before[place]!;
    return isRow ? here : Math.max(here, FROM_CHUNK * inSection[base + section]!);
  });
}

function weigh(sentence: Sentence, terms: readonly Term[], { fit, total }: { fit: number; total: number }): Candidate {
  const { chunk, heading } = sentence;
  const name = memoizedVocabularyOf(chunk.name);
  let own = 0;
  let all = 0;
  let headed = 0;
  let under = 0;
  let missing = 0;
  for (const term of terms) {
    const here = term.heldBy[sentence.place]!;
    const inHeading = held(term, heading);
    const above = Math.max(FROM_HEADING * inHeading, FROM_NAME * held(term, name));
    own += term.weight * here;
    headed += term.weight * above;
    under += term.weight * Math.max(here, inHeading);
    const most = Math.max(here, above, term.nearby[sentence.place]!);
    all += term.weight * most;
    if (most === 0) missing = Math.max(missing, term.weight);
  }
  // The first sentence under a heading or a question usually answers it.
  const first = sentence.first ? (0.3 * Math.max(0, under - own)) / total : 0;
  // A long question shares its wording with its answer, a short one only its subject (weights chosen on XQuAD).
  const long = Math.min(1, Math.max(0, (terms.length - 3) / 3));
  const value =
    all / total +
    (0.45 + 0.45 * long) * (own / total) +
    (0.45 - 0.2 * long) * fit +
    0.25 * chunk.score +
    long * sentence.similarity +
    first;
  return {
    sentence,
    own: own / total,
    all: all / total,
    mass: all,
    missing: missing / total,
    heading: headed / total,
    fit,
    value,
  };
}

const termOf = (word: string, stem = stemOf(word), weight = 1): Term => ({
  word,
  stem,
  weight,
  known: new Map(),
  heldBy: [],
  nearby: [],
});
const VERB = /(?:[аеиуюя]т|ете|ите|[еи]шь|ем)$/u;

/** «Сколько человек работает…?» is not answered by a number of people who do something else, nor of things with a similar name. */
function counting({ types, counted }: QuestionPart, terms: readonly Term[]): (sentence: Sentence) => boolean {
  if (!types.includes("number") || terms.length < 2) return () => true;
  const does = terms.filter(({ word, weight }) => weight > 0.3 && word.length > 4 && VERB.test(word));
  const ofWhat = counted === null ? null : termOf(counted);
  return ({ vocabulary, place }) => {
    const share = ofWhat === null ? 0 : matchWord(ofWhat, vocabulary);
    return !(share > 0 && share < 1) && does.every((term) => term.heldBy[place]! > 0);
  };
}

/** The features of the regression in `sureness`. */
const featuresOf = ({ all, own, fit, mass, missing, sentence }: Candidate) => [
  all,
  own,
  fit,
  Math.min(mass, 2.5),
  missing,
  sentence.chunk.score,
];

/**
 * Intercept and weights of a logistic regression on the demo questions (answerable ones; the same without their chunks; questions to
 * another twin), adjusted by hand because the fitted values answered too rarely.
 */
const CHANCE = 2;
const SURENESS = [-6.2, 4.2, 0.9, 1, 1.2, -2.4, 1.7];

function sureness(best: Candidate, { terms: { length: terms }, types }: QuestionPart): number {
  // «Какая у тебя машина?»: a single word without a known answer type matches by chance, unless the section is about it.
  const chance = terms === 1 && types.length === 0 && best.heading === 0 ? CHANCE : 0;
  const x = [1, ...featuresOf(best)].reduce((sum, value, i) => sum + value * SURENESS[i]!, 0) - chance;
  return 1 / (1 + Math.exp(-x));
}

function addSentences(sentences: Sentence[], chunk: ReplyChunk): void {
  const base = sentences.length;
  const given = chunk.sentences;
  for (const one of chunkSentences(
    chunk,
    given.map(({ text }) => text),
  )) {
    const similarity = Math.max(0, (given[one.at]?.score ?? 0) - chunk.score);
    sentences.push({ ...one, chunk, place: sentences.length, base, similarity });
  }
}

/** Share of the term that the text holds; cached, because headings and names are the same for many sentences. */
function held(term: Term, vocabulary: Vocabulary): number {
  let share = term.known.get(vocabulary);
  if (share === undefined) {
    share = matchWord(term, vocabulary);
    term.known.set(vocabulary, share);
  }
  return share;
}
