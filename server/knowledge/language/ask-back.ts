/** Questions about the asker's own order or case («где мой заказ?»): no document knows its state, but the twin can ask for its number. */
import { stemOf } from "./words/analyze.ts";
import { wordsOf } from "./words/lexicon.ts";
import { relatedStems } from "./words/synonyms.ts";

const OWN = /(?<!\p{L})(?:мо[йяеёи]|моего|моей|моему|моим|мою|наш|наша|наше|наши|нашего|нашей|нашу)\s+(\p{L}{3,})/iu;
const STATE =
  /(?<!\p{L})(?:где|куда|когда|как\s+там|что\s+с|чт[оё]\s+там|статус\p{L}*|судьб\p{L}+|дош[её]л\p{L}*|пришл?[её]?л?\p{L}*|отправил\p{L}*|готов\p{L}*|при[еш]\p{L}+)(?!\p{L})/iu;

/** Returns the asker's own thing whose state the message asks for; null for other messages and when the number is already given. */
export function ownThing(message: string): string | null {
  if (/\d{3,}/.test(message) || !STATE.test(message)) return null;
  return OWN.exec(message)?.[1]?.toLowerCase() ?? null;
}

/** Returns the texts' own name for the number of this thing or a synonym («номер заказа»); null when they mention none. */
export function numberOf(thing: string, texts: readonly string[]): string | null {
  const stem = stemOf(thing);
  const called = new Set([stem, ...relatedStems(stem)]);
  for (const text of texts) {
    for (const [, word] of text.matchAll(/(?<!\p{L})номер(?:а|у|ом)?\s+(\p{L}{3,})/giu)) {
      const plain = wordsOf(word!)[0]!;
      if (called.has(stemOf(plain))) return `номер ${plain}`;
    }
  }
  return null;
}
