/**
 * Finds the sentences of the passages that answer a message, part by part, and says how sure that is. A sentence is weighed
 * by the rare words of the question that it, its heading and its neighbours hold, and by whether it holds the kind of thing
 * asked for.
 */
import { splitSentences } from "#server/knowledge/sentences.ts";
import { words as plainWords, remembered, stemOf } from "./analyze.ts";
import { typeFit } from "./answer-type.ts";
import type { ReplyPassage } from "./generators/generator.ts";
import { FUNCTION_WORDS } from "./lexicon.ts";
import { isNear, joinedNumbers, type QuestionPart, questionParts } from "./question-parts.ts";
import { relatedStems } from "./synonyms.ts";

export interface FoundAnswer {
  text: string;
  /** That the text stands in. */
  passages: ReplyPassage[];
  /** 0..1: that the surest part is answered; less when another is not. */
  confidence: number;
  /** What the confidence was made of. */
  features: number[];
}

export interface AnswerQuery {
  message: string;
  /** The question that the message leans on. */
  before: string | null;
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
  /** What each sentence holds of it, by place: a sentence is looked at for itself and for each of its neighbours. */
  heldBy: readonly number[];
}

interface Sentence {
  /** Among all the sentences. */
  place: number;
  passage: ReplyPassage;
  at: number;
  /** Sentences of one list item or paragraph share it. */
  block: number;
  /** The question of a list of questions that it stands under. */
  question: string | null;
  /** It stands first under its heading or question. */
  first: boolean;
  /** To the words of the message, 0..1, as retrieval has it. */
  likeness: number;
  text: string;
  vocabulary: Vocabulary;
}

interface Candidate {
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

const LIST_ITEM = /^\s*(?:[-–—•*▪◦]|\d{1,2}[.)])\s+/;
/** A sentence that starts so speaks of what stands before it. */
const LEANS_BACK =
  /^(?:он|она|оно|они|его|ее|её|их|ему|ей|им|это|этот|эта|эти|этого|этой|такой|такая|такое|такие|поэтому|также|кроме того|при этом|однако|тогда|там|дальше|обратно|it|they|he|she|this|these|those|its|their|also|however|therefore)(?!\p{L})/iu;
const LISTS = /(?<!\p{L})(?:что|какие|какой|перечень|список|состав|продукты|how|what)(?!\p{L})/iu;
const LONGEST_LIST = 600;
const WITHOUT = new Set(["без", "кроме", "without"]);
const NEGATED = 0.4;
const SYNONYM = 0.85;
/** An adjective of the noun: a guitar is not its amplifier. */
const AKIN = 0.65;
const SLIP = 0.8;
const FROM_HEADING = 0.85;
const FROM_NAME = 0.6;
const FROM_BLOCK = 0.75;
const FROM_PASSAGE = 0.45;

/** null when no sentence says anything to the message. */
export function findAnswer(query: AnswerQuery): FoundAnswer | null {
  const parts = questionParts(query.message, query.before);
  const sentences = query.passages.flatMap(sentencesOf);
  for (const [place, sentence] of sentences.entries()) sentence.place = place;
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
    passages: [...new Set(chosen.map((sentence) => sentence.passage))],
    confidence: sure * (silent > 0 ? 0.85 : 1),
    features: featuresOf(surest.best),
  };
}

function answerTo(part: QuestionPart, sentences: readonly Sentence[], query: AnswerQuery) {
  const terms = part.terms.map(({ word, weight, exact }) => {
    const stem = exact ? "" : stemOf(word);
    // Between how rare the word is and the most usual way of saying the same.
    const own = query.rarity(stem);
    const rarity = (own + Math.min(own, ...[...relatedStems(stem)].map(query.rarity))) / 2;
    const term = termOf(word, stem, weight * (0.15 + rarity));
    return { ...term, heldBy: sentences.map((sentence) => lookFor(term, sentence.vocabulary)) };
  });
  const total = terms.reduce((sum, term) => sum + term.weight, 0);
  if (total === 0) return null;
  const ofPassage = Map.groupBy(sentences, (sentence) => sentence.passage);
  const candidates = sentences.map((sentence) => weigh(sentence, ofPassage.get(sentence.passage)!, part, terms, total));
  const best = candidates
    .filter(({ sentence }) => says(sentence))
    .reduce<Candidate | null>((top, one) => (top === null || one.value > top.value ? one : top), null);
  if (best === null || best.all === 0) return null;
  return { best, sentences: withNeeded(best, candidates, part, query.limit), confidence: sureness(best, part) };
}

