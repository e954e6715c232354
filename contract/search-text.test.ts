import { expect, test } from "vitest";
import * as z from "zod/mini";
import { searchText } from "./search-text.ts";

const Text = searchText(20, { missing: "Введите запрос", long: "Слишком длинный запрос" });

test("white space is one space, and does not count towards the length", () => {
  expect(z.parse(Text, ` сколько${" ".repeat(3000)}стоит\t\n`)).toBe("сколько стоит");
  expect(Text.safeParse("а".repeat(21)).success).toBe(false);
});

test("a flood is refused for its length, whatever it consists of", () => {
  expect(Text.safeParse(" ".repeat(5_000_000)).success).toBe(false);
  expect(Text.safeParse(`слово${" ".repeat(5_000_000)}`).success).toBe(false);
});
