import type { ImportPerson } from "#contract/knowledge/imports.ts";

/** A sign or two is no name. */
const LETTERS = /\p{L}{2,}/u;

/**
 * The one person of an export who may bear the name: «Лёша» for «Лёша Синицын», but not «Лёша Петров»; null where no person does, or
 * several do.
 */
export function namesakeOf(name: string, people: readonly ImportPerson[]): string | null {
  const wanted = wordsOf(name);
  const found = people.filter((person) => bear(wordsOf(person.name), wanted));
  return found.length === 1 ? found[0]!.id : null;
}

/** The first name is the same, and whatever else the shorter name says the longer one says too. */
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
