/** Recognises that a model does not answer: by the mark that the prompt requires, by words of ignorance, or by a trained refusal. */
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

/** Spellings of `NO_ANSWER` (prompt/prompt-rules.ts) by models. */
const MARK = /(?<!\p{L})(?:НЕТ[ _]{1,2}ДАНН?ЫХ|NO[ _]DATA)(?!\p{L})/u;
/** Small models misspell the mark; without underscore and capitals it would be ordinary speech. */
const MISSPELT_MARK = /(?<!\p{L})(?:нет_{1,2}данн?ых|no_data)(?!\p{L})/iu;

export const isNoAnswer = (sentence: string): boolean => MARK.test(sentence) || MISSPELT_MARK.test(sentence);

/** The model mentions that it is a machine or refuses as trained; no twin talks like that. */
const MACHINE =
  /(?<!\p{L})(?:языков\p{L}{1,4}\s{1,3}модел|(?:large\s{1,3})?language\s{1,3}model|я\s{1,3}(?:всего\s{1,3}лишь\s{1,3})?(?:искусственный\s{1,3}интеллект|виртуальный|нейросеть|чат-бот|ассистент|модель)|(?:как|as)\s{1,3}(?:an?\s{1,3})?(?:ии|ai|искусственный\s{1,3}интеллект|виртуальный\s{1,3}помощник)(?!-)|мо(?:и|их|ей)\s{1,3}(?:обучающ|тренировочн|знани)|my\s{1,3}training)/iu;
const DECLINES =
  /(?<!\p{L})(?:(?:я\s{1,3})?не\s{1,3}(?:могу|имею\s{1,3}(?:возможности|права)|в\s{1,3}состоянии|способ(?:ен|на))\s{1,3}(?:\p{L}{1,20}\s{1,3}){0,3}(?:помочь|ответить|предоставить|выполнить|обсуждать|продолжить|дать|поделиться|сказать|подсказать)|(?:i\s{1,3})?(?:can(?:'t|not|\s{1,3}not)|am\s{1,3}(?:unable|not\s{1,3}able))\s{1,3}(?:to\s{1,3})?(?:help|assist|provide|answer|comply|discuss|tell))/iu;

export const isMachineTalk = (sentence: string): boolean => MACHINE.test(sentence.replaceAll("’", "'"));
export const declines = (sentence: string): boolean => DECLINES.test(sentence.replaceAll("’", "'"));

const LACKS =
  /(?<!\p{L})(?:нет\s{1,3}(?:(?:такой|этой|таких|этих|точной|точных|никакой|никаких)\s{1,3})?(?:информаци|данных|сведени)|не\s{1,3}(?:указан|сказано|упомян|содерж|располага|наш(?:ел|ёл|ла|лось|ли)|наход)|(?:have|had)\s{1,3}no\s{1,3}(?:such\s{1,3})?(?:information|data)|don't\s{1,3}have\s{1,3}(?:that|this|any|the)\s{1,3}information|not\s{1,3}(?:specified|mentioned|stated))/iu;

/** Whether the sentence says «не знаю», «данных нет», «в документах не указано». */
export function admitsUnknown(sentence: string): boolean {
  const plain = sentence.replaceAll("’", "'");
  return LACKS.test(plain) || findPhrases(wordsOf(plain)).some(({ kind }) => kind === "unsure");
}
