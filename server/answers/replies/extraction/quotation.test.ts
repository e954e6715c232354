import { expect, test } from "vitest";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { quotationOf, recordOf } from "./quotation.ts";

const chunkOf = (text: string): ReplyChunk => ({
  id: "1",
  documentId: "d",
  name: "Прайс",
  heading: "",
  text,
  score: 1,
  sentences: text.split(/(?<=[.!?])\s+/).map((sentence) => ({ text: sentence, score: 1 })),
});
const quoted = (text: string, sentence: string) => quotationOf(sentence, chunkOf(text))?.text;

test("a table row is quoted under its headings, without bars and rules", () => {
  const table = `| Цветок | 1 шт | букет 9 шт |\n|---|:-:|---|\n| **Роза** | 220 | 1 900 |\n| Пион | 350 | — |`;
  expect(quoted(table, "| **Роза** | 220 | 1 900 |")).toBe("Роза: 1 шт — 220, букет 9 шт — 1 900");
  expect(quoted(table, "| Пион | 350 | — |")).toBe("Пион: 1 шт — 350");
});

test("a record of fields is quoted whole and named by its first field", () => {
  const csv = "Услуга: Кастрация кобеля\nДо 10 кг: 4500\n10–25 кг: 6000\n\nУслуга: Чистка зубов\nЦена: 3000";
  expect(recordOf("До 10 кг: 4500", chunkOf(csv))).toBe("Кастрация кобеля: До 10 кг — 4500, 10–25 кг — 6000");
  expect(recordOf("Обычное предложение.", chunkOf("Обычное предложение. Второе."))).toBeNull();
});

test("of a record only the fields that the question names are said, and all where it names none", () => {
  const rota = "Врач: Ким\nПриём: терапия\nСреда: 9–15\nСуббота: 10–12\nВоскресенье: —";
  const asked = (...words: string[]) => recordOf("Среда: 9–15", chunkOf(rota), words);
  expect(asked("ким", "субботу")).toBe("Ким: Суббота — 10–12");
  expect(asked("терапия", "среду")).toBe("Ким: Приём — терапия, Среда — 9–15");
  const whole = "Ким: Приём — терапия, Среда — 9–15, Суббота — 10–12";
  expect(asked("воскресенье")).toBe(whole);
  expect(asked("сколько")).toBe(whole);
});

test("a question is quoted with its whole answer, whichever of its sentences fits", () => {
  const faq = `**Вопрос:** Принимает ли курьер карты?\n**Ответ:** Нет. Только наличные.\n\n**Вопрос:** Привезёте одну розу?\n**Ответ:** Да.`;
  expect(quoted(faq, "Только наличные.")).toBe("Принимает ли курьер карты?\nНет. Только наличные.");
});

test("a short list stays whole with the line that announces it", () => {
  const list = `Режим работы:\n- будни с 9 до 20\n- воскресенье с 10 до 18`;
  expect(quoted(list, "- воскресенье с 10 до 18")).toBe(list);
});

test("of a long paragraph the sentence is quoted with its surroundings", () => {
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
