/** Numbers as people say them: «10 42», «семь семь два ноль», «двадцать два тридцать один», «5 тыщ». */
import { meaningsOf } from "#server/knowledge/language/statements/numerals.ts";

/** Parts of one number that stand side by side: a phone in words has up to eleven. */
const MOST_PARTS = 12;
const LONGEST = 15;
const TOKEN = /\p{L}+|\d+/gu;
/** What may stand between the parts of one number. */
const BETWEEN = /^[ \u00a0\u202f-]{0,3}$/;
const ZERO = /^(?:нол(?:ь|я|ю|ем|ик)|нул(?:ь|я|ю)|zero)$/u;

/** One cardinal: «триста сорок один», «тысяча сорок четыре», or the digits as they stand, «051». */
interface Part {
  digits: string;
  /** What the next word must be smaller than to go on: «двадцать» takes a digit, «два» takes nothing. */
  room: number;
  value: number;
  isWritten: boolean;
}

/**
 * @param text in lower case, without «ё»
 * @returns every number that the text can be read as, in digits: parts that stand side by side are also one number
 */
export function numbersSaid(text: string): Set<string> {
  const said = new Set<string>();
  let run: Part[] = [];
  let end = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (!BETWEEN.test(text.slice(end, index))) run = closeRun(run, said);
    end = index + token.length;
    if (!addTo(run, token)) run = closeRun(run, said);
  }
  closeRun(run, said);
  return said;
}

/** @returns whether the token is a number */
function addTo(run: Part[], token: string): boolean {
  const last = run.at(-1);
  if (/^\d/.test(token)) {
    run.push({ digits: token.slice(0, LONGEST + 1), room: 0, value: Number(token), isWritten: true });
    return true;
  }
  if (ZERO.test(token)) {
    run.push({ digits: "0", room: 0, value: 0, isWritten: false });
    return true;
  }
  const { numeral, scale } = meaningsOf(token);
  if (scale !== null) {
    if (last !== undefined && last.value > 0 && last.value < 1000) become(last, last.value * scale, scale);
    else run.push(partOf(scale, scale));
    return true;
  }
  if (numeral === null || !Number.isInteger(numeral)) return false;
  const fits = last !== undefined && !last.isWritten && numeral < last.room && numeral > 0;
  if (fits) become(last, last.value + numeral, roomBehind(numeral));
  else run.push(partOf(numeral, roomBehind(numeral)));
  return true;
}

const roomBehind = (numeral: number): number => (numeral >= 100 ? 100 : numeral >= 20 ? 10 : 0);
const partOf = (value: number, room: number): Part => ({ digits: String(value), room, value, isWritten: false });

function become(part: Part, value: number, room: number): void {
  Object.assign(part, partOf(value, room));
}

/** @returns an empty run */
function closeRun(run: readonly Part[], said: Set<string>): Part[] {
  for (let from = 0; from < run.length; from++) {
    let digits = "";
    for (const part of run.slice(from, from + MOST_PARTS)) {
      digits += part.digits;
      if (digits.length > LONGEST) break;
      said.add(digits);
    }
  }
  return [];
}
