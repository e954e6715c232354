/** Whole messages of the owner that say nothing but a set phrase: they may be said again to anybody, down to the last bracket. */

import { isDeferral } from "#server/language/deferral.ts";
import type { FoundPhrase, PhraseKind } from "#server/language/lexicon.ts";

export const SAYING_KINDS = ["greeting", "farewell", "welcome", "acknowledgement", "unsure", "deferral"] as const;
export type SayingKind = (typeof SAYING_KINDS)[number];

const MOST_WORDS = 6;
/** It asks, names a number, a person or an address, goes on in the next line, or breaks off. */
const TELLS = /[?\d@\n]|:\/\/|[,:;–—-]\s*$/u;
/** What may stand beside the phrase without telling anything. */
const LIGHT = new Set(
  `ну а и же ж вот да то тут там ой ох ах эх о хм хмм мм ммм эм вам вас тебе тебя всем все всего очень большое тогда пока еще раз уж уже я так
  oh ah ahh ok then there all the very well so hm hmm heh hah to you i a`.split(/\s+/),
);
/** Assent that takes note and promises nothing. */
const NOTED = new Set("ок окей океюшки оки хорошо ладно ладненько лады ok okay alright k".split(" "));
const BESIDE = new Set<PhraseKind>(["filler", "colloquial"]);
const isKind = (kind: PhraseKind): kind is PhraseKind & SayingKind =>
  (SAYING_KINDS as readonly string[]).includes(kind);

/** What such a message does in a talk; null for whatever says more, asks, or does two things. */
export function sayingKind(text: string, words: readonly string[], phrases: readonly FoundPhrase[]): SayingKind | null {
  if (words.length === 0 || words.length > MOST_WORDS || TELLS.test(text)) return null;
  if (isDeferral(words)) return "deferral";
  const kinds = new Set<SayingKind>();
  const covered = new Set<number>();
  for (const { kind, text: phrase, at, length } of phrases) {
    const counted = kind === "agreement" && NOTED.has(phrase) ? "acknowledgement" : kind;
    if (isKind(counted)) kinds.add(counted);
    else if (!BESIDE.has(counted)) continue;
    for (let word = at; word < at + length; word++) covered.add(word);
  }
  const [kind, another] = kinds;
  if (kind === undefined || another !== undefined) return null;
  return words.every((word, at) => covered.has(at) || LIGHT.has(word)) ? kind : null;
}
