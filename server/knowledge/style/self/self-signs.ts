import type { StyleProfile } from "#contract/quality.ts";
import { speakerGender } from "#server/knowledge/language/speaker-gender.ts";
import type { FoundPhrase } from "#server/knowledge/language/words/lexicon.ts";
import type { Occasion } from "../counted-phrases.ts";
import { type RecentExamples, Tally } from "../style-counters.ts";
import { signatureOf } from "./signature.ts";
import { actPhrase } from "./social-acts.ts";
import { writtenLanguage } from "./written-language.ts";

export interface ReadWords {
  words: string[];
  phrases: FoundPhrase[];
}

type OwnSigns = NonNullable<StyleProfile["self"]>;
type ActName = keyof OwnSigns["acts"];

/** Longer answers to a haggling customer are about his order, so their words do not recur. */
const SHORT_WORDS = 6;
const SHOWN = 4;

/** Counts what the owner's messages say of himself, and how he thanks, apologises, refuses and haggles. */
export class SelfSigns {
  readonly #genders = new Tally();
  readonly #signatures = new Tally();
  readonly #languages = new Tally();
  readonly #acts: Record<ActName, Tally> = {
    thanks: new Tally(),
    apology: new Tally(),
    refusal: new Tally(),
    haggling: new Tally(),
  };
  readonly #counts: Record<ActName, number> = { thanks: 0, apology: 0, refusal: 0, haggling: 0 };

  /** @param read words and set phrases of the text */
  add(text: string, read: ReadWords, occasion: Occasion, examples: RecentExamples): void {
    const gender = speakerGender(text);
    if (gender !== null) {
      this.#genders.add(gender);
      examples.offer(gender, text);
    }
    const signature = signatureOf(text);
    if (signature !== null) this.#signatures.add(signature);
    const language = writtenLanguage(read.words);
    if (language !== null) this.#languages.add(language);
    for (const [act, phrase] of actsIn(text, read, occasion)) {
      this.#counts[act]++;
      if (phrase !== null) this.#acts[act].add(phrase);
      examples.offer(act === "thanks" ? "thanking" : act, text);
    }
  }

  /** Adds words that were heard in a recording; the recogniser breaks no lines, so they are never signed. */
  addSaid(text: string): void {
    const gender = speakerGender(text);
    if (gender !== null) this.#genders.add(gender);
  }

  ofOnePerson(): void {
    for (const tally of this.#tallies()) tally.ofOnePerson();
  }

  join(other: SelfSigns): void {
    this.#genders.join(other.#genders);
    this.#signatures.join(other.#signatures);
    this.#languages.join(other.#languages);
    for (const act of Object.keys(this.#acts) as ActName[]) {
      this.#acts[act].join(other.#acts[act]);
      this.#counts[act] += other.#counts[act];
    }
  }

  result(examples: RecentExamples): OwnSigns {
    const act = (name: ActName) => ({
      count: this.#counts[name],
      top: this.#acts[name].top(SHOWN),
      examples: examples.of(name === "thanks" ? "thanking" : name),
    });
    return {
      gender: {
        signs: this.#genders.top(2),
        examples: { female: examples.of("female"), male: examples.of("male") },
      },
      signatures: this.#signatures.top(SHOWN),
      languages: this.#languages.top(SHOWN),
      acts: { thanks: act("thanks"), apology: act("apology"), refusal: act("refusal"), haggling: act("haggling") },
    };
  }

  #tallies(): Tally[] {
    return [this.#genders, this.#signatures, this.#languages, ...Object.values(this.#acts)];
  }
}

function actsIn(
  text: string,
  { words, phrases }: ReadWords,
  { haggled = false, follows }: Occasion,
): [act: ActName, phrase: string | null][] {
  const acts: [ActName, string | null][] = [];
  const thanks = phrases.find(({ kind }) => kind === "thanks");
  if (thanks !== undefined) acts.push(["thanks", thanks.text]);
  for (const act of ["apology", "refusal"] as const) {
    const phrase = actPhrase(act, text, words);
    if (phrase !== null) acts.push([act, phrase]);
  }
  // A greeting alone precedes the answer.
  const answers = !phrases.some(({ kind }) => kind === "greeting") || words.length > SHORT_WORDS;
  if (haggled && !follows && answers) acts.push(["haggling", words.length <= SHORT_WORDS ? words.join(" ") : null]);
  return acts;
}
