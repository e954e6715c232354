/** What is stated is about the question's subject, holds what it asks for and stands alone; anything else is at most quoted. */
import { describe, expect, test } from "vitest";
import { splitChunks } from "#server/knowledge/documents/split-chunks.ts";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { followUpOf } from "#server/knowledge/language/question/contextual-query.ts";
import { questionParts } from "#server/knowledge/language/question/question-parts.ts";
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { findAnswer } from "./find-answer.ts";
import { quotationOf } from "./quotation.ts";
import { THRESHOLDS } from "./thresholds.ts";

const chunksOf = (document: string): ReplyChunk[] =>
  splitChunks(document).map(({ heading, text }, at) => ({
    ...{ id: `${at}`, documentId: "d", name: "Памятка", heading: heading ?? "", text, score: 1, sentences: [] },
  }));

/** The text that would be stated, with the questions left open; null: nothing is sure. */
function stated(document: string, message: string, ...earlier: string[]) {
  const history = earlier.map((content, at): HistoryTurn => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
  const parts = questionParts(message, followUpOf(history, message));
  const answer = findAnswer({ parts, chunks: chunksOf(document), rarity: () => 1, limit: 2 });
  return answer === null || answer.confidence < THRESHOLDS.knowledge ? null : answer;
}

describe("the subject", () => {
  const SAUNA = "# Баня «Пар»\n\nСеанс в малой бане стоит 2000 ₽. Веник дубовый стоит 300 ₽, берёзовый 250 ₽.";

  test("must be named by what is stated", () => {
    expect(stated(SAUNA, "Сколько стоит сеанс в малой бане?")?.text).toContain("2000 ₽");
    expect(stated(SAUNA, "Сколько стоит сеанс в большой бане?")).toBeNull();
    expect(stated(SAUNA, "Сколько стоит массаж веником?")).toBeNull();
  });

  test("a heading that names something the asker did not is no answer to him", () => {
    const sections = "## Доставка в область\n\nОт 700 ₽, до 20 кг.\n\n## Подъём на этаж\n\nЛифтом даром.";
    expect(stated(sections, "Сколько стоит доставка в область?")?.text).toContain("700 ₽");
    expect(stated(sections, "Сколько стоит доставка?")).toBeNull();
  });

  test("a line that names before a colon whom it concerns answers nobody else", () => {
    const hours = "# Каток\n\nДля школьных команд: суббота с 7:00 до 9:00.";
    expect(stated(hours, "Во сколько в субботу?")).toBeNull();
    expect(stated(hours, "Во сколько школьным командам в субботу?")?.text).toContain("до 9:00");
  });

  test("a time that begins something does not tell until when", () => {
    const lesson = "# Каток\n\nТренировка в субботу начинается в 12:00.";
    expect(stated(lesson, "Во сколько тренировка в субботу?")?.text).toContain("12:00");
    expect(stated(lesson, "До скольки тренировка в субботу?")).toBeNull();
  });

  test("a row whose named columns hold what is asked for only in the name is said whole", () => {
    const rows =
      "| Модель | Состояние | Цена | Наличие |\n|---|---|---|---|\n| Весна 7400 | новая | 9100 | есть |\n| Весна 7400 | с витрины | 5000 | нет |";
    expect(stated(rows, "Сколько стоит Весна 7400 новая?")?.text).toContain("9100");
  });

  test("a bare yes or no under another question is no answer", () => {
    const faq = "Вопрос: Берёте щенков без прививок?\nОтвет: Нет. Привейте за две недели.\n";
    expect(stated(faq, "берёте ли щенков без прививок?")?.text).toMatch(/^Нет\./);
    expect(stated(faq, "берёте щенков?")).toBeNull();
  });

  test("is not the question alone where the message tells of something else before", () => {
    const dentist = "За приём платите картой или наличными.\n\nЗа снимок платить не надо, он входит.";
    expect(stated(dentist, "За приём платить картой?")?.text).toBe("За приём платите картой или наличными.");
    expect(stated(dentist, "Вчера сломалась коронка, хочу показать. За приём платить картой?")).toBeNull();
  });

  test("a sentence under a question about something else is no answer", () => {
    const faq = "Вопрос: Даёте справку в школу?\nОтвет: Справка входит, платите только приём.\n";
    expect(stated(faq, "Как за приём платить?")).toBeNull();
  });

  test("sentences that answer equally well are stated together or not at all", () => {
    const twice = "Занятие для взрослых стоит 900 ₽. Занятие для школьников стоит 600 ₽.";
    expect(stated(twice, "Сколько стоит занятие для школьников?")?.text).toBe("Занятие для школьников стоит 600 ₽.");
    expect(stated(twice, "Сколько стоит занятие?")?.text).toBe(twice);
    expect(stated(`${twice} Занятие для студентов стоит 700 ₽.`, "Сколько стоит занятие?")).toBeNull();
  });

  test("«ТО» is looked for as a word, and «то» in a sentence is not it", () => {
    const workshop = "ТО самоката стоит 1500 ₽.\n\nЕсли мотор стоит криво, то ставим заново, стоит это 800 ₽.";
    expect(stated(workshop, "сколько стоит то")?.text).toBe("ТО самоката стоит 1500 ₽.");
    expect(stated("Если мотор стоит криво, то ставим заново, стоит это 800 ₽.", "сколько стоит то")).toBeNull();
  });
});

describe("what is asked for", () => {
  test("must be there besides the words of the question", () => {
    const choir = "Прослушивания в хор проводим в сентябре, по записи.";
    expect(stated(choir, "Когда прослушивания в хор?")?.text).toContain("в сентябре");
    expect(stated(choir, "Какого числа в сентябре прослушивания в хор?")).toBeNull();
  });

  test.each([
    ["Скидка на абонемент 10 %.", "Сколько стоит абонемент?"],
    ["После 20:00 рыбу не возим.", "Когда возите рыбу?"],
    ["Лодка на час стоит 500 ₽.", "Сколько всего стоит лодка на час вместе с залогом?"],
    ["Лодки даём с мая.", "Какие лодки не даёте?"],
  ])("%j does not answer %j", (document, message) => {
    expect(stated(document, message)).toBeNull();
  });

  test("a bare noun after another question may be a part of it or replace it, so it is quoted", () => {
    const cakes = "Заказ минимум за 3 дня.\n\nМедовик 1900 ₽ за килограмм.";
    expect(stated(cakes, "а минимум?", "медовик сколько?", "1900 ₽ за килограмм")).toBeNull();
  });
});

describe("rows and items", () => {
  const TABLE =
    "| Работа | Рубашка | Пальто | Примечание |\n|---|---|---|---|\n| Чистка | 400 ₽ | 1500 ₽ | без пуговиц |\n| Глажка | 150 ₽ | 500 ₽ | |";

  test("a row is said with its name, the column asked for and its condition", () => {
    expect(stated(TABLE, "Сколько стоит чистка пальто?")?.text).toBe(
      "Чистка: Пальто — 1500 ₽, Примечание — без пуговиц",
    );
  });

  test("a row without its column headings is not stated", () => {
    expect(stated("| Чистка пальто | 1500 ₽ | 3 дня |", "Сколько стоит чистка пальто?")).toBeNull();
  });

  test("a row named by a number is named with its heading", () => {
    const zones = "Зона: 4\nРайон: Заречье\nЦена: 550 ₽\n\nЗона: 5\nРайон: Юрьевец\nЦена: 650 ₽";
    expect(stated(zones, "Сколько стоит, если район Заречье?")?.text).toMatch(/^Зона 4: /);
  });

  test.each([
    "## Чего не шьём\n\n- свадебные платья\n- шубы",
    "Не шьём:\n- свадебные платья\n- шубы",
    "Не шьём\n- свадебные платья\n- шубы",
    "Не шьём\n\n- свадебные платья\n- шубы",
    "Запрещено:\n- свадебные платья\n- шубы",
  ])("an item under a denying heading is neither stated nor quoted without it: %j", (document) => {
    const text = stated(document, "шьёте свадебные платья?")?.text;
    if (text !== undefined) expect(text).toMatch(/^(?:Чего не шьём|Не шьём|Запрещено):/);
    const chunk = chunksOf(document).at(-1)!;
    expect(quotationOf("- свадебные платья", chunk)!.text).toMatch(/^(?:Чего не шьём|Не шьём|Запрещено):/);
  });

  test("a sentence that needs the one before is not stated alone", () => {
    expect(stated("Карбон не клеим. Титан тоже.", "Титан клеите?")).toBeNull();
    expect(stated("Мы шьём шторы. Они от 3000 ₽.", "Сколько стоят скатерти?")).toBeNull();
  });
});

describe("two questions", () => {
  const RINK = "Прокат коньков стоит 250 ₽ в час.\n\nЗаточка коньков стоит 300 ₽.";

  test("are both answered", () => {
    const answer = stated(RINK, "Сколько стоит прокат коньков и сколько стоит заточка коньков?");
    expect(answer?.text).toMatch(/250.*300/s);
    expect(answer?.unanswered).toBeUndefined();
  });

  test("the one that has no answer is named", () => {
    const answer = stated(RINK, "Сколько стоит прокат коньков и где вы находитесь?");
    expect(answer?.text).toBe("Прокат коньков стоит 250 ₽ в час.");
    expect(answer?.unanswered).toEqual(["где вы находитесь?"]);
  });
});

describe("what no longer holds", () => {
  const MOVED =
    "# Заметка\n\nПосле переезда это больше не действует: мастерская была на Садовой, 12. Мойка ковра стоила 900 ₽.\n\nМойка ковра стоит 1200 ₽.";

  test("is not stated where its paragraph or title says so, and what follows still is", () => {
    expect(stated(MOVED, "Сколько стоит мойка ковра?")?.text ?? "").not.toContain("900");
    expect(stated("# Старый прайс\n\nМойка ковра стоит 900 ₽.", "Сколько стоит мойка ковра?")).toBeNull();
    expect(stated("# Прайс\n\nМойка ковра стоит 1200 ₽.", "Сколько стоит мойка ковра?")?.text).toContain("1200");
  });

  test("is not stated when it is dated to a year that nobody asked about", () => {
    const dated = "# Цены\n\nВ 2023 году мойка ковра стоила 900 ₽.";
    expect(stated(dated, "Сколько стоит мойка ковра?")).toBeNull();
    expect(stated("# О нас\n\nМойка ковра с 2015 года стоит 900 ₽.", "Сколько стоит мойка ковра?")?.text).toContain(
      "900",
    );
  });
});
