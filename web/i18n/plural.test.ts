import { expect, test } from "vitest";
import { plural, pluralForm } from "./plural.ts";

const messages = ["сообщение", "сообщения", "сообщений"] as const;

test.each([
  [0, "сообщений"],
  [1, "сообщение"],
  [2, "сообщения"],
  [5, "сообщений"],
  [11, "сообщений"],
  [21, "сообщение"],
  [22, "сообщения"],
  [25, "сообщений"],
  [111, "сообщений"],
  [1.5, "сообщения"],
])("%d %s", (count, expected) => {
  expect(pluralForm(count, messages)).toBe(expected);
});

test("the number has Russian formatting and is joined to its word by a no-break space", () => {
  expect(plural(12345, messages)).toBe("12\u00a0345\u00a0сообщений");
});
