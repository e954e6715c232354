import { expect, test } from "vitest";
import {
  blankField,
  fieldNameOf,
  unnamedField,
  withNamedFields,
  withNames,
  withoutFields,
  withWords,
} from "./named-fields.ts";

test("a Cyrillic word in braces becomes a field with a Latin name, and the question keeps the word", () => {
  const question = "Есть ли {сорт кофе} на {date}?";
  const fields = withNamedFields(question, []);
  expect(fields.map(({ name, label }) => [name, label])).toEqual([
    ["sort_kofe", "Сорт кофе"],
    ["date", ""],
  ]);
  expect(withNames(question)).toBe("Есть ли {sort_kofe} на {date}?");
  expect(withWords(withNames(question), fields)).toBe(question);
  expect(withNamedFields(question, fields)).toBe(fields);
});

test("what makes no name has no field, and says so", () => {
  expect([fieldNameOf("42"), fieldNameOf("7 дней"), fieldNameOf("Щука")]).toEqual([null, "dney", "schuka"]);
  expect(withNamedFields("{42} и {}", [])).toEqual([]);
  expect(withNames("{42}")).toBe("{42}");
  expect(withoutFields("{42} {сорт} {item}", [{ name: "sort" }])).toEqual(["42", "item"]);
});

test("a question has the labels of its fields in braces, whatever their names, and is stored with the names", () => {
  const fields = [
    { ...blankField, name: "nomer", label: "Номер заказа" },
    { ...blankField, name: "date", label: " День " },
    { ...blankField, name: "tovar", label: "" },
  ];
  const stored = "Успеем {nomer} на {date}? {tovar}";
  const shown = "Успеем {номер заказа} на {день}? {tovar}";
  expect(withWords(stored, fields)).toBe(shown);
  expect(withNames(shown, fields)).toBe(stored);
  // The word that made the field is still understood after its label has changed.
  expect(withNames("Успеем {номер}?", fields)).toBe("Успеем {nomer}?");
  expect(withNamedFields(shown, fields)).toBe(fields);
  // Labels that two fields share say nothing, and a word of no field stays readable for its owner.
  const same = [fields[1]!, { ...blankField, name: "day", label: "день" }];
  expect(withWords("{date} {day}", same)).toBe("{date} {day}");
  expect(withoutFields(withNames("Есть {сорт}?", fields), fields)).toEqual(["сорт"]);
});

test("a field that is added by hand has a name of its own", () => {
  const [first, third] = [unnamedField([]), { ...blankField, name: "pole_2" }];
  expect([first.name, unnamedField([third]).name]).toEqual(["pole_1", "pole_3"]);
});
