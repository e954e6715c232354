/**
 * Finds the sentences of the chunks that answer each part of a message, with a confidence. A sentence scores by the question's rare words
 * in it, its heading and its neighbours. It also scores by whether it contains the type of answer asked for.
 */

import { chunkSentences } from "#server/knowledge/documents/chunk-sentences.ts";
import { typeFit } from "#server/knowledge/language/question/answer-type.ts";
import {
  matchWord,
  memoizedVocabularyOf,
  type Vocabulary,
} from "#server/knowledge/language/question/answer-vocabulary.ts";
import type { QuestionPart } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { relatedStems } from "#server/knowledge/language/words/synonyms.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { addEqualSentences, addNeededSentences, formatForChat } from "./answer-wording.ts";
import type { Candidate, Sentence } from "./candidate.ts";
import { isAnsweredBy, mayBeStated } from "./may-be-stated.ts";
import type { Citation, ReadAnswer } from "./reader.ts";
import { THRESHOLDS } from "./thresholds.ts";

/**
 * Answer to a message. Its confidence is that of the surest part, reduced when another part has no answer. `toRemark` is set when the
 * answer names the same kind of thing as the message, or repeats its statement.
 */
export interface FoundAnswer extends ReadAnswer {
  /** Sentence that answers the part with the highest confidence. */
  sentence: Citation;
}

interface AnswerQuery {
  parts: readonly QuestionPart[];
  chunks: readonly ReplyChunk[];
  /** Rarity of a stem among all knowledge of the twin, 0..1. */
  rarity: (stem: string) => number;
  limit: number;
}

interface Term {
  word: string;
  stem: string;
  /** Rarity of the stem times its importance in the question. */
  weight: number;
  /** Cached results of `held` for headings and names, which many sentences share. */
  known: Map<Vocabulary, number>;
  /** Share (0..1) of the term in each sentence, by index; `nearby`: in its neighbours. */
  heldBy: readonly number[];
  nearby: readonly number[];
}

/** Maximum confidence of an answer that may be quoted but not stated. */
export const MAX_QUOTED = THRESHOLDS.knowledge - 0.05;

/** Share of a remark's weight that the sentence itself must contain; with less it only concerns a similar subject. */
const SAYS_IT_ITSELF = 0.55;

const FROM_HEADING = 0.85;
const FROM_NAME = 0.6;
const FROM_BLOCK = 0.75;
const FROM_CHUNK = 0.45;

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
  // A part without an answer is skipped and lowers the confidence.
  const surest = answers.find((answer) => answer.confidence === sure)!;
  const said = answers.filter(
    ({ confidence, part, sentences }) =>
      confidence >= Math.min(sure, 0.5) ||
      // Beside a sure answer, a weaker one to another question is accepted if it holds what is asked: «…и в какие часы?».
      (confidence >= 0.2 && sure >= 0.5 && isAnsweredBy(part, sentences)),
  );
  const chosen: Sentence[] = [];
  for (const answer of said)
    for (const sentence of answer.sentences) if (!chosen.includes(sentence)) chosen.push(sentence);
  const silent = parts.filter((part) => !said.some((answer) => answer.part === part) && !isAnsweredBy(part, chosen));
  const unanswered = silent.map(({ text }) => text);
  return {
    text: formatForChat(chosen, parts.length === 1 ? parts[0]! : null),
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
    // Uses the mean of the word's rarity and that of its most common synonym.
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
  const needed = addNeededSentences(best, candidates, part);
  const equal = candidates.filter(({ sentence }) => isAnsweredBy(part, [sentence]));
  const said = addEqualSentences(needed, best, equal, query.limit);
  const stated = mayBeStated({ part, needed, said, best, candidates });
  return { best, sentences: said, confidence: Math.min(sureness(best, part), stated ? 1 : MAX_QUOTED) };
}

/**
 * Returns what neighbours add to each sentence: the maximum held by an earlier sentence of its block, or by any under the same question.
 */
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
  // A long question shares its wording with its answer, a short one only its subject. Weights were chosen on XQuAD.
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

/** A count answers «Сколько человек работает…?» only with the same people and predicate, not with things of a similar name. */
function counting({ types, counted }: QuestionPart, terms: readonly Term[]): (sentence: Sentence) => boolean {
  if (!types.includes("number") || terms.length < 2) return () => true;
  const does = terms.filter(({ word, weight }) => weight > 0.3 && word.length > 4 && VERB.test(word));
  const ofWhat = counted === null ? null : termOf(counted);
  return ({ vocabulary, place }) => {
    const share = ofWhat === null ? 0 : matchWord(ofWhat, vocabulary);
    return !(share > 0 && share < 1) && does.every((term) => term.heldBy[place]! > 0);
  };
}

const featuresOf = ({ all, own, fit, mass, missing, sentence }: Candidate) => [
  all,
  own,
  fit,
  Math.min(mass, 2.5),
  missing,
  sentence.chunk.score,
];

/**
 * Intercept and weights of a logistic regression, fitted on the demo questions: answerable ones, the same without their chunks, and
 * questions to another twin. They are adjusted by hand, because the fitted values answered too rarely.
 */
const CHANCE = 2;
const SURENESS = [-6.2, 4.2, 0.9, 1, 1.2, -2.4, 1.7];

function sureness(best: Candidate, { terms: { length: terms }, types }: QuestionPart): number {
  // A single word without a known answer type matches by chance («Какая у тебя машина?»), unless it is in the section's heading.
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

/** Returns the share of the term in the text; cached, because many sentences share headings and names. */
function held(term: Term, vocabulary: Vocabulary): number {
  let share = term.known.get(vocabulary);
  if (share === undefined) {
    share = matchWord(term, vocabulary);
    term.known.set(vocabulary, share);
  }
  return share;
}
