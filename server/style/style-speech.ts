import type { StyleProfile } from "#contract/quality.ts";
import { addressIn } from "#server/language/address.ts";
import {
  type FoundPhrase,
  FUNCTION_WORDS,
  findPhrases,
  OPENERS,
  type PhraseKind,
  wordsOf,
} from "#server/language/lexicon.ts";
import { mends, misspellingsIn } from "./misspellings.ts";
import { SAYING_KINDS, type SayingKind, sayingKind } from "./sayings.ts";
import { Distribution, type ExampleShelf, ratioOrNull, Tally } from "./style-counters.ts";

/** Words of grammar from which on a message shows how the owner joins words. */
const TELLING_WORDS = 3;

/** What the words say. */
export class Speech {
  readonly kinds: Record<PhraseKind, Tally> = {
    greeting: new Tally(),
    farewell: new Tally(),
    thanks: new Tally(),
    welcome: new Tally(),
    howAreYou: new Tally(),
    wellbeing: new Tally(),
    acknowledgement: new Tally(),
    agreement: new Tally(),
    unsure: new Tally(),
    filler: new Tally(),
    colloquial: new Tally(),
  };
  readonly sayings = Object.fromEntries(SAYING_KINDS.map((kind) => [kind, new Tally()])) as Record<SayingKind, Tally>;
  readonly counts = Object.fromEntries(Object.keys(this.kinds).map((kind) => [kind, 0])) as Record<PhraseKind, number>;
  readonly openers = new Tally();
  readonly functionWords = new Tally();
  readonly lengths = new Distribution();
  readonly misspelt = new Tally();
  misspellings = 0;
  mended = 0;
  words = 0;
  openings = 0;
  #familiar = 0;
  #polite = 0;
  #addressed = 0;

  /** Whether the text opens with a greeting, and whether it ends with a farewell. */
  add(text: string, examples: ExampleShelf): { greets: boolean; parts: boolean } {
    const words = wordsOf(text);
    this.words += words.length;
    this.lengths.add(words.length);
    const met = new Set<PhraseKind>();
    const phrases = findPhrases(words);
    const saying = sayingKind(text, words, phrases);
    if (saying !== null) this.sayings[saying].add(text);
    for (const phrase of phrases) {
      if (!counts(phrase, words.length)) continue;
      this.kinds[phrase.kind].add(phrase.text);
      met.add(phrase.kind);
    }
    for (const kind of met) {
      this.counts[kind]++;
      examples.offer(kind, text);
    }
    if (words.length > 1 && OPENERS.has(words[0]!)) {
      this.openings++;
      this.openers.add(words[0]!);
      examples.offer("opener", text);
    }
    const ofGrammar = words.filter((word) => FUNCTION_WORDS.has(word));
    for (const word of ofGrammar) this.functionWords.add(word);
    if (ofGrammar.length >= TELLING_WORDS) examples.offer("functionWords", text);
    this.#addTypos(text, words, examples);
    this.#addAddress(text, words, examples);
    return { greets: met.has("greeting"), parts: met.has("farewell") };
  }

  /** As `Tally.ofOnePerson`. */
  ofOnePerson(): void {
    for (const tally of [...Object.values(this.kinds), ...Object.values(this.sayings), this.openers, this.misspelt])
      tally.ofOnePerson();
  }

  join(other: Speech): void {
    for (const kind of Object.keys(this.kinds) as PhraseKind[]) {
      this.kinds[kind].join(other.kinds[kind]);
      this.counts[kind] += other.counts[kind];
    }
    for (const kind of SAYING_KINDS) this.sayings[kind].join(other.sayings[kind]);
    this.openers.join(other.openers);
    this.functionWords.join(other.functionWords);
    this.lengths.join(other.lengths);
    this.misspelt.join(other.misspelt);
    this.misspellings += other.misspellings;
    this.mended += other.mended;
    this.words += other.words;
    this.openings += other.openings;
    this.#familiar += other.#familiar;
    this.#polite += other.#polite;
    this.#addressed += other.#addressed;
  }

  #addTypos(text: string, words: string[], examples: ExampleShelf): void {
    const misspelt = misspellingsIn(text, words);
    for (const word of misspelt) this.misspelt.add(word);
    if (misspelt.length > 0) {
      this.misspellings++;
      examples.offer("typos", text);
    }
    if (mends(text)) {
      this.mended++;
      examples.offer("mended", text);
    }
  }

  #addAddress(text: string, words: string[], examples: ExampleShelf): void {
    const { familiar, polite } = addressIn(words);
    if (!familiar && !polite) return;
    this.#addressed++;
    if (familiar) {
      this.#familiar++;
      examples.offer("familiar", text);
    }
    if (polite) {
      this.#polite++;
      examples.offer("polite", text);
    }
  }

  address(examples: ExampleShelf): StyleProfile["address"] {
    const familiar = ratioOrNull(this.#familiar, this.#familiar + this.#polite);
    const prefers = familiar === null ? null : familiar >= 0.8 ? "ты" : familiar <= 0.2 ? "вы" : "mixed";
    const shown = { familiar: examples.of("familiar"), polite: examples.of("polite") };
    return { addressed: this.#addressed, familiar, prefers, examples: shown };
  }
}

/** Inside a longer text «хорошо» is no answer and «пока» no farewell: set phrases count at the edges only. */
function counts(phrase: FoundPhrase, words: number): boolean {
  const atStart = phrase.at <= 1;
  const atEnd = phrase.at + phrase.length >= words - 1;
  if (phrase.kind === "filler" || phrase.kind === "colloquial") return true;
  if (phrase.kind === "greeting") return atStart;
  if (phrase.kind === "farewell") return atEnd && (words <= 6 || phrase.length > 1);
  return (atStart || atEnd) && words <= phrase.length + 4;
}
