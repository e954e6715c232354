/**
 * Checks by code what code can be sure of: that each number, date, phone, link and name of an answer stands in a source or in the
 * conversation, whatever its inflection, abbreviation or unit, or is calculated from such numbers. Nothing is removed from an answer: what
 * fails is repaired once by the model or held whole (docs/decisions/040-answer-records.md).
 */

import { guardOutput } from "#server/answers/output-guard/guard-output.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { type DayTime, dayTimesIn, sameTime } from "#server/knowledge/language/statements/day-times.ts";
import { commitmentsIn } from "#server/knowledge/language/statements/promises.ts";
import {
  isNearlyEqual,
  phonesIn,
  type Quantity,
  quantitiesIn,
  sameQuantity,
  withoutPhones,
} from "#server/knowledge/language/statements/quantities.ts";
import { wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { wordsOfSelf } from "#server/knowledge/style/self/visible-self.ts";
import { isLatin } from "#server/knowledge/style/style-transfer.ts";
import { formatDate } from "#server/platform/text/date-format.ts";
import { amountsIn } from "../checking/amounts/stated-amounts.ts";
import { daysIn } from "../checking/days.ts";
import { withoutMarkdown } from "../checking/plain-text.ts";
import { rootOf } from "../checking/roots.ts";
import { SentenceForm } from "../checking/sentence-form.ts";
import { addressSources, ReplySources, readableChunks } from "../checking/sources.ts";
import type { AnswerRecord, CheckedRecord } from "../recorded-answer.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { evaluate } from "./expressions.ts";

export function checkRecord(request: ReplyRequest, record: AnswerRecord, secrets: readonly string[]): CheckedRecord {
  const sources = ReplySources.of(request);
  const form = new SentenceForm(request, sources, secrets);
  const stated = StatedNumbers.of(request);
  const allowed = addressSources(request);
  const result: CheckedRecord = { messages: [], faults: [], promises: [], loose: 0, computed: 0, amounts: 0 };
  const sums = new Sums(record, stated);
  for (const message of record.messages) {
    const plain = withoutMarkdown(message).trim();
    const shown = guardOutput(plain, allowed).trim();
    result.messages.push(shown);
    if (lettersOf(shown) !== lettersOf(plain)) {
      const pieces = plain.split(/\s+/).filter((word) => !shown.includes(word));
      result.faults.push({ kind: "address", pieces, sentence: plain });
    }
    for (const sentence of splitSentences(shown).map((one) => one.trim())) {
      const kind = form.faultOf(sentence);
      if (kind !== null) result.faults.push({ kind, pieces: [], sentence });
      checkNumbers(sentence, { request, sources, stated, sums, result });
      const pieces = unknownNames(sentence, request);
      if (pieces.length > 0) result.faults.push({ kind: "unsupported", pieces, sentence });
      const promises = commitmentsIn(sentence).filter(({ defers }) => !defers);
      const made = promises.filter(({ verb }) => !isSaidByOwner(verb, sources)).map(({ verb }) => verb);
      if (made.length > 0) result.promises.push({ kind: "promise", pieces: made, sentence });
    }
  }
  return result;
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");

interface Checking {
  request: ReplyRequest;
  sources: ReplySources;
  stated: StatedNumbers;
  sums: Sums;
  result: CheckedRecord;
}

const LIST_NUMBER = /^\s{0,4}\d{1,2}[.)]\s{1,3}/;

function checkNumbers(sentence: string, { request, sources, stated, sums, result }: Checking): void {
  const pieces: string[] = [];
  const said = sentence.replace(LIST_NUMBER, "");
  for (const { text, digits } of phonesIn(said)) if (!stated.hasPhone(digits)) pieces.push(text);
  const quantities = quantitiesIn(withoutPhones(said));
  const times = dayTimesIn(said, quantities);
  for (const quantity of quantities) {
    // A bare word («два варианта», «один из») counts what the answer itself lists.
    if (quantity.unit === null && !/\d/.test(quantity.text)) continue;
    const time = times.find(({ at }) => at === quantity.at);
    if (isOfTheWorld(quantity, time, request)) continue;
    result.amounts++;
    if (stated.has(quantity, time)) continue;
    if (sums.gives(quantity)) result.computed++;
    else pieces.push(quantity.text.trim());
  }
  const amounts = amountsIn(said, { source: false });
  const held = sources.amounts("chunk", "said");
  for (const amount of amounts.slice(0, MOST_BOUND))
    if (!held.holds({ amount, amounts, sentence: said, question: request.message })) result.loose++;
  const { week, months } = daysIn(said);
  for (const day of week) if (!stated.days.week.has(day)) pieces.push(DAYS[day]!);
  for (const month of months) if (!stated.days.months.has(month)) pieces.push(MONTHS[month]!);
  if (pieces.length > 0) result.faults.push({ kind: "unsupported", pieces, sentence });
}

/**
 * Whether a twin for friends may say it without a source, because only a verifier can tell whether it is true: «полтора стакана воды»,
 * «версия 12». Sums of money and times may be agreements of the owner, so they need a source from every twin.
 */
const isOfTheWorld = ({ unit, text }: Quantity, time: DayTime | undefined, { twin }: ReplyRequest): boolean =>
  twin.purpose === "friends" &&
  time === undefined &&
  !DATE.test(text) &&
  (unit === null || !AGREED.has(unit.dimension));
const AGREED: ReadonlySet<string> = new Set(["money", "clock", "months"]);

/** Binding compares each amount with all of the sources. */
const MOST_BOUND = 12;
const DAYS = ["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"];
const MONTHS = "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь".split(" ");

/** Names, codes, links and addresses that stand nowhere; each part of a name may stand in any form. */
function unknownNames(sentence: string, request: ReplyRequest): string[] {
  const sources = ReplySources.of(request);
  const { named } = sources.facts("chunk", "said", "example", "asker");
  const words = StatedNumbers.of(request);
  return named.unsupported(sentence).flatMap(({ kind, text }) => {
    if (kind === "link" || kind === "email" || kind === "handle") return [text];
    // A twin for friends may speak of what everybody knows, and a verifier judges what it says of people.
    if (request.twin.purpose === "friends") return [];
    // An English answer transliterates names, which only a verifier can compare.
    if (kind !== "name" || (isLatin(sentence) && isLatin(request.message))) return [];
    const parts = wordsOf(text.replaceAll("-", " ")).filter((word) => word.length > 1);
    return parts.every((part) => words.hasWordLike(part)) ? [] : [text];
  });
}

/** Whether the owner's own words have the verb: «вернём деньги за три дня» may be repeated, whatever its form. */
function isSaidByOwner(verb: string, sources: ReplySources): boolean {
  const deed = rootOf(verb).slice(0, 4);
  return [...sources.facts("chunk", "said").roots].some((root) => root.startsWith(deed));
}

/** The numbers, times, days, phones and words of everything that an answer may rest on. */
class StatedNumbers {
  readonly #quantities: Quantity[] = [];
  readonly #times: DayTime[] = [];
  readonly #groups = new Set<string>();
  readonly #phones = new Set<string>();
  /** By their first two letters. */
  readonly #words = new Map<string, Set<string>>();
  readonly days: ReturnType<typeof daysIn> = { week: new Set(), months: new Set(), relative: new Set() };

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const quantities = quantitiesIn(withoutPhones(text));
      this.#quantities.push(...quantities);
      this.#times.push(...dayTimesIn(text, quantities));
      for (const group of groupsIn(text)) this.#groups.add(group);
      for (const { digits } of phonesIn(text)) this.#phones.add(digits);
      for (const word of wordsOf(text.replaceAll("-", " "))) {
        const begin = word.slice(0, 2);
        this.#words.set(begin, (this.#words.get(begin) ?? new Set()).add(word));
      }
      const { week, months } = daysIn(text, true);
      for (const day of week) this.days.week.add(day);
      for (const month of months) this.days.months.add(month);
    }
  }

  static of(request: ReplyRequest): StatedNumbers {
    const sources = ReplySources.of(request);
    const known = statedOf.get(sources);
    if (known !== undefined) return known;
    const stated = new StatedNumbers(textsOf(request));
    statedOf.set(sources, stated);
    return stated;
  }

  has(quantity: Quantity, time: DayTime | undefined): boolean {
    if (this.#quantities.some((one) => sameQuantity(one, quantity) || one.meant === quantity.value)) return true;
    if (time !== undefined && this.#times.some((one) => sameTime(one, time))) return true;
    const date = DATE.exec(quantity.text);
    if (date !== null && this.days.months.has(Number(date[2]) - 1)) return this.#groups.has(String(Number(date[1])));
    // The same digits in another notation: «10x15» for «10 на 15».
    const groups = groupsIn(quantity.text);
    return groups.length > 0 && groups.every((group) => this.#groups.has(group));
  }

  hasValue(value: number): boolean {
    return this.#quantities.some(
      (one) => isNearlyEqual(one.value, value) || isNearlyEqual(one.unit?.base ?? Number.NaN, value),
    );
  }

  hasPhone(digits: string): boolean {
    return this.#phones.has(digits) || (digits.length < 10 && [...this.#phones].some((one) => one.endsWith(digits)));
  }

  /** Whether a source has the word in any form: «Нижнем» for «Нижний», «кодом» for «коду». */
  hasWordLike(word: string): boolean {
    const plain = word.toLowerCase().replaceAll("ё", "е");
    return [...(this.#words.get(plain.slice(0, 2)) ?? [])].some((other) => areForms(plain, other));
  }
}

/** «15.01» for «15 января». */
const DATE = /^(\d{1,2})\.(0[1-9]|1[0-2])(?:\.\d{2,4})?$/;

const statedOf = new WeakMap<ReplySources, StatedNumbers>();

const MAX_ENDING = 3;

function areForms(one: string, other: string): boolean {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const shorter = Math.min(one.length, other.length);
  return (
    same >= Math.min(shorter, Math.max(3, shorter - MAX_ENDING)) &&
    one.length - same <= MAX_ENDING &&
    other.length - same <= MAX_ENDING
  );
}

/** Runs of digits: thousands together, without leading zeros. */
const groupsIn = (text: string): string[] =>
  (text.replace(/(\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, "$1").match(/\d+/g) ?? []).map((group) =>
    group.replace(/^0+(?=\d)/, ""),
  );

function textsOf(request: ReplyRequest): string[] {
  const { twin, replyExamples, corrected, history, message, notes, contactName, now } = request;
  const days =
    now === undefined
      ? []
      : Array.from({ length: 8 }, (_, day) =>
          formatDate(new Date(now.at.getTime() + day * 86_400_000), "full", now.timeZone ?? ""),
        );
  return [
    ...new Set(readableChunks(request).flatMap(({ name, heading, text }) => [name, heading, text])),
    ...(corrected == null ? [] : [corrected.text, corrected.question ?? ""]),
    ...replyExamples.filter(({ opened }) => opened === true).flatMap(({ incoming, reply }) => [incoming ?? "", reply]),
    [
      twin.publicName ?? twin.name,
      twin.description,
      twin.personality,
      twin.communicationStyle,
      ...twin.expertise,
      ...wordsOfSelf(request.self),
    ].join("\n"),
    ...history.filter(({ claimed }) => !claimed).map(({ content }) => content),
    message,
    notes ?? "",
    contactName ?? "",
    ...days,
  ];
}

/** The calculated numbers of a record whose operands all stand in the sources, or are results of other such sums. */
class Sums {
  readonly #values: number[] = [];

  constructor({ sums }: AnswerRecord, stated: StatedNumbers) {
    let open = sums.flatMap(({ expression }) => evaluate(expression) ?? []);
    // Each round may settle sums whose operands are results of the last one.
    for (let round = 0; round < sums.length && open.length > 0; round++) {
      const settled = open.filter(({ operands }) => operands.every((one) => this.#isKnown(one, stated)));
      this.#values.push(...settled.map(({ value }) => value));
      open = open.filter((one) => !settled.includes(one));
    }
  }

  /** Small whole numbers count things («за двоих»), 60, 24 and 100 change units. */
  #isKnown(operand: number, stated: StatedNumbers): boolean {
    if (Number.isInteger(operand) && (operand <= 12 || UNITS.has(operand))) return true;
    // «.4» and «1.1» are 40 and 10 percent of the sources.
    const percents = operand > 0 && operand < 2 ? [operand * 100, Math.abs(1 - operand) * 100] : [];
    if (percents.some((one) => stated.hasValue(one))) return true;
    return stated.hasValue(operand) || this.#values.some((value) => isNearlyEqual(value, operand));
  }

  gives({ value, unit }: Quantity): boolean {
    const near = (one: number) => Math.abs(one - value) <= Math.max(0.005 * Math.abs(value), 1e-6);
    return this.#values.some((one) => near(one) || (unit !== null && near(one / (unit.base / value))));
  }
}

const UNITS = new Set([24, 30, 60, 100, 365, 1000]);
