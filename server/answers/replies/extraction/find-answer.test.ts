import { describe, expect, test } from "vitest";
import { numberOf, ownThing } from "#server/knowledge/language/ask-back.ts";
import { followUpOf } from "#server/knowledge/language/question/contextual-query.ts";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { findAnswer } from "./find-answer.ts";
import { withoutMarkup } from "./markup.ts";

const chunk = (heading: string, text: string, score = 1): ReplyChunk => ({
  id: heading,
  documentId: "d",
  name: "Магазин",
  heading,
  text,
  score,
  sentences: [],
});
const shop = [
  chunk(
    "Самовывоз",
    "Магазин стоит на Липовой, 7, вход со двора. Открыт ежедневно с 10:00 до 21:00. Собранный заказ хранится 5 дней.",
  ),
  chunk(
    "Чай",
    "- «Роща» — чёрный чай с мятой. Пачка 100 г стоит 320 ₽.\n- «Берег» — зелёный чай. Пачка 100 г стоит 540 ₽.",
  ),
  chunk("Экскурсия", "Экскурсия на завод проходит по средам, до шести человек."),
  chunk("Оплата", "Принимаем карты и оплату по QR-коду."),
  chunk("Обмен", "Вернуть чай можно в течение недели."),
  chunk("Короба", "Короба без печати делаем 7 дней. Короба с печатью делаем 10 дней."),
];
const ask = (message: string, before: string | null = null) =>
  findAnswer({
    parts: questionParts(message, before === null ? null : followUpOf([{ role: "user", content: before }], message)),
    chunks: shop,
    rarity: () => 1,
    limit: 1,
  });

describe("the sentence that answers", () => {
  test.each([
    ["где ваш магазин?", /^Магазин стоит на Липовой, 7/],
    ["до скольки открыт магазин?", /21:00/],
    ["Подскажите адрес магазина и до скольки вы открыты?", /Липовой, 7.*21:00/s],
    ["почём зелёный чай?", /«Берег».*540 ₽/s],
    ["сколко стоет чай Роща", /320 ₽/],
    ["за сколько дней сделаете короба с печатью?", /^Короба с печатью делаем 10 дней/],
    ["Сколько дней хранится заказ?", /5 дней/],
    ["какие способы оплаты", /карты и оплату/],
    ["Как оформить возврат чая?", /^Вернуть чай/],
  ])("to %j matches %s", (message, expected) => {
    const answer = ask(message);
    expect(answer?.text).toMatch(expected);
    expect(answer!.confidence).toBeGreaterThan(0.5);
  });

  test.each([
    ["цена зелёного чая", true],
    ["экскурсия на завод", true],
    ["у меня заказ и самовывоз", false],
  ])("fits %j, which is no question: %j", (message, fits) => {
    expect(ask(message)?.toRemark).toBe(fits);
  });

  test("to a follow-up is about what was asked before", () => {
    expect(ask("а «Берег»?", "Сколько стоит чай «Роща»?")?.text).toContain("540 ₽");
  });

  test.each(["Сколько человек работает у вас на заводе?", "Как зовут директора?", "Сколько калорий в чае?"])(
    "to %j is not there",
    (message) => {
      expect(ask(message)?.confidence ?? 0).toBeLessThan(0.5);
    },
  );
});

test("under a heading that asks the question, the answer is said from its beginning", () => {
  const faq = chunk(
    "Частые вопросы",
    "Где оставить машину? У причала бесплатно. Если занято, машину ставят у магазина.",
  );
  const parts = questionParts("Где оставить машину?", null);
  const answer = findAnswer({ parts, chunks: [faq], rarity: () => 1, limit: 1 });
  expect(answer?.text).toBe("У причала бесплатно. Если занято, машину ставят у магазина.");
});

test("of two questions, each is answered by the table row with its headings", () => {
  const prices = chunk("Цены", "| Лодка | Час | Залог |\n|---|---|---|\n| Вёсельная лодка | 500 ₽ | 2000 ₽ |");
  const parts = questionParts("Сколько стоит вёсельная лодка и какой залог за вёсельную лодку?", null);
  const answer = findAnswer({ parts, chunks: [prices], rarity: () => 1, limit: 1 });
  expect(answer?.text).toContain("Залог — 2000 ₽");
  expect(answer?.text).not.toContain("|");
});

test("what stands in another row or record is about something else", () => {
  const of = (text: string) =>
    findAnswer({
      parts: questionParts("Кто чинит бойлеры?", null),
      chunks: [chunk("Мастера", text)],
      rarity: () => 1,
      limit: 1,
    });
  const records = "Мастер: Олег (чинит и зимой)\nДело: насосы\n\nМастер: Яков\nДело: бойлеры";
  // One record names who repairs, the other what the question is about.
  expect(of(records)!.confidence).toBeLessThan(0.5);
  const table = "| Мастер | Дело |\n|---|---|\n| Яков | бойлеры |\n| Олег (чинит и зимой) | насосы |";
  expect(of(table)!.text).toBe("Яков: Дело — бойлеры");
});

test("a message is split into its questions, each with its subject", () => {
  const parts = questionParts("во сколько репетиция и где?", null);
  expect(parts.map(({ text, types }) => [text, types])).toEqual([
    ["во сколько репетиция", ["clock"]],
    ["где?", ["place"]],
  ]);
  expect(parts[1]!.terms).toEqual([{ word: "репетиция", weight: 1, exact: false }]);
});

test.each([
  ["**Важно:** см. [тут](https://example.org)", "Важно: см. тут"],
  ["текст ![картинка](https://example.org/x.png) <b>дальше</b>", "текст дальше"],
  ["обрыв ![", "обрыв"],
  ["** Карта, наличные, перевод", "Карта, наличные, перевод"],
  ["Есть ли стоянка?**", "Есть ли стоянка?"],
  ["2 ** 3", "2 3"],
])("%j loses its markup: %j", (text, expected) => {
  expect(withoutMarkup(text)).toBe(expected);
});

describe("a question about the asker's own thing", () => {
  test.each([
    ["Где мой заказ?", "заказ"],
    ["когда придёт моя посылка", "посылка"],
    ["Где мой заказ 41263?", null],
    ["где ваш магазин?", null],
  ])("%j is about %j", (message, expected) => {
    expect(ownThing(message)).toBe(expected);
  });

  test("asks for the number that the texts mention", () => {
    expect(numberOf("посылка", ["Укажите номер заказа."])).toBe("номер заказа");
    expect(numberOf("кот", ["Укажите номер заказа."])).toBeNull();
  });
});