function weigh(
  sentence: Sentence,
  neighbours: readonly Sentence[],
  part: QuestionPart,
  terms: readonly Term[],
  total: number,
): Candidate {
  const { passage } = sentence;
  const heading = vocabularyOf(`${passage.heading} ${sentence.question ?? ""}`);
  const name = vocabularyOf(passage.name);
  const same = neighbours.filter((other) => other !== sentence && other.question === sentence.question);
  const block = same.filter((other) => other.block === sentence.block && other.at < sentence.at);
  let own = 0;
  let all = 0;
  let headed = 0;
  let under = 0;
  let missing = 0;
  for (const term of terms) {
    const here = term.heldBy[sentence.place]!;
    const above = Math.max(FROM_HEADING * held(term, heading), FROM_NAME * held(term, name));
    let near = 0;
    for (const other of block) near = Math.max(near, FROM_BLOCK * term.heldBy[other.place]!);
    let far = 0;
    for (const other of same) far = Math.max(far, FROM_PASSAGE * term.heldBy[other.place]!);
    own += term.weight * here;
    headed += term.weight * above;
    under += term.weight * Math.max(here, held(term, heading));
    const most = Math.max(here, above, near, far);
    all += term.weight * most;
    if (most === 0) missing = Math.max(missing, term.weight);
  }
  const fit = counts(part, terms, sentence) ? typeFit(part.types, sentence.text) : -1;
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
});
const VERB = /(?:[аеиуюя]т|ете|ите|[еи]шь|ем)$/u;

/** «Сколько человек работает…?»: a number of people who do something else is no answer, nor is one of what is called alike. */
function counts({ types, counted }: QuestionPart, terms: readonly Term[], { vocabulary }: Sentence): boolean {
  if (!types.includes("number") || terms.length < 2) return true;
  const does = terms.filter(({ word, weight }) => weight > 0.3 && word.length > 4 && VERB.test(word));
  if (counted !== null && held(termOf(counted), vocabulary) < 1 && held(termOf(counted), vocabulary) > 0) return false;
  return does.every((term) => held(term, vocabulary) > 0);
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

const isQuestion = (text: string) => /\?\s*$/.test(text);
const says = ({ text }: Sentence) => !isQuestion(text) && (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) > 1;

/** The best with what it needs to be understood, and what else of the question stands beside it. */
function withNeeded(best: Candidate, candidates: readonly Candidate[], part: QuestionPart, limit: number): Sentence[] {
  const { sentence } = best;
  const inPassage = candidates.map((one) => one.sentence).filter((one) => one.passage === sentence.passage);
  if (/:\s*$/.test(sentence.text)) return [sentence, ...itemsAfter(inPassage, sentence)];
  const announced = candidates.findLast(
    (one) =>
      one.sentence.passage === sentence.passage && one.sentence.at < sentence.at && !LIST_ITEM.test(one.sentence.text),
  );
  if (
    LIST_ITEM.test(sentence.text) &&
    announced !== undefined &&
    announced.own > best.own &&
    /:$/.test(announced.sentence.text)
  )
    return [announced.sentence, ...itemsAfter(inPassage, announced.sentence)];
  const items = inPassage.filter((one) => LIST_ITEM.test(one.text));
  // «Что взять с собой?» under that heading: the whole list answers.
  if (
    LIST_ITEM.test(sentence.text) &&
    best.heading > best.own &&
    LISTS.test(part.text) &&
    items.reduce((sum, one) => sum + one.text.length, 0) <= LONGEST_LIST
  )
    return items;
  const chosen = [sentence];
  const before = inPassage.find((one) => one.at === sentence.at - 1);
  const head = inPassage.find((one) => one.block === sentence.block && LIST_ITEM.test(one.text));
  if (head !== undefined && head !== sentence) chosen.unshift(head);
  else if (LEANS_BACK.test(sentence.text) && before !== undefined && says(before)) chosen.unshift(before);
  const after = inPassage.find((one) => one.at === sentence.at + 1 && one.block === sentence.block);
  // Half a breath: «Во дворе парковаться бесполезно.» wants what follows.
  if (
    best.own < 0.6 &&
    chosen.length === 1 &&
    sentence.text.length < 45 &&
    after !== undefined &&
    says(after) &&
    after.text.length < 100
  )
    chosen.push(after);
  const others = candidates
    .filter((one) => one.sentence.passage === sentence.passage && !chosen.includes(one.sentence) && says(one.sentence))
    .filter((one) => one.own >= best.own * 0.8 && one.fit >= best.fit && one.value >= best.value * 0.85)
    .sort((a, b) => b.value - a.value);
  for (const one of others) {
    if (chosen.length >= limit || LEANS_BACK.test(one.sentence.text) || LIST_ITEM.test(one.sentence.text)) break;
    chosen.push(one.sentence);
  }
  return chosen.sort((a, b) => a.at - b.at);
}

function itemsAfter(sentences: readonly Sentence[], head: Sentence): Sentence[] {
  const items: Sentence[] = [];
  let length = 0;
  for (const one of sentences) {
    if (one.at <= head.at) continue;
    length += one.text.length;
    if ((items.length > 0 && !LIST_ITEM.test(one.text)) || isQuestion(one.text) || length > LONGEST_LIST) break;
    items.push(one);
    if (!LIST_ITEM.test(one.text)) break;
  }
  return items;
}

/** As said in a chat: no list marks but numbers, no markup. */
function spoken(chosen: readonly Sentence[]): string {
  const items = chosen.filter((one) => LIST_ITEM.test(one.text)).length;
  return chosen
    .map(({ text }, i) => {
      const numbered = /^\s*\d{1,2}[.)]\s/.test(text) && items > 1;
      const plain = withoutMarkup(numbered ? text.trim() : text.replace(LIST_ITEM, "")).replace(
        /^(?:ответ|answer)\s*:\s*/i,
        "",
      );
      const ends = /[.!?…:;]$/.test(plain) || i === chosen.length - 1 ? plain : `${plain}.`;
      if (i === 0) return plain === ends || items > 1 ? plain : ends;
      const newLine = items > 1 && (LIST_ITEM.test(text) || LIST_ITEM.test(chosen[i - 1]!.text));
      return newLine ? `\n${plain}` : ` ${ends}`;
    })
    .join("");
}

