import { expect, test } from "vitest";
import * as z from "zod/mini";
import { searchText } from "./search-text.ts";

const Text = searchText(20, { missing: "Введите запрос", long: "Слишком длинный запрос" });

test("white space is collapsed to one space and does not count towards the length", () => {
  expect(z.parse(Text, ` сколько${" ".repeat(3000)}стоит\t\n`)).toBe("сколько стоит");
  expect(Text.safeParse("а".repeat(21)).success).toBe(false);
});

test("an enormous text is refused even if it consists of white space", () => {
  expect(Text.safeParse(" ".repeat(5_000_000)).success).toBe(false);
  expect(Text.safeParse(`слово${" ".repeat(5_000_000)}`).success).toBe(false);
});
