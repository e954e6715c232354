/**
 * Finds the part of a reply that is a reusable fact: a price, hours, a place, a term, a condition. It goes by the type of the question
 * and the shape of the answer, without knowledge of any trade. A statement about one day or one conversation is no fact.
 */

import { ownThing } from "#server/knowledge/language/ask-back.ts";
import { type AnswerType, askedTypes, isTypeWord, typeFit } from "#server/knowledge/language/question/answer-type.ts";
import { matchWord, vocabularyOf } from "#server/knowledge/language/question/answer-vocabulary.ts";
import { wantOf } from "#server/knowledge/language/question/question.ts";
import { contentWords, correctSpelling, joinedNumbers } from "#server/knowledge/language/question/question-parts.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { slotsOf } from "#server/knowledge/language/slots.ts";
import { smallTalkOf } from "#server/knowledge/language/small-talk.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { addressesIn } from "./personal-data.ts";

export type FactKind = "price" | "share" | "hours" | "days" | "term" | "place" | "amount" | "condition";

const any = (...words: string[]) => new RegExp(String.raw`(?<!\p{L})(?:${words.join("|")})(?!\p{L})`, "iu");

/** Words that limit a statement to one moment: «завтра до шести» says nothing about other days. */
const PASSING = any(
  ...["сегодня", "седня", "завтра", "послезавтра", "вчера", "позавчера", "сейчас", "щас", "пока", "уже", "скоро"],
  String.raw`через\s\d{1,3}\s?мин\p{L}{0,3}`,
  String.raw`в\sэт(?:от|у|о)`,
);
/** Words for an individual action agreed in this conversation. */
const OWN_DEED = any(
  ...[
    "я",
    "буду",
    "будешь",
    "жду",
    "ждем",
    "ждём",
    "еду",
    "иду",
    "выезжаю",
    "выехал\\p{L}?",
    "опаздываю",
    "опоздаю",
    "успею",
  ],
  ...["приеду", "приду", "подойду", "подъеду", "заеду", "зайду", "привезу", "отвезу", "заберу", "перезвоню", "позвоню"],
  ...["напишу", "пришлю", "скину", "уточню", "узнаю", "посмотрю", "договорились", "встретимся", "встречаемся"],
);
/** Forms that ask one familiar person about his own actions: «когда приедешь». */
const OF_ONE = /(?<=\p{L}{2})шь(?:ся)?(?!\p{L})|(?<!\p{L})(?:ты|тебя|тебе)(?!\p{L})/iu;
const OWED = any("долж(?:ен|на|ны)", "с\\sменя", "мо[йяеёи]", "моего", "моей", "моих", "моим", "мою", "моему");
/** Slots that `slotsOf` treats as private, but that are public when payment or documents are discussed. */
const PAYING = /^(?:карт|сч[её]т|паспорт)/iu;

const UNIT = String.raw`(?:кг|килограмм\p{L}{0,2}|гр?|грамм\p{L}{0,2}|шт\p{L}{0,3}|см|мм|м|м2|кв|л|литр\p{L}{0,2}|мл|мин\p{L}{0,3}|час\p{L}{0,2}|ч|дн\p{L}{1,2}|день|сут\p{L}{1,3}|недел\p{L}{1,2}|месяц\p{L}{0,2}|год\p{L}{0,1}|лет|человек\p{L}{0,1}|чел|этаж\p{L}{0,2}|%)`;
const CURRENCY = /\d\s{0,3}(?:₽|р\.?(?!\p{L})|руб|тыс|т\.р|к(?!\p{L})|k(?!\p{L})|\$|€)|[$€]\s?\d/iu;
const FREE = /(?<!\p{L})(?:бесплатн\p{L}{1,3}|даром|включен\p{L}{0,2}\sв|вход[яи]т\sв)(?!\p{L})/iu;
const BARE_SUM = new RegExp(String.raw`(?<![\d.,:])\d{2,7}(?![\d:])(?!\s?${UNIT}(?!\p{L}))`, "giu");
const PERCENT = /\d\s?%|процент/iu;
const RANGE =
  /(?<!\p{L})с\s?\d{1,2}(?:[:.]\d\d)?\s?(?:утра\s)?(?:до|по)\s?\d|\d{1,2}(?:[:.]\d\d)?\s?[-–—]\s?\d{1,2}[:.]\d\d|круглосуточн|(?<!\p{L})24\s?\/\s?7/iu;
