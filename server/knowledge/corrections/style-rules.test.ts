import { describe, expect, test } from "vitest";
import type { StyleRule } from "#contract/corrections.ts";
import { questionForm, SIMILAR_QUESTION, similarity } from "#server/knowledge/question-similarity/question-form.ts";
import { findRules } from "./find-rules.ts";
import { suggestedKind } from "./propose.ts";
import { applyRules, followsRule } from "./style-rules.ts";

/** The twin's text, the owner's wording of it, and the rules derived from the difference. */
const CORRECTED: [twin: string, owner: string, rules: StyleRule[]][] = [
  [
    "Здравствуйте! Да, мы открыты. Приходите.",
    "Да, мы открыты",
    [
      { habit: "length", sentences: 1 },
      { habit: "greeting", keep: false },
      { habit: "fullStop", keep: false },
      { habit: "exclamation" },
    ],
  ],
  [
    "Приходите завтра.",
    "приходи завтра)",
    [
      { habit: "address", address: "ты" },
      { habit: "fullStop", keep: false },
      { habit: "lowerCase", keep: true },
      { habit: "brackets", mark: ")" },
    ],
  ],
  ["Уже везём 🙂", "Уже везём.", [{ habit: "emoji", mark: "" }]],
  ["К сожалению, чая нет.", "Чая нет.", [{ habit: "phrase", phrase: "к сожалению" }]],
  ["Да, в пять.", "Да, в пять.", []],
];

describe("habits in which two wordings differ", () => {
  test.each(CORRECTED)("«%s» → «%s»", (twin, owner, rules) => {
    expect(findRules(twin, owner)).toEqual(rules);
  });
});

const FORMED: [text: string, rule: StyleRule, expected: string][] = [
  ["Привет! Везём. Ждите звонка.", { habit: "length", sentences: 1 }, "Привет! Везём."],
  ["Ну, скажите адрес.", { habit: "address", address: "ты" }, "Ну, скажи адрес."],
  ["Добрый день, чай есть.", { habit: "greeting", keep: false }, "Чай есть."],
  ["Чай есть.", { habit: "greeting", keep: true }, "Здравствуйте! Чай есть."],
  ["Чай есть.", { habit: "fullStop", keep: false }, "Чай есть"],
  ["Чай есть", { habit: "fullStop", keep: true }, "Чай есть."],
  ["Думаю...", { habit: "fullStop", keep: false }, "Думаю..."],
  ["Чай есть!!", { habit: "exclamation" }, "Чай есть."],
  ["Чай есть 🙂🙂", { habit: "emoji", mark: "" }, "Чай есть"],
  ["Чай есть.", { habit: "brackets", mark: ")" }, "Чай есть)"],
  ["Чай есть)))", { habit: "brackets", mark: "" }, "Чай есть"],
  ["К сожалению, чая нет.", { habit: "phrase", phrase: "к сожалению" }, "Чая нет."],
  ["Ага", { habit: "phrase", phrase: "ага" }, "Ага"],
];

test.each(FORMED)("«%s» is rewritten to follow the rule", (text, rule, expected) => {
  const setting = { opening: true, address: "вы" } as const;
  expect(applyRules(text, [rule], setting)).toBe(expected);
  // When the rule cannot be followed, the text stays unchanged.
  if (expected !== text) expect(followsRule(expected, rule, setting)).toBe(true);
});

test.each([
  ["Сколько стоит доставка?", "подскажите, сколько стоит доставка", true],
  ["Сколько стоит доставка?", "Какая цена доставки?", true],
  ["Сколько стоит доставка?", "Сколько стоит доставка в Казань?", false],
  ["Сколько стоит доставка?", "Когда доставка?", false],
  ["Есть кресло 200 см?", "Есть кресло 180 см?", false],
  ["Привет", "привет!", true],
  ["Привет", "Пока", false],
])("«%s» and «%s» ask the same: %s", (one, other, same) => {
  expect(similarity(questionForm(one), questionForm(other)) >= SIMILAR_QUESTION).toBe(same);
});

test.each([
  ["Сколько стоит доставка?", "Доставка стоит 350 рублей.", "Доставка стоит 400 рублей.", "fact"],
  ["Сколько стоит доставка?", "Здравствуйте! Доставка стоит 350 рублей.", "доставка 350", "style"],
  ["Привет, как дела?", "Нормально.", "Лучше всех, сам как", "example"],
  ["Я опоздаю", "Понятно.", "Жду тебя у входа", "example"],
] as const)("«%s»: «%s» → «%s» teaches: %s", (question, twinReply, text, kind) => {
  expect(suggestedKind({ question, twinReply, text }, findRules(twinReply, text))).toBe(kind);
});
