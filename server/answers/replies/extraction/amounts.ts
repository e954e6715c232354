import {
  type Dimension,
  type Quantity,
  quantitiesIn,
  sameQuantity,
} from "#server/knowledge/language/statements/quantities.ts";

/** Words before a number that make it an upper or lower limit. */
const UP_TO = /(?:до|менее|меньше|младше|легче|короче|under|up to)\s{0,3}$/iu;
const FROM = /(?:от|с|со|более|больше|свыше|старше|тяжелее|длиннее|over|from)\s{0,3}$/iu;
const BEFORE = 12;

/** Dimensions in which rules set limits; counts of people or pieces rarely are limits. */
const LIMITED: ReadonlySet<Dimension> = new Set(["clock", "months", "percent", "mass", "length", "volume"]);

/** Amounts that are compared with an answer's limits. */
export const limitedAmounts = (text: string): Quantity[] =>
  quantitiesIn(text).filter(({ unit }) => unit !== null && LIMITED.has(unit.dimension));

/** Whether the answer applies to the amounts in the question: «до 10 кг» says nothing about «кобель 40 кг». */
export function coversAmounts(question: string, answer: string): boolean {
  const asked = limitedAmounts(question);
  if (asked.length === 0) return true;
  const stated = boundsIn(answer);
  return asked.every((one) => stated.some((bound) => holds(bound, one)));
}

interface Bound {
  quantity: Quantity;
  /** Direction of the limit; null: exactly this amount. */
  side: "up to" | "from" | null;
}

function boundsIn(text: string): Bound[] {
  let from = 0;
  return quantitiesIn(text).map((quantity) => {
    const at = text.indexOf(quantity.text, from);
    from = Math.max(from, at + 1);
    const before = text.slice(Math.max(0, at - BEFORE), Math.max(0, at));
    return { quantity, side: UP_TO.test(before) ? "up to" : FROM.test(before) ? "from" : null };
  });
}

function holds({ quantity, side }: Bound, asked: Quantity): boolean {
  if (sameQuantity(quantity, asked)) return true;
  if (side === null || quantity.unit === null || quantity.unit.dimension !== asked.unit!.dimension) return false;
  return side === "up to" ? asked.unit!.base <= quantity.unit.base : asked.unit!.base >= quantity.unit.base;
}