const CLOCK = /(?<!\p{L})(?:с|до|от|к|в|после)\s?\d{1,2}(?:[:.]\d\d)?(?!\d)|\d{1,2}[:.]\d\d/iu;
const OPENING =
  /(?<!\p{L})(?:работ|откры|закры|начина|начал|заезд|выезд|засел|обед|при[её]м|выдач|доставля|привоз|заказ|запис)/iu;
const WEEKDAY =
  /(?<!\p{L})(?:(?:понедельник|вторник|сред[ауые]|четверг|пятниц|суббот|воскресень|будн|выходн|ежедневн)\p{L}{0,4}|каждый\sдень|без\sвыходных|пн|вт|ср|чт|пт|сб|вс)(?!\p{L})/iu;
const LANDMARK =
  /(?<!\p{L})(?:метро|тр?ц|бц|рын(?:ок|ке)|вокзал\p{L}{0,2}|напротив|рядом\sс|возле|этаж\p{L}{0,2}|павильон\p{L}{0,1}|вход\p{L}{0,1}|офис\p{L}{0,1}\s№?\d|корпус\p{L}{0,1}|остановк\p{L}{1,2})(?!\p{L})/iu;
const CONDITION =
  /(?<!\p{L})(?:при\s(?:заказ|покупк|оплат|предъявл|налич|себе)|от\s\d|до\s\d|свыше|минимал|минимум|не\s(?:менее|меньше|раньше|позже|больше|более)|только|если|предоплат|аванс|скидк|возврат|обмен|гарант|наличн|карт(?:ой|ами|е|у)|безнал|по\sзаписи|в\sтечение|самовывоз|нуж(?:ен|на|но|ны)|обязательн|нельзя)/iu;
const PAYMENT = /(?<!\p{L})(?:предоплат|аванс|наличн|карт(?:ой|ами)|безнал|по\sзаписи|самовывоз|бесплатн|паспорт)/iu;
const DIGIT = /\d/;

const numbersOf = (text: string): string[] => joinedNumbers(text).match(/\d+(?:[.,:]\d+)?/g) ?? [];

function kindOf(question: string, types: readonly AnswerType[], sentence: string): FactKind | null {
  const asked = new Set(numbersOf(question));
  const told = numbersOf(sentence).filter((number) => !asked.has(number));
  const text = joinedNumbers(sentence);
  const sum = CURRENCY.test(text);
  if (types.includes("money") && (sum || FREE.test(text) || bareSum(text, asked))) return "price";
  if (types.includes("share") && PERCENT.test(text)) return "share";
  if (types.some((type) => type === "hours" || type === "clock") && hours(question, text)) return "hours";
  if (types.includes("day") && (WEEKDAY.test(text) || RANGE.test(text))) return "days";
  if (types.includes("duration") && told.length > 0 && typeFit(["duration"], text, {}) === 1) return "term";
  if (types.includes("place") && (addressesIn(text).length > 0 || LANDMARK.test(text))) return "place";
  if (types.includes("number") && told.length > 0) return sum ? "price" : "amount";
  if (types.some((type) => type !== "number" && type !== "place" && type !== "day")) return null;
  // A question of no certain type («доставляете в Химки?») needs an answer with terms of its own.
  if (sum || FREE.test(text)) return "price";
  if (PERCENT.test(text)) return "share";
  if (RANGE.test(text)) return "hours";
  return CONDITION.test(text) && (DIGIT.test(text) || PAYMENT.test(text)) ? "condition" : null;
}

