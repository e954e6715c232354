import { describe, expect, test } from "vitest";
import type { HistoryTurn } from "../history-turn.ts";
import { followUpOf, standaloneQuestion } from "./contextual-query.ts";

const talk = (...lines: string[]): HistoryTurn[] =>
  lines.map((content, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content }));

/** Questions from different trades, each with its subject and the place, time or person that it names. */
const ASKED: { question: string; subject: string; where?: string; when?: string; whom?: string }[] = [
  { question: "Сколько стоит доставка по Казани?", subject: "доставка", where: "Казани" },
  { question: "Есть ли парковка у филиала на Садовой?", subject: "парковка", where: "Садовой" },
  { question: "До скольки работает касса в субботу?", subject: "касса", when: "субботу" },
  { question: "Когда открывается бассейн летом?", subject: "бассейн", when: "летом" },
  { question: "Сколько длится урок вокала для взрослых?", subject: "вокала", whom: "взрослых" },
  { question: "Какую справку нужно принести для ребёнка?", subject: "справку", whom: "ребёнка" },
];
const PUT = {
  where: ["а в Вологду?", "а на Северной?", "и из Твери?", "А по области?"],
  when: ["а в воскресенье?", "а зимой?", "и завтра?", "а ночью?"],
  whom: ["а для подростков?", "а для пенсионеров?", "и с собакой?"],
} as const;

describe("a follow-up replaces the part of the same kind and keeps the rest of the question", () => {
  const cases = ASKED.flatMap((asked) =>
    (["where", "when", "whom"] as const).flatMap((kind) => PUT[kind].map((message) => ({ ...asked, kind, message }))),
  );
  test.each(cases)("«$question» «$message»", ({ question, subject, message, kind, ...phrases }) => {
    const alone = standaloneQuestion(talk(question, "Отвечу так."), message);
    const put = message.replace(/[?]/g, "").split(" ").at(-1)!;
    expect(alone).toContain(subject);
    expect(alone).toContain(put);
    for (const other of ["where", "when", "whom"] as const) {
      const phrase = phrases[other];
      if (phrase === undefined) continue;
      if (other === kind) expect(alone).not.toContain(phrase);
      else expect(alone).toContain(phrase);
    }
  });
});

test.each([
  ["Сколько стоит профгигиена?", "а имплант?", "Сколько стоит имплант?"],
  ["Есть ли в продаже орхидеи?", "а подсолнухи?", "Есть ли в продаже подсолнухи?"],
])("another thing takes the place of the only thing that was named: «%s» «%s»", (question, message, expected) => {
  expect(standaloneQuestion(talk(question, "Да."), message)).toBe(expected);
});

test.each([
  ["Хочу заказать торт «Наполеон»", "сколько стоит?", "Наполеон"],
  ["Доставка почтой до Омска есть?", "и долго идёт?", "почтой до Омска"],
  ["Кто у вас ведёт гитару?", "а в какие дни он бывает?", "гитару"],
])("what names no thing of its own asks of the one that was named: «%s» «%s»", (before, message, kept) => {
  expect(standaloneQuestion(talk(before, "Есть такое."), message)).toContain(kept);
});

test.each([
  ["Сколько стоит доставка курьером?", "А можно прийти к вам на склад с ребёнком, посмотреть?"],
  ["Есть ли в продаже орхидеи?", "а подарочная упаковка у вас есть?"],
  ["Сколько длится урок вокала?", "Ещё хотел спросить, вы выдаёте справки?"],
])(
  "what begins like a follow-up but asks of who answers, and names what, is a question of its own: «%s» «%s»",
  (question, message) => {
    expect(standaloneQuestion(talk(question, "Отвечу так."), message)).toBe(message);
  },
);

test.each([
  ["Сколько стоит пицца с грибами?", "а большая у вас сколько стоит?", "пицца"],
  ["Есть ли в продаже орхидеи?", "а у вас на них есть скидка?", "орхидеи"],
])("what names only which one, or points at the thing, still asks of it: «%s» «%s»", (question, message, kept) => {
  expect(standaloneQuestion(talk(question, "Да."), message)).toContain(kept);
});

test("a follow-up of a follow-up still refers to the first question and includes the twin's answers", () => {
  const history = talk("Кто у вас оперирует?", "Хирург Дорн, на Садовой.", "опытный?", "Да, ему доверяют.");
  const before = followUpOf(history, "а в какие дни он бывает?");
  expect(before).toMatchObject({ asked: "Кто у вас оперирует?", answer: expect.stringContaining("Дорн") });
  const longer = talk("Сколько стоит доставка по Казани?", "400", "а по Москве?", "300");
  expect(standaloneQuestion(longer, "а по Туле?")).toBe("Сколько стоит доставка по Туле?");
});

test.each([
  ["Какие документы нужны для возврата товара?"],
  ["спасибо"],
  ["Как к вам доехать?"],
  ["где вы находитесь?"],
  ["какой у вас адрес?"],
  ["есть парковка?"],
  ["какой телефон?"],
  ["Здравствуйте! Подскажите, пожалуйста, до скольки вы сегодня работаете на Северной улице"],
])("«%s» leans on nothing", (message) => {
  expect(standaloneQuestion(talk("Сколько стоит доставка по Казани?", "400 рублей"), message)).toBe(message);
});

test("without earlier messages the message stays unchanged", () => {
  expect(followUpOf([], "а по Москве?")).toBeNull();
  expect(standaloneQuestion([], " а по Москве? ")).toBe("а по Москве?");
});
