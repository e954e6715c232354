import { expect, it } from "vitest";
import { wholeNumbers } from "./whole-numbers.ts";

it("keeps a number, its groups and its sign in one line", () => {
  expect(wholeNumbers("4 000 штук — 68 800 ₽, до 3 %")).toBe("4\u00a0000 штук — 68\u00a0800\u00a0₽, до 3\u00a0%");
});

it("parts what are two numbers, and a number from words and dashes", () => {
  expect(wholeNumbers("в 2024 1500 раз, 5 – 7 дней, комната 12 2000")).toBe(
    "в 2024 1500 раз, 5 – 7 дней, комната 12 2000",
  );
});
