import { expect, it } from "vitest";
import { wholeNumbers } from "./whole-numbers.ts";

it("keeps a number, its groups, its sign and its short unit in one line", () => {
  expect(wholeNumbers("На 100 мл берите 10 г кофе")).toBe("На 100\u00a0мл берите 10\u00a0г кофе");
  expect(wholeNumbers("4 000 штук — 68 800 ₽, до 3 %")).toBe("4\u00a0000 штук — 68\u00a0800\u00a0₽, до 3\u00a0%");
});

it("parts what are two numbers, and a number from words and dashes", () => {
  expect(wholeNumbers("в 2024 1500 строк, 5 – 7 дней, комната 12 2000")).toBe(
    "в 2024 1500 строк, 5 – 7 дней, комната 12 2000",
  );
});
