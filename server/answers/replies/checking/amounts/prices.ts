/** Recognises prices by the words around an amount. */
import type { Quantity } from "#server/knowledge/language/statements/quantities.ts";
import { unitNamed } from "#server/knowledge/language/statements/units.ts";
import { tokensOf } from "./tokens.ts";

const PER = /^\s?(?:\/|в\s|за\s|с\s|на\s)\s?(?:один\s|одного\s|одну\s|каждого\s|каждый\s)?(\p{L}{1,12})/iu;
const PER_NOUN = /^(?:урок|занят|сезон|смен|сеанс|рейс|выезд|визит|проход|комплект|пар)/iu;

/** Returns the unit of payment («в час», «за урок», «/кг»), in one form for all spellings. */
export function perBehind(text: string, end: number): string | null {
  const noun = PER.exec(text.slice(end, end + 32))?.[1]?.toLowerCase();
  if (noun === undefined) return null;
  const unit = unitNamed(noun);
  if (unit !== null) return `${unit.dimension} ${unit.size}`;
  return PER_NOUN.exec(noun)?.[0] ?? null;
}

/** The noun before «стоит» or a dash; an adverb («обычно стоит») does not count. */
const PRICED =
  /(?<!\p{L})(\p{L}{4,24})\s(?:стоит|стоят|обойд[её]тся|обойдутся|costs?)(?!\p{L})|(?<!\p{L})(\p{L}{4,24})\s[—–-]\s(?:\p{L}{2}\s)?$/iu;
const NO_NOUN = /(?:о|е|и|ски|ть|тся|й|м|у|ю)$/iu;

/** @param before the clause up to the amount */
export function pricedIn(before: string): string | null {
  const found = PRICED.exec(before);
  const noun = (found?.[1] ?? found?.[2])?.toLowerCase().replaceAll("ё", "е");
  if (noun === undefined || NO_NOUN.test(noun)) return null;
  const [root] = [...tokensOf(noun)].filter((one) => !one.includes(" "));
  return root ?? null;
}

const ADDRESS =
  /(?<!\p{L})(?:ул|улиц\p{L}|дом|д|кв|квартир\p{L}|оф|офис|каб|кабинет|эт|этаж|стр|корп|корпус|пер|просп\p{L}{0,5}|пр-т|шоссе|подъезд|код|№|n)\.?\s?$/iu;

/** Whether the number ends its clause and is no house number: «Роза — 150», «Роза 150». */
export function standsAsPrice(text: string, { at, end }: Quantity): boolean {
  const [before, behind] = [text.slice(Math.max(0, at - 40), at), text.slice(end, end + 3)];
  if (ADDRESS.test(before) || /(?<!\p{L})(?:ул|улиц\p{L}|шоссе|просп\p{L}{0,5})(?!\p{L})/iu.test(before)) return false;
  return /^\s?(?:$|[.,;:!?)|\n/]|[-–—])/u.test(behind) || /[-–—:|]\s{0,3}$/u.test(before);
}
