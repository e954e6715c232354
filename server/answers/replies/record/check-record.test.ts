import { describe, expect, test } from "vitest";
import { QUESTION_ABOUT_DELIVERY } from "#server/test/factories/reply-request.ts";
import type { AnswerRecord } from "../recorded-answer.ts";
import type { ReplyRequest } from "../reply-request.ts";
import { checkRecord } from "./check-record.ts";

const TEXT = `Работаем пн–пт с 10 до 20, ср до 18. Ответим за 72 часа. Залог 3 900 ₽ за место.
Рассрочка через Альфа-Банк. Филиал в Нижнем Новгороде, доставка в Санкт-Петербург. Оплата по QR-коду. Резина R17 — 3400 ₽.
Возвращаем деньги за три дня. Курс начнётся 15 января. Телефон +7 912 345-67-89, сайт shop.example.org.`;

const request = (asked: Partial<ReplyRequest> = {}): ReplyRequest => ({
  ...QUESTION_ABOUT_DELIVERY,
  message: "Сколько за двоих?",
  chunks: [{ ...QUESTION_ABOUT_DELIVERY.chunks[0]!, name: "Условия", text: TEXT }],
  ...asked,
});

const record = (message: string, sums: AnswerRecord["sums"] = []): AnswerRecord => ({
  ...{ kind: "answered", messages: [message], sources: [1], sums, open: "", action: "", search: "" },
});

const piecesOf = (message: string, sums: AnswerRecord["sums"] = [], asked: Partial<ReplyRequest> = {}) =>
  checkRecord(request(asked), record(message, sums), []).faults.map(({ kind, pieces }) => [kind, ...pieces]);

describe("what an answer says stands in its sources, in other words", () => {
  test.each([
    "В среду работаем до восемнадцати.",
    "Ответим за трое суток.",
    "Работаем до восьми вечера.",
    "До 20:00, в понедельник тоже.",
    "Можно в рассрочку, решает «Альфа-Банк».",
    "Есть филиал в Нижнем, в Новгороде.",
    "В Санкт-Петербург доставим.",
    "Оплатить можно QR-кодом.",
    "R17 стоит 3400.",
    "Вернём деньги за 3 дня.",
    "Начинаем 15.01.",
    "Звоните: 8 (912) 345-67-89.",
    "Всё на shop.example.org",
  ])("%s", (message) => {
    expect(piecesOf(message)).toEqual([]);
  });

  test("a sum that is shown, in steps and with percents", () => {
    expect(piecesOf("Выйдет 7 800 ₽.", [{ value: "7 800 ₽", expression: "2 * 3900" }])).toEqual([]);
    expect(
      piecesOf(
        "Со скидкой в 10% выйдет 7020.",
        [
          { value: "7800", expression: "2 * 3900" },
          { value: "7020", expression: "7800 - 10% * 7800" },
        ],
        { message: "а если мне скидка 10%?" },
      ),
    ).toEqual([]);
  });

  test("a name in an English answer, in its own spelling", () => {
    const english = { message: "Do you deliver to Saint Petersburg?" };
    expect(piecesOf("Yes, we deliver to Saint Petersburg, pay by QR code.", [], english)).toEqual([]);
    expect(piecesOf("We are in Nizhny Novgorod.", [], { message: "Where are you?" })).toEqual([]);
  });

  test("what the asker has said himself", () => {
    expect(piecesOf("На 14 марта запишу в заметки, Степан.", [], { message: "Это Степан, мне на 14 марта" })).toEqual(
      [],
    );
  });
});

describe("what stands nowhere is named, and nothing is removed from the answer", () => {
  test.each([
    ["Выйдет 8 500 ₽.", ["unsupported", "8 500 ₽"]],
    ["Открыты в субботу.", ["unsupported", "суббота"]],
    ["Рассрочка через Тинькофф.", ["unsupported", "Тинькофф"]],
    ["Звоните +7 999 000-00-00.", ["unsupported", "+7 999 000-00-00"]],
  ])("%s", (message, fault) => {
    const { faults, messages } = checkRecord(request(), record(message), []);
    expect(faults.map(({ kind, pieces }) => [kind, ...pieces])).toContainEqual(fault);
    expect(messages).toEqual([message]);
  });

  test("a promise in words that the owner has not used is kept apart, for a verifier to judge", () => {
    const { faults, promises } = checkRecord(request(), record("Подарим вам чехол."), []);
    expect(faults).toEqual([]);
    expect(promises.map(({ pieces }) => pieces)).toEqual([["подарим"]]);
  });

  test("a sum whose operands stand nowhere, or that gives another number", () => {
    expect(piecesOf("Выйдет 9 998 ₽.", [{ value: "9 998", expression: "2 * 4999" }])).toHaveLength(1);
    expect(piecesOf("Выйдет 9 000 ₽.", [{ value: "9 000", expression: "2 * 3900" }])).toHaveLength(1);
  });

  test("a link that no source has may not be sent even as a draft", () => {
    const { faults, messages } = checkRecord(request(), record("Подробности на https://evil.example.net/a?q=1"), []);
    expect(faults[0]).toMatchObject({ kind: "address", pieces: ["https://evil.example.net/a?q=1"] });
    expect(messages.join()).not.toContain("evil");
  });

  test("the prompt's fence, another language, a note of the members", () => {
    const { faults } = checkRecord(
      request({ confidential: ["живёт в Казани с братом Ильёй"] }),
      record("Метка FENCE123. We are open every day from ten to twenty o'clock. Брат Илья живёт в Казани."),
      ["FENCE123"],
    );
    expect(faults.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["shape", "language", "note"]));
  });
});

test("a mask of a sample is no word for a contact", () => {
  expect(piecesOf("[имя], ответим за 72 часа.")).toEqual([["shape"]]);
});

describe("a twin for friends", () => {
  const friendly = { twin: { ...request().twin, purpose: "friends" as const }, message: "как рис варить?" };

  test.each([
    "Два стакана воды на 300 г риса.",
    "Смотри вики Ubuntu, там про версию 3.2.1.",
    "Духовка на 180 градусов.",
  ])("says of the world what no source holds: %s", (message) => {
    expect(piecesOf(message, [], friendly)).toEqual([]);
    expect(piecesOf(message, [], { message: friendly.message })).not.toEqual([]);
  });

  test.each(["Буду через 25 минут.", "Тогда в субботу в 19:30.", "С тебя 700 рублей.", "Звони 8 999 111-22-33."])(
    "needs a source for what may be agreed: %s",
    (message) => {
      expect(piecesOf(message, [], friendly)).not.toEqual([]);
    },
  );
});
