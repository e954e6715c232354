import { expect, test } from "vitest";
import { namesakeOf } from "./namesake.ts";

const people = (...names: string[]) => names.map((name) => ({ id: name, name, messages: 3 }));

test("a person is found by the first name, by the whole one, and by either spelling of «ё»", () => {
  expect(namesakeOf("Лёша Синицын", people("Димон", "Лёша"))).toBe("Лёша");
  expect(namesakeOf("Леша", people("Димон", "Лёша Синицын"))).toBe("Лёша Синицын");
  expect(namesakeOf(" лёша  синицын ", people("Лёша Синицын 🎸", "Димон"))).toBe("Лёша Синицын 🎸");
});

test("no person is chosen where several may be meant, or none", () => {
  expect(namesakeOf("Лёша Синицын", people("Лёша", "Лёша Синицын"))).toBeNull();
  expect(namesakeOf("Лёша Синицын", people("Лёша Петров", "Димон"))).toBeNull();
  expect(namesakeOf("Синицын", people("Лёша Синицын"))).toBeNull();
  expect(namesakeOf("Л", people("Л", "🎸"))).toBeNull();
  expect(namesakeOf("", people("", "Димон"))).toBeNull();
});
