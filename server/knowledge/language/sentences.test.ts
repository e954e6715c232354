import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { randomRuns } from "#server/test/random-runs.ts";
import { sentenceSpans, splitSentences } from "./sentences.ts";

describe("splitting into sentences", () => {
  test.each([
    ["Привет! Как дела? Норм.", ["Привет!", "Как дела?", "Норм."]],
    ["Живу на ул. Ленина, д. 5, кв. 7. Приезжай.", ["Живу на ул. Ленина, д. 5, кв. 7.", "Приезжай."]],
    ["Офис в г. Москва. Открыт в 1999 г. Он большой.", ["Офис в г. Москва.", "Открыт в 1999 г.", "Он большой."]],
    ["Это бесплатно, т. е. даром. Да.", ["Это бесплатно, т. е. даром.", "Да."]],
    ["Приезжаем сами, т. е. Иван едет к вам. Ждите.", ["Приезжаем сами, т. е. Иван едет к вам.", "Ждите."]],
    ["Доставка 350 руб. Заказ от 5.5 тыс. руб. бесплатно.", ["Доставка 350 руб.", "Заказ от 5.5 тыс. руб. бесплатно."]],
    ["А. С. Пушкин родился в Москве. Он писал.", ["А. С. Пушкин родился в Москве.", "Он писал."]],
    ["Спросите проф. Иванова. Тел. 8 800 555-35-35.", ["Спросите проф. Иванова.", "Тел. 8 800 555-35-35."]],
    ["Возьмите чек, паспорт и т. д. Ждём вас.", ["Возьмите чек, паспорт и т. д.", "Ждём вас."]],
    ["«Когда?» — спросил он. «Завтра!» ответила она.", ["«Когда?» — спросил он.", "«Завтра!» ответила она."]],
    ["1. Откройте сайт. 2. Нажмите кнопку.", ["1. Откройте сайт.", "2. Нажмите кнопку."]],
    ["Mr. Smith met Dr. Jones at 5 p.m. They talked.", ["Mr. Smith met Dr. Jones at 5 p.m.", "They talked."]],
    [
      "Длинная строка, которую\nперенесли посередине. Дальше.",
      ["Длинная строка, которую\nперенесли посередине.", "Дальше."],
    ],
    ["Заголовок\nТекст под ним.\n- пункт\n- ещё пункт", ["Заголовок", "Текст под ним.", "- пункт", "- ещё пункт"]],
    ["Кто там? Я. Входи.", ["Кто там?", "Я.", "Входи."]],
    ["Подождите... нет, не надо… Хорошо.", ["Подождите... нет, не надо…", "Хорошо."]],
    ["  \n\n ", []],
  ])("«%s»", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  test("each sentence is a trimmed piece of the text, in order, and nothing visible is lost", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "Привет. ",
        "ул. ",
        "г. Москва",
        "\n",
        "\n\n",
        "т. е. ",
        "5.5",
        "! ",
        "? — да",
        "А. С. ",
        "- ",
        "😀",
        "… ",
        "«Да.» ",
      ),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        let last = 0;
        let between = "";
        for (const { text: sentence, start, end } of sentenceSpans(text)) {
          expect(text.slice(start, end)).toBe(sentence);
          expect(sentence).toBe(sentence.trim());
          expect(start).toBeGreaterThanOrEqual(last);
          between += text.slice(last, start);
          last = end;
        }
        expect((between + text.slice(last)).trim()).toBe("");
      }),
      { numRuns: randomRuns(300) },
    );
  });
});
