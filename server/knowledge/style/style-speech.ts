import type { StyleProfile } from "#contract/quality.ts";
import { addressIn } from "#server/knowledge/language/address.ts";
import {
  FUNCTION_WORDS,
  findPhrases,
  OPENERS,
  type PhraseKind,
  wordsOf,
} from "#server/knowledge/language/words/lexicon.ts";
import { countedPhrases, type Occasion } from "./counted-phrases.ts";
import { isSelfCorrection, misspellingsIn } from "./misspellings.ts";
import type { ReadWords } from "./self/self-signs.ts";
import { SET_PHRASE_KINDS, type SetPhraseKind, setPhraseKind } from "./set-phrases.ts";
import { Distribution, type RecentExamples, ratioOrNull, Tally } from "./style-counters.ts";

/** Minimum number of function words in a message that shows how the owner connects words. */
const TELLING_WORDS = 3;

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
  readonly setPhrases = Object.fromEntries(SET_PHRASE_KINDS.map((kind) => [kind, new Tally()])) as Record<
    SetPhraseKind,
    Tally
  >;
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

  /** Adds words and phrases of a spoken message. Spelling and length depend on the recogniser, and it is no example of writing. */
  addSaid(text: string, occasion: Occasion): void {
    const words = wordsOf(text);
    this.words += words.length;
    const counted = countedPhrases(text, { words, phrases: findPhrases(words) }, occasion);
    for (const { phrase } of counted) this.kinds[phrase.kind].add(phrase.text);
    for (const kind of new Set(counted.map(({ phrase }) => phrase.kind))) this.counts[kind]++;
    this.#countOpener(words);
    for (const word of words) if (FUNCTION_WORDS.has(word)) this.functionWords.add(word);
    this.#countAddress(words);
  }

  /**
   * Returns whether the text opens with a greeting, and whether it ends with a farewell.
   * @param read words and set phrases of the text
   */
  add(
    text: string,
    { words, phrases }: ReadWords,
    occasion: Occasion,
    examples: RecentExamples,
  ): { greets: boolean; parts: boolean } {
    this.words += words.length;
    this.lengths.add(words.length);
    const met = new Set<PhraseKind>();
    const counted = countedPhrases(text, { words, phrases }, occasion);
    const setPhrase = setPhraseKind(text, words, { phrases, counted: counted.map(({ phrase }) => phrase) });
    if (setPhrase !== null) this.setPhrases[setPhrase].add(text);
    for (const { phrase, spelt } of counted) {
      // Colloquial phrases are counted as spelt; other phrases in the list's form, by which they are looked up.
      this.kinds[phrase.kind].add(phrase.kind === "colloquial" ? spelt : phrase.text);
      met.add(phrase.kind);
    }
    for (const kind of met) {
      this.counts[kind]++;
      examples.offer(kind, text);
    }
    if (this.#countOpener(words)) examples.offer("opener", text);
    const ofGrammar = words.filter((word) => FUNCTION_WORDS.has(word));
    for (const word of ofGrammar) this.functionWords.add(word);
    if (ofGrammar.length >= TELLING_WORDS) examples.offer("functionWords", text);
    this.#addTypos(text, words, occasion, examples);
    this.#addAddress(text, words, examples);
    return { greets: met.has("greeting"), parts: met.has("farewell") };
  }

  ofOnePerson(): void {
    for (const tally of [...Object.values(this.kinds), ...Object.values(this.setPhrases), this.openers, this.misspelt])
      tally.ofOnePerson();
  }

  join(other: Speech): void {
    for (const kind of Object.keys(this.kinds) as PhraseKind[]) {
      this.kinds[kind].join(other.kinds[kind]);
      this.counts[kind] += other.counts[kind];
    }
    for (const kind of SET_PHRASE_KINDS) this.setPhrases[kind].join(other.setPhrases[kind]);
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

  #addTypos(text: string, words: string[], { follows }: Occasion, examples: RecentExamples): void {
    const misspelt = misspellingsIn(text, words);
    for (const word of misspelt) this.misspelt.add(word);
    if (misspelt.length > 0) {
      this.misspellings++;
      examples.offer("typos", text);
    }
    if (follows && isSelfCorrection(text)) {
      this.mended++;
      examples.offer("mended", text);
    }
  }

  #addAddress(text: string, words: string[], examples: RecentExamples): void {
    const { familiar, polite } = this.#countAddress(words);
    if (familiar) examples.offer("familiar", text);
    if (polite) examples.offer("polite", text);
  }

  #countAddress(words: string[]): { familiar: boolean; polite: boolean } {
    const { familiar, polite } = addressIn(words);
    if (familiar || polite) this.#addressed++;
    if (familiar) this.#familiar++;
    if (polite) this.#polite++;
    return { familiar, polite };
  }

  #countOpener(words: string[]): boolean {
    const opens = words.length > 1 && OPENERS.has(words[0]!);
    if (opens) {
      this.openings++;
      this.openers.add(words[0]!);
    }
    return opens;
  }

  address(examples: RecentExamples): StyleProfile["address"] {
    const familiar = ratioOrNull(this.#familiar, this.#familiar + this.#polite);
    const prefers = familiar === null ? null : familiar >= 0.8 ? "ты" : familiar <= 0.2 ? "вы" : "mixed";
    const shown = { familiar: examples.of("familiar"), polite: examples.of("polite") };
    return { addressed: this.#addressed, familiar, prefers, examples: shown };
  }
}
