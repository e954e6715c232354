import { expect, test } from "vitest";
import { fieldNameOf, withNamedFields, withNames, withoutFields, withWords } from "./named-fields.ts";

test("a Cyrillic word in braces becomes a field with a Latin name, and the question keeps the word", () => {
  const question = "Есть ли {сорт кофе} на {date}?";
  const fields = withNamedFields(question, []);
  expect(fields.map(({ name, label }) => [name, label])).toEqual([
    ["sort_kofe", "Сорт кофе"],
    ["date", ""],
  ]);
  expect(withNames(question)).toBe("Есть ли {sort_kofe} на {date}?");
  expect(withWords(withNames(question), fields)).toBe(question);
  // A label of its owner's own choice does not follow from the name, so the name stays.
  expect(withWords("{date}", [{ name: "date", label: "День" }])).toBe("{date}");
  expect(withNamedFields(question, fields)).toBe(fields);
});

test("what makes no name has no field, and says so", () => {
  expect([fieldNameOf("42"), fieldNameOf("7 дней"), fieldNameOf("Щука")]).toEqual([null, "dney", "schuka"]);
  expect(withNamedFields("{42} и {}", [])).toEqual([]);
  expect(withNames("{42}")).toBe("{42}");
  expect(withoutFields("{42} {сорт} {item}", [{ name: "sort" }])).toEqual(["42", "item"]);
});
