/**
 * Finds the sentences of the passages that answer a message, part by part, and says how sure that is. A sentence is weighed
 * by the rare words of the question that it, its heading and its neighbours hold, and by whether it holds the kind of thing
 * asked for.
 */
import { stemOf } from "#server/language/analyze.ts";
import { typeFit } from "#server/language/answer-type.ts";
import { heldShare, rememberedVocabularyOf, type Vocabulary } from "#server/language/answer-vocabulary.ts";
import { type PassageSentence, passageSentences } from "#server/language/passage-sentences.ts";
import type { QuestionPart } from "#server/language/question-parts.ts";
import { relatedStems } from "#server/language/synonyms.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import { spoken, withNeeded } from "./answer-wording.ts";

export interface FoundAnswer {
  text: string;
  /** Of the surest part: the sentence itself, as it stands in its passage. */
  sentence: { text: string; passage: ReplyPassage };
  /** That the text stands in. */
  passages: ReplyPassage[];
  /** 0..1: that the surest part is answered; less when another is not. */
  confidence: number;
  /** Whether it answers even what is no question: it holds the kind of thing that is named, or says itself what the message says. */
  toRemark: boolean;
}

export interface AnswerQuery {
  parts: readonly QuestionPart[];
  /** Best first. */
  passages: readonly ReplyPassage[];
  /** How rare a stem is among all that the twin knows, 0..1. */
  rarity: (stem: string) => number;
  /** Sentences for each part, 1..3. */
  limit: number;
}

interface Term {
  /** As asked. */
  word: string;
  stem: string;
  /** Rarity times what the question gives it. */
  weight: number;
  /** What `held` has told of it, for headings and names: they are the same for many sentences. */
  known: Map<Vocabulary, number>;
  /** What each sentence holds of it, by place, and what its neighbours give it. */
  heldBy: readonly number[];
  nearby: readonly number[];
}

export interface Sentence extends PassageSentence {
  passage: ReplyPassage;
  /** Among all the sentences: its own place, and that of its passage's first. */
  place: number;
  base: number;
  /** To the words of the message, 0..1, as retrieval has it. */
  likeness: number;
}

export interface Candidate {
  sentence: Sentence;
  /** Of the question's weight: held by the sentence itself, and with its heading and neighbours. */
  own: number;
  all: number;
  heading: number;
  /** What is held, not divided by the question's weight. */
  mass: number;
  /** The weightiest word that neither the passage nor its heading holds, as a share. */
  missing: number;
  fit: number;
  value: number;
}

/** Share of a remark's weight: what only a heading or a neighbour says is of the like subject, and no more. */
const SAYS_IT_ITSELF = 0.55;

const FROM_HEADING = 0.85;
const FROM_NAME = 0.6;
const FROM_BLOCK = 0.75;
const FROM_PASSAGE = 0.45;

/** null when no sentence says anything to the message. */
export function findAnswer(query: AnswerQuery): FoundAnswer | null {
  const { parts } = query;
  const sentences: Sentence[] = [];
  for (const passage of query.passages) addSentences(sentences, passage);
  const answers = parts.flatMap((part) => answerTo(part, sentences, query) ?? []);
  if (answers.length === 0) return null;
  const sure = Math.max(...answers.map((answer) => answer.confidence));
  // A part that nothing answers is left out, and what is said is less sure.
  const surest = answers.find((answer) => answer.confidence === sure)!;
  const said = answers.filter(
    ({ confidence, best }) =>
      confidence >= Math.min(sure, 0.5) ||
      // «…и в какие часы?»: beside the answer to one stands the answer to the other.
      (confidence >= 0.2 && best.fit > 0 && best.sentence.passage === surest.best.sentence.passage),
  );
  const chosen: Sentence[] = [];
  for (const answer of said)
    for (const sentence of answer.sentences) if (!chosen.includes(sentence)) chosen.push(sentence);
  const silent = parts.length - said.length;
  return {
    text: spoken(chosen),
    sentence: { text: surest.best.sentence.text, passage: surest.best.sentence.passage },
    passages: [...new Set(chosen.map((sentence) => sentence.passage))],
    confidence: sure * (silent > 0 ? 0.85 : 1),
    toRemark: surest.best.fit > 0 || surest.best.own >= SAYS_IT_ITSELF,
  };
}

