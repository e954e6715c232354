import { findPhrases, wordsOf } from "#server/language/lexicon.ts";

const CANNOT =
  /(?<!\p{L})(?:нет\s+(?:такой\s+|этой\s+|никакой\s+)?(?:информации|данных|сведений)|не\s+могу\s+(?:ответить|подсказать|сказать)|не\s+наш(?:ел|ла|лось)|не\s+располагаю|no\s+information|can(?:'t|not)\s+(?:answer|tell|help))(?!\p{L})/iu;

/** Whether a reply says that it does not know: then it is worth less than its sources promised. */
export function saysUnknown(reply: string): boolean {
  const words = wordsOf(reply);
  if (words.length > 40) return false;
  return CANNOT.test(reply) || findPhrases(words).some((phrase) => phrase.kind === "unsure");
}
