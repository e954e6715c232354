/**
 * Slots are the parts of a reply that hold in one conversation only: numbers, dates, names, addresses, links, promises. A reply with
 * slots may be repeated only if the sources of the new conversation contain them.
 */

import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { isFirstName } from "./words/first-names.ts";

type SlotKind = "number" | "date" | "name" | "address" | "link" | "email" | "handle" | "person" | "private";

export interface Slot {
  kind: SlotKind;
  text: string;
}

const LINK =
  /(?:https?:\/\/|www\.)\S+|(?<![\w-]|[\w-]\.)[\w-]+(?:\.[\w-]+)*\.(?:ru|com|net|org|io|me|su|info|biz|dev|app|ai|co|рф)\b\S*/giu;
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const HANDLE = /(?<![\p{L}\p{N}@])@[\p{L}\p{N}_]{3,}/gu;
/** A number as written: «1 500», «18:30». */
export const NUMBER = /(?<!\d)\d+(?:[ \u00a0.,]\d{3})+(?!\d)|\d+(?:[.,:]\d+)*/g;

const stems = (source: string) => new RegExp(`^(?:${source.replace(/\s+/g, "")})$`, "u");
const NUMBER_WORD =
  stems(`дв(?:а|е|ух|ум|умя|ое|оих)|тр(?:и|ех|ем|емя|ое|оих)|четыр(?:е|ех|ем|ьмя)|четверо|пят(?:ь|и|ью|еро)|шест(?:ь|и|ью)|сем(?:ь|и|ью)|восем(?:ь|ью)|восьми
  |девят(?:ь|и|ью)|десят(?:ь|и|ью|ок|ка|ков)|(?:один|две|три|четыр|пят|шест|сем|восем|девят)надцат(?:ь|и)|двадцат(?:ь|и)|тридцат(?:ь|и)|сорока?|пятьдесят|шестьдесят|семьдесят
  |восемьдесят|девяност[оа]|ст[оа]|двести|триста|четыреста|пятьсот|шестьсот|семьсот|восемьсот|девятьсот|тысяч[аиу]?|тыщ[аиу]?|миллион(?:а|ов)?|лям(?:а|ов)?|миллиард(?:а|ов)?
  |полтор[аы]|полчаса|полдень|полночь|(?:перв|втор|треть|четверт|пят|шест|седьм|восьм|девят|десят)(?:ого|ому|ое|ая|ую|ый)
  |two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|half`);
const DATE_WORD =
  stems(`сегодня|седня|завтра|послезавтра|вчера|позавчера|понедельник[аеиу]?|понедельникам|вторник[аеиу]?|сред(?:ам|у)|четверг[аеиу]?|пятниц[аеуы]|суббот[аеуы]|воскресень[еюя]
  |выходн(?:ые|ых|ым)|январ[ьяею]|феврал[ьяею]|марта|апрел[ьяею]|июн[ьяею]|июл[ьяею]|август[ае]?|сентябр[ьяею]|октябр[ьяею]|ноябр[ьяею]|декабр[ьяею]
  |утром|вечером|ночью|днем|обеда|today|tomorrow|yesterday|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend
  |january|february|april|june|july|august|september|october|november|december`);
const ADDRESS_WORD =
  stems(`улиц[аеуы]|ул|проспект[ае]?|пр|переул(?:ок|ке|ка)|пер|шоссе|набережн(?:ая|ой)|площад[ьи]|бульвар[ае]?|корпус[ае]?|подъезд[ае]?|этаж[ае]?|квартир[аеуы]|кв|домофон[ае]?|метро|офис[ае]?
  |street|avenue|apartment|floor`);
/** Words for a third person, who differs between conversations. */
const PERSON_WORD =
  stems(`он|она|они|его|ее|их|ему|ей|им|ней|ним|них|нем|нему|него|нее|ними|мама|мамы|маме|маму|папа|папы|папе|папу|муж|мужа|мужу|жена|жены|жене|жену|сын|сына|сыну|дочь|дочка|дочки|дочке
  |брат|брата|брату|сестра|сестры|сестре|сестру|начальник|начальника|шеф|шефа|he|she|they|him|her|them|his|their|husband|wife|mom|dad|boss`);
/** Secrets, and actions done for or promised to one person. */
const PRIVATE_WORD =
  stems(`пароль|пароля|паролем|логин|логина|секрет|секретно|никому|пинкод|пин|паспорт|паспорта|карта|карту|карты|счет|диагноз|беремен(?:на|ность)|развод|разводимся|уволил(?:и|ся|ась)?|увольняюсь
  |перевел|перевела|переведу|оплатил|оплатила|оплачу|заплатил|заплатила|заплачу|должен|должна|верну|вернул|вернула|куплю|купил|купила|отправил|отправила|отправлю|скинул|скинула|скину|подписал|подписала|подпишу
  |приеду|приехал|приехала|выезжаю|выехал|выехала|подъезжаю|встречу|встречаемся|договорились|обещаю|гарантирую|люблю|целую|обнимаю|password|secret|paid|promise|love`);

const CAPITAL_NOT_NAME = new Set("я вы вас вам ваш ваша ваше ваши вами i i'm i'll i've i'd ok окей".split(" "));

export const slotsOf = (text: string): Slot[] => [...slotsIn(text)];

function* slotsIn(text: string): Generator<Slot, void, void> {
  let rest = text;
  const take = (pattern: RegExp, kind: SlotKind): Slot[] => {
    const slots: Slot[] = [];
    rest = rest.replace(pattern, (found) => {
      slots.push({ kind, text: found });
      return " ; ";
    });
    return slots;
  };
  // Most replies contain no «@», and the pattern is slow.
  const at = text.includes("@");
  if (at) yield* take(EMAIL, "email");
  if (text.includes(".") || text.includes("://")) yield* take(LINK, "link");
  if (at) yield* take(HANDLE, "handle");
  if (/\d/.test(text)) yield* take(NUMBER, "number");
  for (const match of rest.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)) {
    const word = match[0];
    const kind = kindOf(word, isCapital(word) && startsSentence(rest, match.index));
    if (kind !== null) yield { kind, text: word };
  }
}

/** Cached by word, because a history repeats the same words. */
const kindFirst = memoize(MB / 2, (word) => wordKind(word, true), estimateTextBytes);
const kindElse = memoize(MB, (word) => wordKind(word, false), estimateTextBytes);
const LONGEST_KEPT = 40;

function kindOf(word: string, first: boolean): SlotKind | null {
  if (word.length > LONGEST_KEPT) return wordKind(word, first);
  return first ? kindFirst(word) : kindElse(word);
}

const isCapital = (word: string) => word[0] !== word[0]!.toLowerCase();

function wordKind(word: string, first: boolean): SlotKind | null {
  const plain = word.toLowerCase().replaceAll("ё", "е").replaceAll("’", "'");
  if (NUMBER_WORD.test(plain)) return "number";
  if (DATE_WORD.test(plain)) return "date";
  if (ADDRESS_WORD.test(plain)) return "address";
  if (PERSON_WORD.test(plain)) return "person";
  if (PRIVATE_WORD.test(plain)) return "private";
  const capital = isCapital(word);
  if (capital && !first && !CAPITAL_NOT_NAME.has(plain)) return "name";
  return isFirstName(plain, capital) ? "name" : null;
}

/** A picture ends a sentence as a full stop does: «Понимаю 🙂 Пусть …». */
const startsSentence = (text: string, at: number) =>
  at === 0 ||
  /(?:[.!?…\n)»"(:;-]|\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\s{0,3}$/u.test(
    text.slice(Math.max(0, at - 8), at),
  );
