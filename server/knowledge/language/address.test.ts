import { describe, expect, test } from "vitest";
import { addressIn, agreeAddress } from "./address.ts";
import { wordsOf } from "./words/lexicon.ts";

test.each([
  ["ты где", { familiar: true, polite: false }],
  ["знаешь что", { familiar: true, polite: false }],
  ["скинь адрес", { familiar: true, polite: false }],
  ["пришлите ваш адрес", { familiar: false, polite: true }],
  ["есть на сайте и в интернете, лишь бы успеть", { familiar: false, polite: false }],
  ["you are late", { familiar: false, polite: false }],
])("sees whom %j speaks to", (text, expected) => {
  expect(addressIn(wordsOf(text))).toEqual(expected);
});

describe("agreeing ты and вы", () => {
  test.each([
    ["Вы можете вернуть товар в течение 14 дней.", "Ты можешь вернуть товар в течение 14 дней."],
    ["Напишите нам, если хотите узнать больше", "Напиши нам, если хочешь узнать больше"],
    ["Если вам нужна помощь, обращайтесь к вашему менеджеру.", "Если тебе нужна помощь, обращайся к твоему менеджеру."],
    ["Мы рады видеть Вас на сайте", "Мы рады видеть тебя на сайте"],
    ["Оформляйте заказ на сайте, и вы получите скидку", "Оформляй заказ на сайте, и ты получишь скидку"],
    ["Доставка стоит 350 рублей.", "Доставка стоит 350 рублей."],
  ])("says %j to a friend as %j", (text, expected) => {
    expect(agreeAddress(text, "ты")).toBe(expected);
  });

  test.each([
    ["ты можешь зайти завтра", "вы можете зайти завтра"],
    ["смотри, я тебе скинул твой файл", "смотрите, я вам скинул ваш файл"],
    ["Ты сказал, что придешь", "Вы сказали, что придете"],
    ["не волнуйся", "не волнуйтесь"],
    ["Здравствуйте, чем вам помочь?", "Здравствуйте, чем вам помочь?"],
  ])("says %j politely as %j", (text, expected) => {
    expect(agreeAddress(text, "вы")).toBe(expected);
  });

  test.each([
    ["Вы готовы оплатить?", "ты"],
    ["Вы уже заказали пиццу?", "ты"],
    ["какой ты умный сегодня... ты такой хороший", "вы"],
  ] as const)("does not say %j to %s: the words around would not agree", (text, address) => {
    expect(agreeAddress(text, address)).toBeNull();
  });
});