/** The words of Markdown and HTML; a sentence may begin or end in the middle of either. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/<(script|style)\b[^>]*>.*?<\/\1\s*>/gis, " ")
    .replace(/<\/?[a-z!][^>]*>?/gi, " ")
    .replace(/!\[[^\]]*(?:\]\([^)]*\)?|\]?$)/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)?/g, "$1")
    .replace(/(\*\*|__|`)(.+?)\1/g, "$2")
    .replace(/^#{1,6}\s+/gm, "")
    .replace(/[ \t]{2,}/g, " ")
    .trim();
}

function sentencesOf(passage: ReplyPassage): Sentence[] {
  const texts = passage.sentences.length > 0 ? passage.sentences.map((one) => one.text) : splitSentences(passage.text);
  let from = 0;
  let block = 0;
  let question: string | null = null;
  let first = true;
  return texts.flatMap((raw, at) => {
    const text = raw.trim();
    const start = passage.text.indexOf(text, from);
    const gap = start < 0 ? "" : passage.text.slice(from, start);
    if (start >= 0) from = start + text.length;
    if (isQuestion(text) || LIST_ITEM.test(text) || /\n\s*\n/.test(gap)) block++;
    if (text === passage.heading.trim()) return [];
    const likeness = Math.max(0, (passage.sentences[at]?.score ?? 0) - passage.score);
    const sentence = { place: 0, passage, at, block, question, first, likeness, text, vocabulary: vocabularyOf(text) };
    if (isQuestion(text)) question = text;
    first = isQuestion(text);
    return [sentence];
  });
}

interface Vocabulary {
  /** Said to be absent: «без печати». */
  negated: ReadonlySet<string>;
  stems: ReadonlySet<string>;
  words: readonly string[];
  /** The longer words that say something, each once with its stem: other forms and slips of the pen are looked for among them. */
  alike: readonly { word: string; stem: string }[];
}

const vocabularyOf = remembered(5000, (text): Vocabulary => {
  const words = plainWords(joinedNumbers(text));
  const stems = words.map(stemOf);
  const without = new Set(stems.filter((stem, i) => stem !== "" && WITHOUT.has(words[i - 1] ?? "")));
  const kept = new Set(stems.filter((stem, i) => stem !== "" && !WITHOUT.has(words[i - 1] ?? "")));
  const long = new Set(words.filter((word) => word.length >= 4 && !FUNCTION_WORDS.has(word)));
  return {
    words,
    alike: [...long].map((word) => ({ word, stem: stemOf(word) })),
    stems: new Set(stems.filter((stem) => stem !== "")),
    negated: new Set([...without].filter((stem) => !kept.has(stem))),
  };
});

/** 0..1: whether the text has the term, another word for it, a form of it or a slip of the pen. */
function held(term: Term, vocabulary: Vocabulary): number {
  let share = term.known.get(vocabulary);
  if (share === undefined) {
    share = lookFor(term, vocabulary);
    term.known.set(vocabulary, share);
  }
  return share;
}

function lookFor({ word, stem }: Term, { stems, words, alike, negated }: Vocabulary): number {
  if (stem === "") return words.includes(word) ? 1 : 0;
  if (stems.has(stem)) return negated.has(stem) ? NEGATED : 1;
  for (const other of relatedStems(stem)) if (stems.has(other)) return negated.has(other) ? NEGATED : SYNONYM;
  if (stem.length < 4) return 0;
  let best = 0;
  for (const other of alike) {
    let same = 0;
    while (same < stem.length && stem[same] === other.stem[same]) same++;
    const shorter = Math.min(stem.length, other.stem.length);
    const longer = Math.max(stem.length, other.stem.length);
    // Forms that the stemmer keeps apart: «выставили» and «выставляем», «индукция» and «индукционной».
    if (same >= 5 && same >= shorter - 1 && longer - same <= 4) {
      const ending = (stem.length > other.stem.length ? stem : other.stem).slice(same);
      best = Math.max(best, /^(?:н|ск|ов)/.test(ending) ? AKIN : SYNONYM);
    } else if (same >= 4 && same === shorter && longer - same <= 2) best = Math.max(best, SYNONYM);
    else if (stem.length >= 5 && other.stem.length >= 4 && isNear(stem, other.stem)) best = Math.max(best, SLIP);
    else if (word.length >= 5 && isNear(word, other.word)) best = Math.max(best, SLIP);
  }
  return best;
}
