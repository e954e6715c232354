/** Extracts times of day: «с 10 до 20», «10:00–20:00», «в восемь вечера», «до полуночи». */
import { isRange, type Quantity } from "./quantities.ts";

export interface DayTime {
  at: number;
  end: number;
  /** Minutes since midnight. */
  minutes: number;
  /** Whether morning and evening are distinguished: «8 вечера», «20:00». */
  sure: boolean;
  /** «с 10» is "from", «до 20» is "to"; null: a moment. */
  side: "from" | "to" | null;
  /** Index in the list of the other end of the same span; null for a single time. */
  other: number | null;
  /** Whether only its context makes it a time: «с 10 до 20» may also be other amounts. */
  bare: boolean;
}

const PART_OF_DAY = /^\s{1,2}(?:час\p{L}{0,2}\s{1,2})?(утра|дня|вечера|ночи|am|pm)(?!\p{L})/iu;
const MINUTES_BEHIND = /^\s{0,2}(?:час\p{L}{0,2}|ч\.?)\s{1,2}(\d{1,2})\s{0,2}мин/iu;
const FROM = /(?<!\p{L})(?:с|со|после|from)\s{1,2}(?:[нк]\p{L}{0,3}\s{1,2})?$/iu;
const TO = /(?<!\p{L})(?:до|по|не\sпозже|to|until|till)\s{1,2}$/iu;
const AT = /(?<!\p{L})(?:в|во|к|ко|около|at)\s{1,2}$/iu;
const BEFORE = 16;
const NAMED = /(?<!\p{L})(полночь|полуночи|полдень|полудн[юя]|noon|midnight)(?!\p{L})/giu;
const WRITTEN = /^\d{1,2}(?::\d{2}|-00)$/;
const WITH_DOT = /^(\d{1,2})\.([0-5]\d)$/;

/** @param quantities those of the same text */
export function dayTimesIn(text: string, quantities: readonly Quantity[]): DayTime[] {
  const found: (DayTime & { quantity: Quantity })[] = [];
  for (const [place, quantity] of quantities.entries()) {
    const time = timeOf(text, quantity);
    if (time === null) continue;
    const next = quantities[place + 1];
    const before = quantities[place - 1];
    const spans = (one: Quantity | undefined) => one !== undefined && couldBeHour(one);
    const begins = next !== undefined && spans(next) && joins(text, quantity, next);
    const ends = before !== undefined && spans(before) && joins(text, before, quantity);
    const preceded = text.slice(Math.max(0, quantity.at - BEFORE), quantity.at);
    const side = ends || TO.test(preceded) ? "to" : begins || FROM.test(preceded) ? "from" : null;
    if (side === null && time.bare && !AT.test(preceded)) continue;
    found.push({ ...time, at: quantity.at, end: quantity.end, side, other: null, quantity });
  }
  pairUp(text, found);
  const named = [...text.matchAll(NAMED)].map(({ 0: said, index }): DayTime => {
    const preceded = text.slice(Math.max(0, index - BEFORE), index);
    const side = TO.test(preceded) ? "to" : FROM.test(preceded) ? "from" : null;
    const noon = /^(?:полу?д|noon)/iu.test(said);
    const minutes = noon ? 720 : side === "to" ? 1440 : 0;
    return { at: index, end: index + said.length, minutes, sure: true, side, other: null, bare: false };
  });
  return [...withHalves(found), ...named];
}

type Candidate = Pick<DayTime, "minutes" | "sure" | "bare">;

/** Whether a number may be an hour: it has no other unit. */
const couldBeHour = ({ value, unit }: Quantity): boolean =>
  value >= 0 && value <= 24 && (unit === null || (unit.dimension === "clock" && unit.base === value * 3600));

function timeOf(text: string, quantity: Quantity): Candidate | null {
  const { value, at } = quantity;
  if (!couldBeHour(quantity)) return null;
  const digits = /^[\d:.-]{1,5}/.exec(quantity.text)?.[0] ?? "";
  const behind = text.slice(at + (digits === "" ? numberLength(quantity) : digits.length), quantity.end + BEFORE);
  const part = PART_OF_DAY.exec(behind)?.[1]?.toLowerCase();
  if (part !== undefined && Number.isInteger(value * 60) && value <= 12)
    return { minutes: inHalf(value * 60, part), sure: true, bare: false };
  if (WRITTEN.test(digits)) return { minutes: value * 60, sure: true, bare: false };
  const dotted = WITH_DOT.exec(digits);
  if (dotted !== null && Number(dotted[1]) <= 24)
    return { minutes: Number(dotted[1]) * 60 + Number(dotted[2]), sure: true, bare: true };
  if (!Number.isInteger(value)) return null;
  const minutes = MINUTES_BEHIND.exec(behind)?.[1];
  if (minutes !== undefined) return { minutes: value * 60 + Number(minutes), sure: value > 12, bare: true };
  return { minutes: value * 60, sure: value > 12 || value === 0, bare: true };
}

const numberLength = ({ text }: Quantity): number => (/^\S+(?:\s(?:с\sполовиной))?/u.exec(text)?.[0] ?? text).length;

function inHalf(minutes: number, part: string): number {
  const late =
    part === "вечера" || part === "pm" || (part === "дня" && minutes < 420) || (part === "ночи" && minutes >= 540);
  if (part === "ночи" && minutes === 720) return 1440;
  return late && minutes < 720 ? minutes + 720 : minutes;
}

/** Whether both are the ends of a span: «с 10 до 20», «10–20», «с 10 часов утра до 8 вечера». */
function joins(text: string, one: Quantity, next: Quantity): boolean {
  if (isRange(text, one, next)) return true;
  const between = text.slice(one.end, next.at);
  return /^\s{0,2}(?:час\p{L}{0,2}\s{0,2})?(?:утра|дня|вечера|ночи|am|pm)?\s{0,2}(?:до|по|[-–—]|to|till|until)\s{0,2}$/iu.test(
    between,
  );
}

function pairUp(text: string, found: (DayTime & { quantity: Quantity })[]): void {
  for (const [at, one] of found.entries()) {
    const next = found[at + 1];
    if (next === undefined || one.side !== "from" || next.side !== "to") continue;
    if (!joins(text, one.quantity, next.quantity)) continue;
    one.other = at + 1;
    next.other = at;
  }
}

/** If one time uses the 24-hour clock, all do; «с 10 до 8» ends in the evening. */
function withHalves(found: readonly (DayTime & { quantity: Quantity })[]): DayTime[] {
  const long = found.some(
    ({ sure, minutes, quantity }) => sure && minutes > 720 && /^\d/.test(quantity.text) && quantity.value > 12,
  );
  return found.map(({ quantity: _, ...time }) => {
    if (time.sure || !long) {
      const begin = time.side === "to" && time.other !== null ? found[time.other]! : null;
      if (!time.sure && begin !== null && begin.minutes >= time.minutes && begin.minutes < 720)
        return { ...time, minutes: time.minutes + 720, sure: true };
      return time;
    }
    return { ...time, sure: true };
  });
}

/** Whether both are the same moment; an unknown half of the day matches either. */
export const sameTime = (one: DayTime, other: DayTime): boolean =>
  one.minutes % 1440 === other.minutes % 1440 ||
  (!(one.sure && other.sure) && one.minutes % 720 === other.minutes % 720);
