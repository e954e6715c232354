/** Assigns the words of a sentence to its amounts. */
import { isRange } from "#server/knowledge/language/statements/quantities.ts";
import type { Item } from "./readings.ts";
import { tokensOf } from "./tokens.ts";

export function clausesOf(text: string, items: readonly Item[]): number[] {
  const amountBetween = (from: number, to: number) =>
    items.some(({ quantity }) => quantity.at >= from && quantity.end <= to);
  const ends = [...text.matchAll(/[;()\n]|,(?!\d)/gu)].map(({ index }) => index);
  // «роза 150 и тюльпан 90» has two subjects, «роза и тюльпан по 150» has one.
  for (const { index, 0: said } of text.matchAll(/\s(?:и|а|но|and|but)\s/giu)) {
    const from = Math.max(0, ...ends.filter((end) => end < index));
    const to = Math.min(text.length, ...ends.filter((end) => end > index));
    if (amountBetween(from, index) && amountBetween(index + said.length, to) && !isWithinRange(text, items, index))
      ends.push(index);
  }
  return ends.sort((one, other) => one - other);
}

const isWithinRange = (text: string, items: readonly Item[], at: number): boolean => {
  const next = items.findIndex(({ quantity }) => quantity.at > at);
  return (
    next > 0 &&
    isRange(text, items[next - 1]!.quantity, items[next]!.quantity) &&
    items[next - 1]!.quantity.unit === null
  );
};

export interface Said {
  text: string;
  from: number;
  to: number;
}

export function nearbyWords(text: string, items: readonly Item[], place: number, clauses: readonly number[]): Said {
  const { quantity } = items[place]!;
  const begin = Math.max(0, ...clauses.filter((end) => end < quantity.at).map((end) => end + 1));
  const close = Math.min(text.length, ...clauses.filter((end) => end >= quantity.end));
  const alike = items.filter(
    (_, at) => at !== place && isAlike(items[at]!, items[place]!) && !areJoined(text, items, at, place),
  );
  const from = Math.max(
    begin,
    ...alike.filter((one) => one.quantity.end <= quantity.at).map((one) => one.quantity.end),
  );
  const to = Math.min(close, ...alike.filter((one) => one.quantity.at >= quantity.end).map((one) => one.quantity.at));
  let before = text.slice(from, quantity.at);
  const behind = text.slice(quantity.end, to);
  // A clause without words of its own continues the previous one: «ул. Лесная, 20».
  if (tokensOf(before).size === 0 && tokensOf(behind).size === 0)
    before = text.slice(lastEnd(items, place), quantity.at);
  // What follows belongs to the next amount: «роза 150 тюльпан 90».
  const takes = to === close || tokensOf(before).size === 0;
  return { text: takes ? `${before} ${behind}` : before, from, to: takes ? to : quantity.end };
}

const lastEnd = (items: readonly Item[], place: number): number =>
  Math.max(0, ...items.slice(0, place).map(({ quantity }) => quantity.end));

const kindOf = ({ readings, quantity }: Item): string =>
  readings.some(({ kind }) => kind === "time") ? "time" : (quantity.unit?.dimension ?? "none");
export const isAlike = (one: Item, other: Item): boolean => kindOf(one) === kindOf(other);
function areJoined(text: string, items: readonly Item[], at: number, place: number): boolean {
  const [one, other] = [items[Math.min(at, place)]!, items[Math.max(at, place)]!];
  if (Math.abs(at - place) !== 1) return false;
  const between = text.slice(one.quantity.end, other.quantity.at);
  return kindOf(one) === "time"
    ? between.length < 24 && !/[,;]/.test(between)
    : isRange(text, one.quantity, other.quantity) && !/\sи\s/iu.test(between);
}

/**
 * Returns the context for everything that follows: «Английский: группа 7 200, …» is about English throughout. «Мичуринская пн–пт 10–20,
 * сб 9–14; Северная 14–20» is about one branch, then the other.
 */
export function leadOf(text: string, items: readonly Item[], at: number): string {
  const parts = Math.max(text.lastIndexOf(";", at), text.lastIndexOf("\n", at)) + 1;
  const first = items.find(({ quantity }) => quantity.at >= parts)!.quantity.at;
  const whole = text.slice(0, items[0]!.quantity.at);
  return beforeColon(text.slice(parts, first)) ?? beforeColon(whole) ?? text.slice(parts, first);
}

function beforeColon(text: string): string | null {
  const colon = text.lastIndexOf(":");
  return colon < 0 ? null : text.slice(0, colon);
}
