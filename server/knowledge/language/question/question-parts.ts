/** Splits a message into its questions: «адрес и до скольки открыты?» asks two, and each is answered. */

import { smallTalkOf } from "../small-talk.ts";
import { stemOf } from "../words/analyze.ts";
import { FUNCTION_WORDS, wordsOf } from "../words/lexicon.ts";
import { tradeWordsOf } from "../words/trade-words.ts";
import { type AnswerType, askedTypes, isTypeWord } from "./answer-type.ts";

/** The earlier turns that a message depends on (`followUpOf`). */
export interface FollowUp {
  /** The previous question, verbatim. */
  asked: string;
  /** The previous question without the words that this message replaces. */
  question: string;
  /** The twin's answer since, without the words that this message replaces. */
  answer: string;
  /**
   * bare: names a thing or place without a predicate, so the rest of the previous question is repeated. silent: names nothing of its own.
   * own: has its own subject.
   */
  form: "bare" | "silent" | "own";
  /** Whether the message names a thing in place of the earlier question's thing. */
  replacesThing: boolean;
}

export interface QuestionPart {
  text: string;
  /** Content words with weights: 1 for the question's subject, less for the words around it. */
  terms: { word: string; weight: number; exact: boolean }[];
  types: AnswerType[];
  counted: string | null;
  /** Content words of what the message tells before it asks. */
  told: readonly string[];
  /** Whether it is a mere thing after an earlier question, «а минимум?», which may replace that question's thing or belong to it. */
  namesOnlyThing: boolean;
}

const ASKING = String.raw`(?:(?:во|до|со?|к|за|на|по|в|из|от|у|о|об|для|через)\s+)?(?:сколько|скольки|скольких|скока|где|куда|откуда|когда|почем|почём|какой|какая|какое|какие|какую|каком|каких|какого|кто|кого|кому|как|что|чем|почему|можно|есть\s+ли|ск[оа]ка)`;
/** Joins between two questions: «адрес и до скольки открыты?». */
const JOINT = String.raw`(?<![\s,])[\s,]+(?:и|а|или|плюс|and)\s+(?=${ASKING}(?!\p{L}))|,\s*(?=(?:(?:во|до|за|на|по)\s+)?(?:сколько|скока|почем|почём|где|куда|какой срок|какая цена)(?!\p{L}))`;
const JOINTS = new RegExp(JOINT, "iu");
const CUTS = new RegExp(String.raw`(?<=[?!.…\n])\s+|${JOINT}`, "iu");
const BEGINS = new RegExp(
  String.raw`^(?:(?:подскажите|подскажи|скажите|скажи|а|и|ну|пожалуйста)[\s,]+)*${ASKING}(?!\p{L})`,
  "iu",
);
const POLITE = new Set(
  wordsOf(`подскажи подскажите подскажете скажете скажи скажите пожалуйста пожалуста пжл плиз пж расскажи расскажите уточни уточните напомни напомните интересует интересуют интересно узнать
  хочу хотел хотела хотели хотелось бы хотим нужно нужен нужна нужны надо дай дайте вопрос вопросик такой помогите помоги посоветуй посоветуете посоветуйте будьте добры здравствуйте привет добрый
  день вечер утро слушай слушайте кстати короче ну вот а и еще вообще там тут у вас вам тебя тебе твой твоя твое твои твоего твоей твоему твоим твоем твою твоих ваш ваша ваше ваши вашего вашей вашему вашим вашем вашу ваших мой моя мое мои моего моей моему моим моем мою моих сам сама сами самому самой самим че чо шо чё есть ли можно ли можете можешь могу
  будет будут это этот эта если возьму взять беру хочешь please tell me`),
);
/** Verbs and nouns that connect a question and name no subject. */
const WEAK = new Set(
  wordsOf(
    "делать сделать быть бывает бывают получить получится стать давать даете даёте даешь дадите дать брать взять называется получается оформить оформлять оформляется способ способы способами вариант варианты",
  ),
);
/** Verbs of «сколько она идёт?»: a sentence that holds a duration need not repeat them. */
const LASTS = new Set(wordsOf("идет идёт занимает займет займёт длится"));
/** The place that restricts the answer: «в Питер», «по Москве». */
const WHERE = /(?<=(?<!\p{L})(?:в|во|на|по|до|из|под|для|при)\s)\p{L}{3,}/giu;
const POINTING = /(?<!\p{L})(?:он|она|оно|они|его|ее|её|их|ему|ей|им)(?!\p{L})/iu;
const COUNTED = /(?<!\p{L})(?:сколько|скока|скольких)\s+(\p{L}{4,})/u;
const AROUND = 0.45;
/** Weights of words from the previous question and answer, by how complete the message is on its own. */
const CARRIED: Record<FollowUp["form"], { question: number; answer: number }> = {
  bare: { question: 0.8, answer: 0.2 },
  silent: { question: 1, answer: 0.3 },
  own: { question: 0.35, answer: 0.1 },
};

