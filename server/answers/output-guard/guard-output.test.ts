import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "#server/test/lints/expressions/linear.ts";
import { randomRuns } from "#server/test/random-runs.ts";
import { guardOutput, outputGuard } from "./guard-output.ts";

const sources = ["Прайс: https://shop.example/price?id=1 и сайт example.ru"];
const streamed = (deltas: string[]) => {
  const guard = outputGuard(sources);
  return deltas.map((delta) => guard.push(delta)).join("") + guard.end();
};

describe("the output guard", () => {
  test.each([
    ["Смотри ![кот](https://evil.example/a.png?d=секрет) вот", "Смотри вот"],
    ["Смотри ![кот][1] вот", "Смотри вот"],
    ["Нажми [сюда](https://evil.example/?q=1) скорее", "Нажми сюда скорее"],
    ["Нажми [сюда](javascript:alert(1)) скорее", "Нажми сюда) скорее"],
    ["Прайс [тут](https://shop.example/price?id=1)", "Прайс тут (https://shop.example/price?id=1)"],
    ["Прайс https://shop.example/price?id=1.", "Прайс https://shop.example/price?id=1."],
    ["Прайс https://shop.example/price?id=2.", "Прайс ."],
    ["Наш сайт www.example.ru/", "Наш сайт www.example.ru/"],
    ["Зайди на evil.com/path, там всё", "Зайди на , там всё"],
    ["Текст <b>жирный</b> <img src=x onerror=alert(1)> конец", "Текст жирный конец"],
    ["<<b>script>alert(1)</script>", "alert(1)"],
    ["ht<i></i>tps://evil.example/x да", "да"],
    ["<https://evil.example/x> да", "да"],
    ["невиди\u200bмое\u202e и \u{e0041}\u{e0042}теги\u00ad", "невидимое и теги"],
    ["семья 👨‍👩‍👧 и ❤️ целы", "семья 👨‍👩‍👧 и ❤️ целы"],
    ["люблю <3 и 2 < 5, т.е. так", "люблю <3 и 2 < 5, т.е. так"],
    ["строка\nещё строка", "строка\nещё строка"],
  ])("turns %j into %j", (text, expected) => {
    expect(guardOutput(text, sources)).toBe(expected);
  });

  test("leaves an honest sentence as it is", () => {
    expect(guardOutput("Я не знаю, спрошу у человека.", [])).toBe("Я не знаю, спрошу у человека.");
  });

  test("removes things that are nested in each other, however deep", () => {
    expect(guardOutput(`e${"<".repeat(40)}b${">b".repeat(39)}>vil.com/x`, [])).not.toMatch(/evil\.com/);
  });

  test("gives the same text however the stream is cut", () => {
    const piece = fc.constantFrom(
      "слово",
      " ",
      "  ",
      "\n",
      "![a](http://e.com/x y)",
      "[b](http://e.com)",
      "[",
      "]",
      "(",
      ")",
      "<b>",
      "<",
      ">",
      "http://e.com/a",
      "example.ru",
      "я",
      " не",
      " бот",
      ".",
      "👍🏽",
      "\u200b",
      "ё",
      "!",
      "я живой человек",
      "evil",
      " точка",
      " ру",
      "[.]",
      "com",
      "\ufeff",
      "anna@e.com",
      "да.Нет",
      "[id1|Анна]",
      "|",
      "*id1",
      "*evil",
      " (",
      "<@U1>",
      "<#",
      "@id1",
      " . ",
      ". ",
      " .",
      "12",
      " / ",
      "рф",
      "сом",
      " ",
      ", ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
        const text = pieces.join("");
        const points = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
        const deltas = [0, ...points].map((from, i) => text.slice(from, points[i] ?? text.length));
        expect(streamed(deltas)).toBe(guardOutput(text, sources));
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  test("stays fast on a text that is made to be slow", () => {
    for (const part of [
      "[ ",
      "![a](",
      "[](a",
      "< b",
      "я ",
      "a.",
      "a-",
      "1.",
      "a:",
      ":a",
      "<a <",
      "]( ",
      "@a",
      "точка ",
      "не ",
      "a . ",
      "a. ",
      "1 . ",
      "( . ) ",
      "*a (",
      "[a|",
      "<@",
      "a·",
      "точка a ",
      "| ",
    ]) {
      expect(cpuMs(() => guardOutput(part.repeat(8000 / part.length), sources))).toBeLessThan(500);
    }
  });

  test("shows the words of a stream before its end", () => {
    const guard = outputGuard([]);
    expect(guard.push("Привет, всё готово")).toBe("Привет, всё");
    expect(guard.push(" к пятнице")).toBe(" готово к");
    expect(guard.end()).toBe(" пятнице");
  });

  test("never lets a foreign address through", () => {
    const text = fc
      .array(
        fc.constantFrom(
          "https://evil.com/",
          "[x](",
          "<",
          "b>",
          "!",
          "[a]",
          "(",
          ")",
          "evil.com",
          " ",
          "\u200b",
          "a",
          "www.",
          "://",
          "https",
          "evil . com /",
          "[id1|",
          "*id1 ",
          "@id1",
          " . ",
        ),
        { maxLength: 15 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (value) => {
        expect(guardOutput(value, [])).not.toMatch(/evil\s?\.\s?com\s?\/|\[id1\||(?<![a-z])[@*]id1/);
      }),
      { numRuns: randomRuns(2000) },
    );
  });
});
