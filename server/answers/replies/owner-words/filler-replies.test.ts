import { expect, test } from "vitest";
import { fillerKind, fillerKindOf } from "./filler-replies.ts";

test.each([
  ["question", ["а что там?", "Ого! И когда?", "what kind of error"]],
  ["reaction", ["ничего себе)", "Вот это да!", "heh, nice one", "i see", "сочувствую"]],
  ["unsure", ["ну хз, если честно", "Право, я этого не знаю.", "well, no idea"]],
] as const)("what states and promises nothing may be said again: %s", (kind, replies) => {
  for (const reply of replies) expect([reply, fillerKind(reply)]).toEqual([reply, kind]);
});

test.each([
  [
    "a fact",
    ["магазин на углу уже закрыт", "Всё стоит сейчас дешевле, чем раньше", "не знаю, спроси про оплату у бухгалтерии"],
  ],
  ["a verdict", ["да, давай", "Хорошо!", "ok", "нет?"]],
  ["a number, a name or a day", ["Аня?", "в 18:30?", "завтра?", "тысяча?"]],
  ["a promise or a deed", ["напишу", "уже выезжаю)", "i'll check", "скинул"]],
  ["an order", ["позвони", "подождите", "reboot it"]],
  ["an answer to something said", ["Пожалуйста. Хорошего дня.", "привет)"]],
  ["said to another", ["ого, мам", "кушал, плов делал)))"]],
  ["a command to a bot", ["!info steam"]],
  ["being human", ["я живой человек"]],
])("%s is none of it", (_, replies) => {
  for (const reply of replies) expect([reply, fillerKind(reply)]).toEqual([reply, null]);
});

test("what answered a question is its answer and no reaction, however short; a question back and not knowing stay", () => {
  for (const [incoming, reply] of [
    ["ты где?", "дома"],
    ["А с чем он?", "С апельсиновой коркой."],
    ["где указана дата", "На обороте пачки."],
  ] as const)
    expect([reply, fillerKind(reply), fillerKindOf({ incoming, reply })]).toEqual([reply, "reaction", null]);
  expect(fillerKindOf({ incoming: "сдал экзамен", reply: "ничего себе)" })).toBe("reaction");
  expect(fillerKindOf({ incoming: "ты где?", reply: "а что там?" })).toBe("question");
  expect(fillerKindOf({ incoming: "сколько ему лет?", reply: "ну хз, если честно" })).toBe("unsure");
});
