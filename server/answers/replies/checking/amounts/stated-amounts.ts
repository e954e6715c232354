/** Extracts the amounts stated by one sentence, line or row, each with its subject (docs/decisions/026-answer-verification.md). */
import { type Quantity, withoutPhones } from "#server/knowledge/language/statements/quantities.ts";
import type { Unit } from "#server/knowledge/language/statements/units.ts";
import { boundAt, rangeOf } from "./bounds.ts";
import { clausesOf, isAlike, leadOf, nearbyWords, type Said } from "./clauses.ts";
import { perBehind, pricedIn, standsAsPrice } from "./prices.ts";
import { type Item, itemsIn, narrowToClaim, type Reading } from "./readings.ts";
import { type Role, rolesIn, type Tokens, tokensOf } from "./tokens.ts";

export interface StatedAmount {
  text: string;
  at: number;
  end: number;
  readings: readonly Reading[];
  /** A limit («от 500», «до 10 кг») or an end of a range. */
  bound: "from" | "to" | null;
  /** Index of the other end of its range among the sentence's amounts; null: none. */
  other: number | null;
  /** Unit of payment: «в час», «за урок». */
  per: string | null;
  /** Subject of the amount according to the adjacent words. */
  local: Tokens;
  /** Subject at the start of the sentence, which holds for everything after it. */
  lead: Tokens;
  roles: ReadonlySet<Role>;
  mayBePrice: boolean;
  /** Root of the noun that the clause gives a price: «полировка стоит»; null: none. */
  priced: string | null;
  isHour: boolean;
  /** Token that represents this amount among the tokens of adjacent amounts. */
  company: string;
  /** Unit of a bare number, named earlier in the sentence: «через три месяца, на верхней через пять». */
  elided: Unit | null;
}

interface Surroundings {
  /** Whether the sentence belongs to a source, where words like «включено» mean free of charge. */
  source: boolean;
  /** Context of the whole sentence from elsewhere: a list's heading, the fields of a record. */
  lead?: string;
}

/** Characters read together; a longer sentence is read in pieces, so that no text takes long. */
const LONGEST = 300;

export function amountsIn(sentence: string, surroundings: Surroundings): StatedAmount[] {
  const text = withoutPhones(sentence);
  const found: StatedAmount[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    const first = found.length;
    for (const amount of amountsOfPiece(text.slice(from, to), surroundings))
      found.push({
        ...amount,
        at: amount.at + from,
        end: amount.end + from,
        other: amount.other === null ? null : amount.other + first,
      });
    from = to;
  }
  return found;
}

function endOfPiece(text: string, from: number): number {
  if (text.length - from <= LONGEST) return text.length;
  const space = text.lastIndexOf(" ", from + LONGEST);
  return space <= from ? from + LONGEST : space;
}

function amountsOfPiece(text: string, { source, lead = "" }: Surroundings): StatedAmount[] {
  const items = itemsIn(text, source);
  if (items.length === 0) return [];
  const clauses = clausesOf(text, items);
  const around = tokensOf(lead, source);
  const leads = new Map<string, Tokens>();
  const leadingIn = (opening: string): Tokens => {
    const known = leads.get(opening) ?? new Set([...around, ...tokensOf(opening, source)]);
    leads.set(opening, known);
    return known;
  };
  return items.map(({ quantity, readings }, place) => {
    const said = nearbyWords(text, items, place, clauses);
    const opening = leadOf(text, items, quantity.at);
    const leading = leadingIn(opening);
    const range = rangeOf(text, items, place);
    const own = tokensOf(said.text, source);
    const begun = own.size === 0 ? text.slice(0, quantity.at) : opening;
    const local = withCompanions(new Set(own), text, items, { ...said, place });
    return {
      ...{ text: quantity.text, at: quantity.at, end: quantity.end },
      readings: source ? readings : narrowToClaim(readings, text, quantity),
      bound: range?.bound ?? boundAt(text, quantity.at),
      other: range?.other ?? null,
      per: perBehind(text, quantity.end),
      ...{ local, lead: leading },
      roles: rolesOfFirst(said.text, begun, lead),
      mayBePrice: standsAsPrice(text, quantity),
      company: companionToken(quantity),
      priced: source ? null : pricedIn(text.slice(said.from, quantity.at)),
      elided: elidedUnit(items, place),
      isHour:
        isHour(text, quantity.at, readings) || (readings[0]?.kind === "time" && [...local, ...leading].some(isDay)),
    };
  });
}

function rolesOfFirst(...texts: readonly string[]): ReadonlySet<Role> {
  for (const text of texts) {
    const roles = text === "" ? NO_ROLES : rolesIn(text);
    if (roles.size > 0) return roles;
  }
  return NO_ROLES;
}
const NO_ROLES: ReadonlySet<Role> = new Set();

function elidedUnit(items: readonly Item[], place: number): Unit | null {
  if (items[place]!.quantity.unit !== null) return null;
  const before = items.slice(0, place).findLast(({ quantity }) => quantity.unit !== null)?.quantity;
  if (before?.unit == null || before.value === 0) return null;
  const { dimension, base, currency } = before.unit;
  return { dimension, size: base / before.value, ...(currency === undefined ? {} : { currency }) };
}

const isDay = (token: string): boolean => token.startsWith("day ");

/** «с 10» and «10:00» are times; «4–5» may be anything. */
const isHour = (text: string, at: number, [first]: readonly Reading[]): boolean =>
  first?.kind === "time" &&
  (!first.time.bare || /(?<!\p{L})(?:с|со|в|к|до|по)\s$/iu.test(text.slice(Math.max(0, at - 4), at)));

/** Adjacent amounts identify the subject: the price of eight lessons is not that of four. */
function withCompanions(
  tokens: Set<string>,
  text: string,
  items: readonly Item[],
  { place, from, to }: Said & { place: number },
): Tokens {
  for (const [at, { quantity }] of items.entries()) {
    if (at === place || quantity.at < from || quantity.end > to || isAlike(items[at]!, items[place]!)) continue;
    tokens.add(companionToken(quantity));
    if (boundAt(text, quantity.at) !== null) tokens.add(CONDITION + companionToken(quantity));
  }
  return tokens;
}

const companionToken = ({ unit, value }: Pick<Quantity, "unit" | "value">): string => `# ${unit?.base ?? value}`;
export const FREE = companionToken({ unit: { dimension: "free", base: 0 }, value: 0 });
/** Prefix of a token for an adjacent limit: «от 6 000 рублей». */
export const CONDITION = "if ";
