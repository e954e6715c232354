import type { ImportPerson } from "#contract/knowledge/imports.ts";

/** A name must contain at least two consecutive letters. */
const LETTERS = /\p{L}{2,}/u;

/**
 * Returns the one person of an export who may bear the name: «Лёша» for «Лёша Синицын», but not «Лёша Петров». Returns null for none
 * or several.
 */
export function namesakeOf(name: string, people: readonly ImportPerson[]): string | null {
  const wanted = wordsOf(name);
  const found = people.filter((person) => bear(wordsOf(person.name), wanted));
  return found.length === 1 ? found[0]!.id : null;
}

/** Whether the first names are equal and the longer name contains every part of the shorter one. */
function bear(one: readonly string[], other: readonly string[]): boolean {
  if (one.length === 0 || one[0] !== other[0]) return false;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return short.every((word) => long.includes(word));
}

const wordsOf = (name: string) =>
  name
    .toLocaleLowerCase("ru-RU")
    .replaceAll("ё", "е")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => LETTERS.test(word));
