/** Finds the replaceable parts of a short question: places, times, the people concerned, and nouns. */

import { FUNCTION_WORDS } from "../words/lexicon.ts";
import { isTypeWord } from "./answer-type.ts";
import { contentWords } from "./question-parts.ts";

/** where: «в Казань», «на Северной»; when: «зимой», «в субботу»; whom: «для детей», «с подростками», «без записи». */
export type PhraseKind = "where" | "when" | "whom";

interface Phrase {
  kind: PhraseKind;
  start: number;
  end: number;
}

interface QuestionPhrases {
  bound: Phrase[];
  /** Content words outside these phrases that are no verbs, as written. */
  things: string[];
  predicate: boolean;
}

const TIME = String.raw`(?:понедельник|вторник|сред[ауые]|четверг|пятниц|суббот|воскресень|будн|выходн|праздник|январ|феврал|март|апрел|ма[йяе](?!\p{L})|июн|июл|август|сентябр|октябр|ноябр|декабр|зим|весн|лет(?:о|ом|а)(?!\p{L})|осен|утр|днем|днём|вечер|ноч|сегодня|завтра|послезавтра|неделе|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow)\p{L}*`;
const WORD = String.raw`[«"„]?\p{L}[\p{L}\p{N}-]*[»"“]?`;
const WHEN = new RegExp(String.raw`(?<!\p{L})(?:(?:в|во|на|по|с|до|к|on|in)\s+)?(?:\d{1,2}\s+)?${TIME}`, "giu");
/** A preposition with one word, or with two of which the first is an adjective. */
const ADJECTIVE = String.raw`\p{L}+(?:ый|ий|ой|ая|яя|ое|ее|ую|юю|ого|его|ому|ему|ом|ем|ым|им|ых|их|ые|ие)\s+`;
const WHERE = new RegExp(
  String.raw`(?<!\p{L})(?:в|во|на|до|из|по|за|у|от|к|через|to|in|at|from)\s+(?:${ADJECTIVE})?${WORD}`,
  "giu",
);
const WHOM = new RegExp(String.raw`(?<!\p{L})(?:для|со?|без|при|for|with|without)\s+(?:${ADJECTIVE})?${WORD}`, "giu");
const VERB = /(?:[аеиуюя]т|[еи]шь|[еи]те|[аиоуыя]ть|ться|тся|[аеиуыя]л[аио]?|лся|лись|лась|ешься|[еи]м)$/u;
const PREDICATES = new Set(
  "есть можно нельзя нужно надо нужен нужна нужны бывает бывают будет будут возможно возможен дадите сделаете is are can do does".split(
    " ",
  ),
);

export function phrasesOf(text: string): QuestionPhrases {
  const bound: Phrase[] = [];
  const take = (kind: PhraseKind, pattern: RegExp) => {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      // An apparent adjective may itself be the place: «на набережной так же».
      const shorter = found.replace(/(?<!\s)\s+\S+$/u, "");
      const phrase = !asks(found) ? found : /\s/.test(shorter) && !asks(shorter) ? shorter : null;
      if (phrase === null) continue;
      const end = index + phrase.length;
      if (!bound.some((one) => index < one.end && end > one.start)) bound.push({ kind, start: index, end });
    }
  };
  take("when", WHEN);
  take("whom", WHOM);
  take("where", WHERE);
  bound.sort((one, other) => one.start - other.start);
  let outside = text;
  for (const { start, end } of [...bound].reverse()) outside = `${outside.slice(0, start)} ${outside.slice(end)}`;
  const words = contentWords(outside);
  const verbs = words.filter(isVerb);
  const plain = outside.toLowerCase().match(/\p{L}+/gu) ?? [];
  return {
    bound,
    things: words.filter((word) => !isVerb(word) && !isTypeWord(word)),
    predicate: verbs.length > 0 || plain.some((word) => PREDICATES.has(word) || isTypeWord(word)),
  };
}

/** A question word is no place: «в какое время», «до скольки». */
const asks = (phrase: string) => {
  const word = phrase.toLowerCase().split(/\s+/).at(-1)!;
  return /^(?:ск[оа]л|как[ойиеу]|каком|чего|чем|кого|кому|что|час|какой|врем)/u.test(word) || FUNCTION_WORDS.has(word);
};

export const isVerb = (word: string) => word.length > 3 && VERB.test(word);
