/** Recognises what a message does besides telling something: it apologises, refuses, or asks for a lower price. */
import { placesOf } from "#server/knowledge/language/words/lexicon.ts";

const phrases = (text: string) => text.split(",").map((phrase) => phrase.trim().split(/\s+/));

const ACTS = {
  apology: phrases(
    `прошу прощения, приношу извинения, приносим извинения, прошу извинить, извини, извините, извиняюсь, прости, простите, сорри, сори, пардон, каюсь,
    мне жаль, мне очень жаль, sorry, my bad, my apologies, apologies`,
  ),
  refusal: phrases(
    `к сожалению, увы, не получится, не выйдет, не смогу, не сможем, не возьмусь, не беремся, нет возможности, вынужден отказать, вынуждена отказать,
    вынуждены отказать, никак не могу, unfortunately, i'm afraid, won't be able`,
  ),
};
export type SocialAct = keyof typeof ACTS;

type ByFirstWord = ReadonlyMap<string, string[][]>;
const byFirstWord = (act: SocialAct): ByFirstWord => Map.groupBy(ACTS[act], ([first]) => first!);
const PHRASES: Record<SocialAct, ByFirstWord> = { apology: byFirstWord("apology"), refusal: byFirstWord("refusal") };

/**
 * Returns the phrase by which the message does this, in lower case; null if it does not. A question asks, and does not.
 * @param words of the text, as `wordsOf` returns them
 */
export function actPhrase(act: SocialAct, text: string, words: readonly string[]): string | null {
  for (const [at, word] of words.entries()) {
    const phrase = PHRASES[act].get(word)?.find((one) => one.every((each, next) => words[at + next] === each));
    if (phrase !== undefined && !placesOf(text).gaps[at + phrase.length]!.includes("?")) return phrase.join(" ");
  }
  return null;
}

const HAGGLES =
  /(?<!\p{L})(?:скидк|скидоч|дешевле|подешевле|уступ(?:ите|ишь|и|ка|ку)(?!\p{L})|торг(?:а|уместен)?(?!\p{L})|поторг|сбавь|сбавите|сбросите|скин(?:ете|ешь|ьте) (?:цену|немного|чуть|сколько|пару)|discount|cheaper|better price)/iu;

/** Whether a message asks for a lower price. */
export const haggles = (text: string): boolean => HAGGLES.test(text.slice(0, 600));