function answerTo(part: QuestionPart, sentences: readonly Sentence[], query: AnswerQuery) {
  const terms = part.terms.map(({ word, weight, exact }) => {
    const stem = exact ? "" : stemOf(word);
    // Between how rare the word is and the most usual way of saying the same.
    const own = query.rarity(stem);
    const rarity = (own + Math.min(own, ...[...relatedStems(stem)].map(query.rarity))) / 2;
    const term = termOf(word, stem, weight * (0.15 + rarity));
    const heldBy = sentences.map((sentence) => heldShare(term, sentence.vocabulary));
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
  return { best, sentences: withNeeded(best, candidates, part, query.limit), confidence: sureness(best, part) };
}

/** The most that those before it in its block, or any under the same question, give each sentence. Its own share is never less than it adds here. */
function fromNeighbours(heldBy: readonly number[], sentences: readonly Sentence[]): number[] {
  const inSection = new Array<number>(sentences.length).fill(0);
  for (const { place, base, section } of sentences) {
    inSection[base + section] = Math.max(inSection[base + section]!, heldBy[place]!);
  }
  const before = new Array<number>(sentences.length).fill(0);
  return sentences.map(({ place, base, section, previous }) => {
    if (previous !== null) before[place] = Math.max(before[base + previous]!, heldBy[base + previous]!);
    return Math.max(FROM_BLOCK * before[place]!, FROM_PASSAGE * inSection[base + section]!);
  });
}

function weigh(sentence: Sentence, terms: readonly Term[], { fit, total }: { fit: number; total: number }): Candidate {
  const { passage, heading } = sentence;
  const name = rememberedVocabularyOf(passage.name);
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
  // What stands first under a heading or a question answers it.
  const first = sentence.first ? (0.3 * Math.max(0, under - own)) / total : 0;
  // A long question shares its wording with its answer, a short one only its subject (weights chosen on XQuAD).
  const long = Math.min(1, Math.max(0, (terms.length - 3) / 3));
  const value =
    all / total +
    (0.45 + 0.45 * long) * (own / total) +
    (0.45 - 0.2 * long) * fit +
    0.25 * passage.score +
    long * sentence.likeness +
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

/** «Сколько человек работает…?»: a number of people who do something else is no answer, nor is one of what is called alike. */
function counting({ types, counted }: QuestionPart, terms: readonly Term[]): (sentence: Sentence) => boolean {
  if (!types.includes("number") || terms.length < 2) return () => true;
  const does = terms.filter(({ word, weight }) => weight > 0.3 && word.length > 4 && VERB.test(word));
  const ofWhat = counted === null ? null : termOf(counted);
  return ({ vocabulary, place }) => {
    const share = ofWhat === null ? 0 : heldShare(ofWhat, vocabulary);
    return !(share > 0 && share < 1) && does.every((term) => term.heldBy[place]! > 0);
  };
}

/** What the regression of `sureness` looks at. */
const featuresOf = ({ all, own, fit, mass, missing, sentence }: Candidate) => [
  all,
  own,
  fit,
  Math.min(mass, 2.5),
  missing,
  sentence.passage.score,
];

/**
 * Intercept and weights of a logistic regression on the demo questions that were looked at (answerable; with their passages
 * taken away; asked of another twin), softened by hand: the fit alone was too silent.
 */
const CHANCE = 2;
const SURENESS = [-6.2, 4.2, 0.9, 1, 1.2, -2.4, 1.7];

function sureness(best: Candidate, { terms: { length: terms }, types }: QuestionPart): number {
  // «Какая у тебя машина?»: one word and no kind of thing to look for is met by chance, unless the section is about it.
  const chance = terms === 1 && types.length === 0 && best.heading === 0 ? CHANCE : 0;
  const x = [1, ...featuresOf(best)].reduce((sum, value, i) => sum + value * SURENESS[i]!, 0) - chance;
  return 1 / (1 + Math.exp(-x));
}

function addSentences(sentences: Sentence[], passage: ReplyPassage): void {
  const base = sentences.length;
  const given = passage.sentences;
  for (const one of passageSentences(
    passage,
    given.map(({ text }) => text),
  )) {
    const likeness = Math.max(0, (given[one.at]?.score ?? 0) - passage.score);
    sentences.push({ ...one, passage, place: sentences.length, base, likeness });
  }
}

/** What the text holds of the term, looked up once: headings and names are the same for many sentences. */
function held(term: Term, vocabulary: Vocabulary): number {
  let share = term.known.get(vocabulary);
  if (share === undefined) {
    share = heldShare(term, vocabulary);
    term.known.set(vocabulary, share);
  }
  return share;
}
