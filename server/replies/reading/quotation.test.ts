import { expect, test } from "vitest";
import type { ReplyPassage } from "#server/search/passage.ts";
import { quotationOf, recordOf } from "./quotation.ts";

const passageOf = (text: string): ReplyPassage => ({
  id: "1",
  documentId: "d",
  name: "Прайс",
  heading: "",
  text,
  score: 1,
  sentences: text.split(/(?<=[.!?])\s+/).map((sentence) => ({ text: sentence, score: 1 })),
});
const quoted = (text: string, sentence: string) => quotationOf(sentence, passageOf(text))?.text;

test("a row of a table is read under its headings, and bars and rules are no part of it", () => {
  const table = `| Цветок | 1 шт | букет 9 шт |\n|---|:-:|---|\n| **Роза** | 220 | 1 900 |\n| Пион | 350 | — |`;
  expect(quoted(table, "| **Роза** | 220 | 1 900 |")).toBe("Роза: 1 шт — 220, букет 9 шт — 1 900");
  expect(quoted(table, "| Пион | 350 | — |")).toBe("Пион: 1 шт — 350");
});

test("a record of fields is said whole, its first field naming it", () => {
  const csv = "Услуга: Кастрация кобеля\nДо 10 кг: 4500\n10–25 кг: 6000\n\nУслуга: Чистка зубов\nЦена: 3000";
  expect(recordOf("До 10 кг: 4500", passageOf(csv))).toBe("Кастрация кобеля: До 10 кг — 4500, 10–25 кг — 6000");
  expect(recordOf("Обычное предложение.", passageOf("Обычное предложение. Второе."))).toBeNull();
});

test("a question is quoted with its whole answer, whichever of its sentences fits", () => {
  const faq = `**Вопрос:** Принимает ли курьер карты?\n**Ответ:** Нет. Только наличные.\n\n**Вопрос:** Привезёте одну розу?\n**Ответ:** Да.`;
  expect(quoted(faq, "Только наличные.")).toBe("Принимает ли курьер карты?\nНет. Только наличные.");
});

test("a short list stays whole with the line that announces it", () => {
  const list = `Режим работы:\n- будни с 9 до 20\n- воскресенье с 10 до 18`;
  expect(quoted(list, "- воскресенье с 10 до 18")).toBe(list);
});

test("of a long paragraph the sentence is quoted with what stands around it", () => {
  const long = Array.from({ length: 12 }, (_, at) => `Предложение номер ${at} говорит о деле под номером ${at}.`).join(
    " ",
  );
  const text = quoted(long, "Предложение номер 5 говорит о деле под номером 5.")!;
  expect(text).toContain("номер 4 ");
  expect(text).toContain("номер 6 ");
  expect(text.length).toBeLessThanOrEqual(300);
});

test("a heading alone is no answer", () => {
  expect(quoted("# Доставка", "# Доставка")).toBeUndefined();
  expect(quoted("# Доставка\n\nПо городу 300 рублей.", "# Доставка")).toBe("По городу 300 рублей.");
});
