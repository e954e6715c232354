import { sameDate } from "#server/knowledge/language/statements/dates.ts";
import { sameTime } from "#server/knowledge/language/statements/day-times.ts";
import { isNearlyEqual, MIN_PRICE, type Quantity } from "#server/knowledge/language/statements/quantities.ts";
import { unitNamed } from "#server/knowledge/language/statements/units.ts";
import type { Reading } from "./readings.ts";
import type { SourceAmount } from "./source-amounts.ts";
import type { StatedAmount } from "./stated-amounts.ts";

export function kindOf(amount: SourceAmount): string {
  const { readings, isHour, headed, mayBePrice } = amount;
  const read = readings.find(({ kind }) => kind === "quantity");
  if (isHour || read?.kind !== "quantity") return readings[0]?.kind ?? "none";
  if (readings.some(({ kind }) => kind === "date")) return "date";
  const { unit, value } = read.quantity;
  if (unit?.dimension === "free") return "money";
  if (unit !== null) return unit.dimension;
  if (headed !== null) return unitNamed(headed)!.dimension;
  return read.noun === null && mayBePrice && value >= MIN_PRICE ? "money" : "count";
}

/**
 * @param side end of the hours that is meant, when the amount itself does not show it
 * @param asksPrice whether a bare number can only be a price
 */
export function isSame(
  amount: StatedAmount,
  known: SourceAmount,
  side: "from" | "to" | null = null,
  asksPrice = true,
): boolean {
  const pair = { amount, known, side, asksPrice };
  return amount.readings.some((one) => known.readings.some((other) => areSame(one, other, pair)));
}

type Read = Extract<Reading, { kind: "quantity" }>;

interface Pair {
  amount: StatedAmount;
  known: SourceAmount;
  side: "from" | "to" | null;
  asksPrice: boolean;
}

/** Whether a bare number such as «16» answers a question about hours or a day. */
const isBareOf = ({ quantity: { value, unit }, noun }: Read, other: Exclude<Reading, Read>): boolean =>
  unit === null && noun === null && value === (other.kind === "date" ? other.date.day : other.time.minutes / 60);

function areSame(one: Reading, other: Reading, { amount, known, side, asksPrice }: Pair): boolean {
  if (one.kind === "time" && other.kind === "time") {
    const said = one.time.side ?? side;
    return sameTime(one.time, other.time) && (said === null || other.time.side === null || said === other.time.side);
  }
  if (one.kind === "date" && other.kind === "date") return sameDate(one.date, other.date);
  if (one.kind === "quantity" && other.kind !== "quantity") return isBareOf(one, other) && !asksPrice;
  return one.kind === "quantity" && other.kind === "quantity" && areSameQuantities(one, other, { amount, known });
}

function areSameQuantities(one: Read, other: Read, { amount, known }: Pick<Pair, "amount" | "known">): boolean {
  const [mine, theirs] = [one.quantity, other.quantity];
  if (!sameValue(mine, theirs)) return false;
  if (mine.unit !== null && theirs.unit !== null) return true;
  if (mine.unit !== null) return takesUnit(mine, other, known);
  if (theirs.unit !== null) return one.noun === null || COUNTS.has(theirs.unit.dimension) || isHeaded(one.noun, known);
  return (
    one.noun === null ||
    other.noun === null ||
    one.noun === other.noun ||
    isHeaded(one.noun, known) ||
    amount.lead.has(other.noun)
  );
}

/** Dimensions that any noun counts: «2 веника» are two pieces. */
const COUNTS = new Set(["pieces", "people", "times"]);

const isHeaded = (noun: string, { local, lead, about }: SourceAmount): boolean =>
  local.has(noun) || lead.has(noun) || about.has(noun);

function sameValue(one: Quantity, other: Quantity): boolean {
  // A value with an implied thousand matches either way.
  const values = (quantity: Quantity) => [quantity.value, ...(quantity.meant === undefined ? [] : [quantity.meant])];
  if (one.unit !== null && other.unit !== null) {
    if (one.unit.dimension !== other.unit.dimension || one.unit.currency !== other.unit.currency) return false;
    return isNearlyEqual(one.unit.base, other.unit.base);
  }
  const [mine, theirs] = [one.unit, other.unit].map((unit) => (unit?.dimension === "percent" ? unit.base : null));
  return values(one).some((value) => values(other).some((known) => isNearlyEqual(mine ?? value, theirs ?? known)));
}

function takesUnit({ unit, value }: Quantity, { noun }: Read, known: SourceAmount): boolean {
  const { dimension, currency, base } = unit!;
  if (known.headed !== null) {
    const heading = unitNamed(known.headed)!;
    return heading.dimension === dimension && heading.currency === currency;
  }
  const { elided } = known;
  if (elided?.dimension === dimension && elided.currency === currency && noun === null)
    return isNearlyEqual(value * elided.size, base) || dimension === "money";
  if (COUNTS.has(dimension)) return dimension !== "times" || noun === null;
  return dimension === "money" && currency === "rub" && noun === null && known.mayBePrice && value >= MIN_PRICE;
}