const HOURS = new RegExp(String.raw`(?:${RANGE.source})\d?`, "giu");

/** Whether the text has a sum without a unit that the question did not name: «3 кг — 7500». */
function bareSum(text: string, asked: ReadonlySet<string>): boolean {
  return (text.replace(HOURS, " ").match(BARE_SUM) ?? []).some((number) => !asked.has(number));
}

/** A single time of day counts as opening hours only when opening is mentioned. */
const hours = (question: string, text: string): boolean =>
  RANGE.test(text) || (CLOCK.test(text) && (OPENING.test(question) || OPENING.test(text)));

/**
 * Returns the answer types of a question that is not specific to its asker; null for small talk, requests, and questions about the asker
 * or one day.
 */
export function generalQuestion(question: string): AnswerType[] | null {
  const types = askedTypes(correctSpelling(question));
  if (types.length === 0 && wantOf(question) !== "question") return null;
  if (smallTalkOf(question) !== null || ownThing(question) !== null) return null;
  if (PASSING.test(question) || OWED.test(question)) return null;
  const money = types.includes("money") || types.includes("share");
  return !money && OF_ONE.test(question) ? null : types;
}

/** Whether the sentence holds beyond this conversation and is not about its participants. */
function lasting(sentence: string): boolean {
  if (PASSING.test(sentence) || OWN_DEED.test(sentence) || sentence.trimEnd().endsWith("?")) return false;
  return !slotsOf(sentence).some(
    ({ kind, text }) => kind === "person" || kind === "handle" || (kind === "private" && !PAYING.test(text)),
  );
}

export interface AskedQuestion {
  text: string;
  types: AnswerType[];
}

/** A fact as a reply states it, in one or more sentences of the same kind. */
export interface StatedFact {
  kind: FactKind;
  sentences: string[];
}

/**
 * Returns, per question, the sentences that answer it with a fact, all of the first one's kind; null when there are none. Each line of
 * the reply is a message. A sentence that fits two questions goes to the one that shares most words, or to none on a tie.
 */
export function findStatedFacts(asked: readonly AskedQuestion[], reply: string): (StatedFact | null)[] {
  const told: (StatedFact | null)[] = asked.map(() => null);
  for (const sentence of reply.split("\n").flatMap(splitSentences)) {
    if (!lasting(sentence)) continue;
    const whole = answeredBy(asked, sentence);
    const clauses = whole.length > 1 ? sentence.split(CLAUSES) : [sentence];
    for (const clause of clauses) {
      const answered = clauses.length > 1 ? answeredBy(asked, clause) : whole;
      const [at] = answered.length > 1 ? takenUp(asked, answered, clause) : answered;
      if (at === undefined) continue;
      const kind = kindOf(asked[at]!.text, asked[at]!.types, clause)!;
      const before = told[at]!;
      if (before === null) told[at] = { kind, sentences: [clause.trim()] };
      else if (before.kind === kind) before.sentences.push(clause.trim());
    }
  }
  return told;
}

/** Splits sentences such as «торт 2000, работаем до 20». */
const CLAUSES = /[,;]\s+(?!\d)/u;

const answeredBy = (asked: readonly AskedQuestion[], text: string): number[] =>
  asked.flatMap((question, at) => (kindOf(question.text, question.types, text) === null ? [] : [at]));

/** Returns the question that shares most words with the text; empty on a tie. */
function takenUp(asked: readonly AskedQuestion[], among: readonly number[], text: string): number[] {
  const vocabulary = vocabularyOf(text);
  const held = among.map((at) => {
    const words = contentWords(asked[at]!.text).filter((word) => !isTypeWord(word));
    return words.reduce((sum, word) => sum + matchWord({ word, stem: stemOf(word) }, vocabulary), 0);
  });
  const most = Math.max(...held);
  return held.filter((share) => share === most).length === 1 ? [among[held.indexOf(most)]!] : [];
}
