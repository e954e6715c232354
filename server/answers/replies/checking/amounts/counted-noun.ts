/** Finds the noun counted by a number without a unit: «8 занятий», «3 розы», «500 бонусов». */

import { meaningsOf } from "#server/knowledge/language/statements/numerals.ts";
import type { Quantity } from "#server/knowledge/language/statements/quantities.ts";
import { FUNCTION_WORDS } from "#server/knowledge/language/words/lexicon.ts";
import { rootOf } from "../roots.ts";

const BEHIND = /^[ \u00a0](\p{Ll}[\p{L}-]{1,24})(?:[ \u00a0](\p{Ll}[\p{L}-]{1,24}))?/u;
const ADJECTIVE = /(?:ых|их|ой|ая|ые|ие|ый|ий|ое)$/u;
/** Verbs and adverbs that may follow a bare price: «за 500 привезём», «150 сразу». */
const OTHER = /(?:ет|ёт|ит|ут|ют|ат|ят|ем|ём|им|ть|ти|те|ла|ло|ли|ешь|ишь|но|ом|ами|ями|ах|ях|зу)$/u;
const MANY = /(?:ов|ев|ёв|ей|ий|ок|ек|ён|ен|[бвгджзклмнпрстфхцчшщ]|ь)$/u;
const FEW = /(?:а|я|ы|и)$/u;

/** Returns the root of a noun that agrees with the number by Russian grammar; null: none. */
export function countedNoun(text: string, { end, value }: Quantity): string | null {
  const behind = BEHIND.exec(text.slice(end, end + 54));
  if (behind === null || !Number.isInteger(value)) return null;
  const [, first, second] = behind;
  const noun = second !== undefined && ADJECTIVE.test(first!) ? second : first!;
  const plain = noun.replaceAll("ё", "е");
  if (plain.length < 3 || FUNCTION_WORDS.has(plain) || meaningsOf(plain).numeral !== null) return null;
  const few = value % 100 < 11 || value % 100 > 14 ? [2, 3, 4].includes(value % 10) : false;
  if (few ? !FEW.test(noun) : !MANY.test(noun) && value % 10 !== 1) return null;
  return OTHER.test(noun) ? null : rootOf(plain);
}
