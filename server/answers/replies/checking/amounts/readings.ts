/** Finds the numbers of a sentence with their possible readings: a quantity, a time of day, a date. */

import { datesIn, type StatedDate } from "#server/knowledge/language/statements/dates.ts";
import { type DayTime, dayTimesIn } from "#server/knowledge/language/statements/day-times.ts";
import { type Quantity, quantitiesIn } from "#server/knowledge/language/statements/quantities.ts";
import { relativeAmountsIn } from "#server/knowledge/language/statements/relative-amounts.ts";
import { countedNoun } from "./counted-noun.ts";

/** A possible reading of an amount; «10–16» may be hours or anything else. */
export type Reading =
  | { kind: "quantity"; quantity: Quantity; noun: string | null }
  | { kind: "time"; time: DayTime }
  | { kind: "date"; date: StatedDate };

export interface Item {
  quantity: Quantity;
  readings: Reading[];
}

/** @param source whether the text is a source, where «включено» means free of charge */
export function itemsIn(text: string, source: boolean): Item[] {
  const quantities = quantitiesIn(text);
  const times = dayTimesIn(text, quantities);
  const dates = datesIn(text, quantities);
  const plain = quantities
    .filter((_, place) => !isPer(text, quantities, place))
    .map((quantity): Item => {
      const time = times.find(({ at }) => at === quantity.at);
      // The year of a date is a separate amount.
      const date =
        quantity.value > 31 ? undefined : dates.find(({ at, end }) => at <= quantity.at && quantity.at < end);
      const noun = quantity.unit === null ? countedNoun(text, quantity) : null;
      const readings: Reading[] = [];
      if (time !== undefined) readings.push({ kind: "time", time });
      if (date !== undefined) readings.push({ kind: "date", date });
      if ((time?.bare ?? true) && !date?.sure) readings.push({ kind: "quantity", quantity, noun });
      return { quantity: date?.sure ? { ...quantity, end: Math.max(quantity.end, date.end) } : quantity, readings };
    });
  const named = times
    .filter(({ at }) => !quantities.some((one) => one.at === at))
    .map((time): Item => ({ quantity: placed(text, time), readings: [{ kind: "time", time }] }));
  const relative = relativeAmountsIn(text, source)
    .filter(({ at }) => !quantities.some((one) => one.at <= at && at < one.end))
    .map((quantity): Item => ({ quantity, readings: [{ kind: "quantity", quantity, noun: null }] }));
  return [...plain, ...named, ...relative, ...(source ? dates.flatMap((date) => yearOf(date, quantities)) : [])].sort(
    (one, other) => one.quantity.at - other.quantity.at,
  );
}

/** Returns the year of «12.05.2010», which is not a separate number there. */
function yearOf({ at, end, year }: StatedDate, quantities: readonly Quantity[]): Item[] {
  if (year === null || quantities.some((one) => one.value === year && one.at >= at && one.end <= end)) return [];
  const quantity = { text: String(year), at, end, value: year, unit: null };
  return [{ quantity, readings: [{ kind: "quantity", quantity, noun: null }] }];
}

/** «900 рублей за сутки»: the day is the unit of the price and no separate amount. */
function isPer(text: string, quantities: readonly Quantity[], place: number): boolean {
  const [before, { value, text: said, at }] = [quantities[place - 1], quantities[place]!];
  return (
    before !== undefined && value === 1 && !/\d/.test(said) && /^\s?(?:в|за|\/)\s?$/iu.test(text.slice(before.end, at))
  );
}

const placed = (text: string, { at, end, minutes }: DayTime): Quantity => ({
  ...{ text: text.slice(at, end), at, end, value: minutes / 60 },
  unit: null,
});

/** «с 20 до 10» and «в 20» in an answer can only be hours. */
export function narrowToClaim(readings: readonly Reading[], text: string, { at }: Quantity): readonly Reading[] {
  const time = readings.find((one) => one.kind === "time")?.time;
  if (time === undefined || readings.length === 1) return readings;
  const before = text.slice(Math.max(0, at - 8), at);
  const counted = readings.some((one) => one.kind === "quantity" && one.noun !== null);
  const spoken =
    time.other !== null &&
    (time.side === "from" ? /(?<!\p{L})со?\s$/iu.test(before) : /(?<!\p{L})(?:до|по)\s$/iu.test(before));
  const moment = time.side === null && /(?<!\p{L})в\s$/iu.test(before);
  return (spoken || moment) && !counted ? [{ kind: "time", time }] : readings;
}
