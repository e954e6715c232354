/** Finds messages of the owner that consist of a set phrase only, so that they may be repeated to any contact unchanged. */

import { isDeferral } from "#server/knowledge/language/deferral.ts";
import type { FoundPhrase, PhraseKind } from "#server/knowledge/language/words/lexicon.ts";

export const SET_PHRASE_KINDS = ["greeting", "farewell", "welcome", "acknowledgement", "unsure", "deferral"] as const;
export type SetPhraseKind = (typeof SET_PHRASE_KINDS)[number];

const MAX_WORDS = 6;
/** Signs of more than a set phrase: a question, number, name, address, line break, ellipsis or bot command. */
const TELLS = /[?\d@\n]|:\/\/|[,:;–—-]\s*$|^[!/]\p{L}/u;
/** Words that may accompany a phrase without stating anything. */
export const ACCOMPANYING_WORDS: ReadonlySet<string> = new Set(
  `ну а и же ж вот да то тут там ой ох ах эх о хм хмм мм ммм эм вам вас тебе тебя всем все всего очень большое тогда пока еще раз уж уже я так
  oh ah ahh ok then there all the very well so hm hmm heh hah to you i a`.split(/\s+/),
);
/** Words of assent that acknowledge and promise nothing. */
const NOTED = new Set("ок окей океюшки оки хорошо ладно ладненько лады ok okay alright k".split(" "));
const BESIDE = new Set<PhraseKind>(["filler", "colloquial"]);
const isKind = (kind: PhraseKind): kind is PhraseKind & SetPhraseKind =>
  (SET_PHRASE_KINDS as readonly string[]).includes(kind);

/** Kinds whose words have other meanings too; they count only at the right position. */
const BY_PLACE = new Set<PhraseKind>(["greeting", "farewell"]);

/**
 * Returns the kind of set phrase that the message consists of; null if it says more, asks something or has two functions.
 * @param found all phrases in the text, and those at the right position
 */
export function setPhraseKind(
  text: string,
  words: readonly string[],
  found: { phrases: readonly FoundPhrase[]; counted: readonly FoundPhrase[] },
): SetPhraseKind | null {
  if (words.length === 0 || words.length > MAX_WORDS || TELLS.test(text)) return null;
  if (isDeferral(words)) return "deferral";
  const kinds = new Set<SetPhraseKind>();
  const covered = new Set<number>();
  for (const one of found.phrases) {
    const { kind, text: phrase, at, length } = one;
    if (BY_PLACE.has(kind) && !found.counted.includes(one)) continue;
    const counted = kind === "agreement" && NOTED.has(phrase) ? "acknowledgement" : kind;
    if (isKind(counted)) kinds.add(counted);
    else if (!BESIDE.has(counted)) continue;
    for (let word = at; word < at + length; word++) covered.add(word);
  }
  const [kind, another] = kinds;
  if (kind === undefined || another !== undefined) return null;
  return words.every((word, at) => covered.has(at) || ACCOMPANYING_WORDS.has(word)) ? kind : null;
}
