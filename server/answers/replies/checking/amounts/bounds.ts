/** Finds limits and ranges: «от 500», «не больше 6», «10–15». */
import { isRange } from "#server/knowledge/language/statements/quantities.ts";
import type { Item } from "./readings.ts";

const BEFORE = 26;
const NOT_MORE =
  /(?:не\s(?:более|больше|старше|выше|дороже|длиннее|дольше|позже)|максимум|up\sto|under)\s{0,3}(?:чем\s|за\s)?$/iu;
const NOT_LESS =
  /(?:не\s(?:менее|меньше|младше|ниже|дешевле|короче|раньше)|минимум|начиная\sс|at\sleast)\s{0,3}(?:чем\s|за\s)?$/iu;
const TO = /(?<!\p{L})(?:до|менее|меньше|младше|легче|короче|ниже|дешевле)\s{0,3}$/iu;
const FROM = /(?<!\p{L})(?:от|с|со|более|больше|свыше|старше|тяжелее|длиннее|выше|дороже|over|from)\s{0,3}$/iu;

export const boundAt = (text: string, at: number): "from" | "to" | null => {
  const before = text.slice(Math.max(0, at - BEFORE), at);
  if (NOT_MORE.test(before)) return "to";
  if (NOT_LESS.test(before)) return "from";
  return TO.test(before) ? "to" : FROM.test(before) ? "from" : null;
};

export function rangeOf(text: string, items: readonly Item[], place: number) {
  const [before, one, next] = [items[place - 1], items[place]!, items[place + 1]];
  const joined = (left: Item, right: Item) =>
    /[-–—]|до|to/iu.test(text.slice(left.quantity.end, right.quantity.at)) &&
    isRange(text, left.quantity, right.quantity);
  if (next !== undefined && joined(one, next)) return { bound: "from" as const, other: place + 1 };
  if (before !== undefined && joined(before, one)) return { bound: "to" as const, other: place - 1 };
  return null;
}