/** @param before the turns that this message depends on */
export function questionParts(message: string, before: FollowUp | null): QuestionPart[] {
  const pieces = message
    .split(CUTS)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "" && /[\p{L}\p{N}]/u.test(piece) && smallTalkOf(piece) === null);
  const earlier = before === null ? [] : contentWords(before.question);
  const answered = before === null ? [] : contentWords(before.answer).filter((word) => !/\d/.test(word));
  const asked = new Map(pieces.map((piece) => [piece, askedTypes(correctSpelling(piece))]));
  const asking = pieces.filter((piece) => asked.get(piece)!.length > 0 || piece.includes("?") || BEGINS.test(piece));
  const chosen = asking.length > 0 ? asking : pieces.slice(0, 1);
  return chosen.slice(0, 3).map((piece) => {
    const right = correctSpelling(piece);
    const own = contentWords(piece);
    const around = pieces.filter((other) => other !== piece).flatMap(contentWords);
    const asksHowLong = asked.get(piece)!.includes("duration");
    const namesType = (word: string) => isTypeWord(word) || (asksHowLong && LASTS.has(word));
    const strong = own.filter((word) => !namesType(word) && !WEAK.has(word));
    // A question without its own subject takes its neighbour's: «во сколько репетиция и где?», «и есть ли она в наличии?».
    const refers = POINTING.test(right);
    const aroundWeight = strong.length === 0 || refers ? 1 : AROUND;
    const where = new Set([...right.matchAll(WHERE)].map(([word]) => wordsOf(word)[0]!));
    // An abbreviation such as «ИНН» has no inflected forms.
    const short = new Set(tradeWordsOf(piece));
    const counted = COUNTED.exec(right.toLowerCase().replaceAll("ё", "е"))?.[1];
    const terms = new Map<string, number>();
    const add = (words: readonly string[], weight: number) => {
      for (const word of words) {
        const value = (namesType(word) ? 0.25 : WEAK.has(word) ? 0.05 : where.has(word) ? 1.25 : 1) * weight;
        terms.set(word, Math.max(terms.get(word) ?? 0, value));
      }
    };
    add(own, 1);
    const told = asking.length === 0 ? [] : pieces.filter((other) => !asking.includes(other)).flatMap(contentWords);
    if (strong.length <= 1 || refers) {
      // A statement before the question gives its subject: «кот заболел, куда везти?».
      add(around, aroundWeight);
      add(told, 0.9);
    }
    if (before !== null) {
      add(earlier, CARRIED[before.form].question);
      add(answered, CARRIED[before.form].answer);
    }
    let types = asked.get(piece)!;
    // «А по Москве сколько?» asks for the same kind of answer as the previous question.
    if (before !== null && types.every((type) => type === "number")) {
      const inherited = askedTypes(correctSpelling(before.asked));
      if (inherited.length > 0) types = inherited;
    }
    return {
      text: piece,
      counted: counted === undefined || isTypeWord(counted) ? null : counted,
      terms: [...terms].map(([word, weight]) => ({ word, weight, exact: short.has(word) })),
      types,
      told,
      namesOnlyThing: before?.form === "bare" && before.replacesThing,
    };
  });
}

/** Splits a sentence into its questions; returns it whole when it has one question, or when a part would ask nothing. */
export function jointQuestions(sentence: string): string[] {
  const pieces = sentence.split(JOINTS).map((piece) => piece.trim());
  return pieces.length > 1 && pieces.every((piece) => asksByItself(piece)) ? pieces : [sentence];
}

const asksByItself = (piece: string) => askedTypes(correctSpelling(piece)).length > 0 || BEGINS.test(piece);

/** Returns the words that show the subject of a text, without function words and polite phrases. */
export function contentWords(text: string): string[] {
  // A single capital letter is a name: «короб M», «витамин C».
  const letters = [...text.matchAll(/(?<=\p{L}\s)\p{Lu}{1,2}(?![\p{L}.])/gu)].map(([letter]) => letter.toLowerCase());
  return [
    ...new Set([
      ...letters.filter((letter) => !FUNCTION_WORDS.has(letter)),
      ...tradeWordsOf(text).filter((word) => !POLITE.has(word)),
      ...wordsOf(correctSpelling(text)).filter(
        (word) =>
          stemOf(word) !== "" &&
          !POLITE.has(word) &&
          (!FUNCTION_WORDS.has(word) || isTypeWord(word)) &&
          (word.length > 1 || /\d/.test(word)),
      ),
    ]),
  ];
}

const OFTEN_MISSPELT = ["сколько", "стоит", "почем", "когда", "адрес", "доставка", "можно", "какой", "какая", "какие"];

export function correctSpelling(text: string): string {
  return joinedNumbers(text).replace(/\p{L}{4,}/gu, (word) => {
    const plain = word.toLowerCase().replaceAll("ё", "е");
    if (OFTEN_MISSPELT.includes(plain)) return word;
    return (
      OFTEN_MISSPELT.find((known) => known.length >= 5 && known[0] === plain[0] && differByOneTypo(known, plain)) ??
      word
    );
  });
}

/** Joins the digits of «2 000» into one number. */
export const joinedNumbers = (text: string) => text.replace(/(?<=\d)[ \u00a0](?=\d{3}(?!\d))/g, "");

/**
 * Returns the length of the common prefix. Compares character codes, because V8 allocates a string for each Russian letter read by index.
 */
export function commonPrefixLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let same = 0;
  while (same < most && one.charCodeAt(same) === other.charCodeAt(same)) same++;
  return same;
}

/** Whether two words differ by one typing slip: a letter inserted, deleted, replaced, or two swapped. */
export function differByOneTypo(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const start = commonPrefixLength(one, other);
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)) end++;
  const left = one.length - start - end;
  const right = other.length - start - end;
  return (
    (left <= 1 && right <= 1) ||
    (left === 2 && right === 2 && one[start] === other[start + 1] && one[start + 1] === other[start])
  );
}
