import fc from "fast-check";
import { expect, test } from "vitest";
import { gramsOf, normalize, plainWords, stemOf, words } from "./analyze.ts";

test("letter case, ё, accents, soft hyphens and compatibility forms do not matter", () => {
  expect(normalize("Ёлка ЗА́МОК до\u00adставка ﬁre №５")).toBe("елка замок доставка fire no5");
});

test("й stays й", () => {
  expect(normalize("Йод мои\u0306")).toBe("йод мой");
});

test("words are runs of letters and digits in any script", () => {
  expect(words("Привет, user_42! E-mail: a.b@c.ru 👋 日本 (3,5%)")).toEqual([
    "привет",
    "user",
    "42",
    "e",
    "mail",
    "a",
    "b",
    "c",
    "ru",
    "日本",
    "3",
    "5",
  ]);
  expect(words("")).toEqual([]);
  expect(words("…—!")).toEqual([]);
});

test("a very long run of letters is cut", () => {
  expect(words("x".repeat(5000))).toEqual(["x".repeat(40)]);
});

test("words in their original spelling are found only in Russian and English text, with the same boundaries", () => {
  expect(plainWords("Ёлка, «ЗАМОК» — it’s 5…")).toEqual(["Ёлка", "ЗАМОК", "it", "s", "5"]);
  const odd = ["и\u0306", "№", "ﬁ", "ї", "é", "\u00ad", "\u0301", "👋"];
  for (const text of odd) expect(plainWords(`да ${text}`)).toBeNull();
  const characters = fc.constantFrom(..."аяЁёЙйzZ09 _.-'\n\u00a0«»–—‘’‚“”„…\0", ..."ж".repeat(9), ...odd);
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 90 }), (text) => {
      expect((plainWords(text) ?? words(text)).map(normalize)).toEqual(words(text));
    }),
  );
});

test("forms of one word share a stem, in Russian and in English", () => {
  expect(new Set(["доставка", "доставки", "доставку", "доставкой"].map(stemOf)).size).toBe(1);
  expect(new Set(["connect", "connected", "connecting", "connections"].map(stemOf)).size).toBe(1);
  expect(stemOf("2024")).toBe("2024");
});

test("stop words of both languages have no stem", () => {
  expect(["что", "где", "the", "what", "и"].map(stemOf)).toEqual(["", "", "", "", ""]);
});

test("n-grams mark the beginning and the end of a word", () => {
  expect(gramsOf("доставка")).toEqual([" дос", "дост", "оста", "став", "тавк", "авка", "вка "]);
  expect(gramsOf("да")).toEqual([" да "]);
  expect(gramsOf("я")).toEqual([" я "]);
});
