import { describe, expect, test } from "vitest";
import { parseRecord } from "./answer-record.ts";
import { evaluate } from "./expressions.ts";
import { parseVerdict } from "./verifier.ts";

const whole = { kind: "answered", messages: ["Да."], sources: [1], sums: [], open: "", action: "", search: "" };

describe("a model's record", () => {
  test.each([
    ["as it was asked for", JSON.stringify(whole)],
    ["in a code fence", `\`\`\`json\n${JSON.stringify(whole)}\n\`\`\``],
    ["behind a sentence", `Вот ответ: ${JSON.stringify(whole)}`],
    [
      "with one text instead of a list, and numbers in quotes",
      JSON.stringify({ ...whole, messages: "Да.", sources: ["[1]"] }),
    ],
    ["without the fields that are empty", JSON.stringify({ kind: "answered", messages: [" Да. "], sources: [1] })],
  ])("is read %s", (_, written) => {
    expect(parseRecord(written)).toEqual(whole);
  });

  test.each([
    ["plain text", "Привезём завтра."],
    ["broken JSON", '{"kind": "answered", "messages": ["Да'],
    ["an unknown kind", JSON.stringify({ ...whole, kind: "maybe" })],
    ["an answer without a message", JSON.stringify({ ...whole, messages: [] })],
    ["far too many messages", JSON.stringify({ ...whole, messages: Array.from({ length: 40 }, () => "Да.") })],
  ])("is none: %s", (_, written) => {
    expect(parseRecord(written)).toBeNull();
  });

  test("says nothing where it does not know, whatever it wrote", () => {
    expect(parseRecord(JSON.stringify({ ...whole, kind: "unknown", messages: ["Не знаю."] }))?.messages).toEqual([]);
  });
});

describe("a verdict", () => {
  test("names sentences from 1, as they were numbered", () => {
    const written = JSON.stringify({ unsupported: [2], fault: "цена другой услуги", covers: "part", score: 3 });
    expect(parseVerdict(written)).toEqual({ unsupported: [1], fault: "цена другой услуги", covers: "part", score: 3 });
  });

  test("is none without a score", () => {
    expect(parseVerdict('{"unsupported": [], "covers": "all"}')).toBeNull();
    expect(parseVerdict("Всё верно.")).toBeNull();
  });
});

describe("arithmetic", () => {
  test.each([
    ["2 * 3900", 7800, [2, 3900]],
    ["4 200 × 0,9", 3780, [4200, 0.9]],
    ["(1800 + 2900) - 10%", 4699.9, [1800, 2900, 10]],
    ["3 х 350 ₽ = 1050", 1050, [3, 350]],
    ["-5 + 12 : 4", -2, [5, 12, 4]],
    ["1000 руб. + 200 руб.", 1200, [1000, 200]],
    ["150 * 6.2 кг", 930, [150, 6.2]],
  ])("%s", (expression, value, operands) => {
    const found = evaluate(expression)!;
    expect(found.value).toBeCloseTo(value, 6);
    expect(found.operands).toEqual(operands);
  });

  test.each(["", "две по сто", "2 +", "(2 * 3", "5 / 0", "process.exit()", "1 + ".repeat(200)])(
    "is none: «%s»",
    (expression) => {
      expect(evaluate(expression)).toBeNull();
    },
  );
});
