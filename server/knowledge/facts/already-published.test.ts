import { expect, test } from "vitest";
import { AlreadyPublished, type PublishedAnswer } from "./already-published.ts";
import { isSelfContainedQuestion } from "./self-contained-question.ts";

const day = (date: number) => new Date(Date.UTC(2026, 0, date));
const opened: PublishedAnswer = {
  questions: ["Здравствуйте! Вы мелете кофе?"],
  reply: "Да, мелем бесплатно. Помол выбирается в карточке товара.",
  pairs: [1],
  decidedUntil: day(5).getTime(),
};
const recurring: PublishedAnswer = {
  questions: ["сколько стоит доставка курьером"],
  reply: "Курьер стоит 390 рублей",
  pairs: [2, 3],
  decidedUntil: Number.NEGATIVE_INFINITY,
};
const told = await AlreadyPublished.of([opened, recurring]);

const has = (question: string, reply: string, saidAt: Date, pairId = 9) =>
  told.isPublished({ question, reply, saidAt, pairId });

test("others are served while much is read and compared", async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({
    ...recurring,
    questions: [`Сколько стоит доставка в город ${at}?`],
  }));
  let turns = 0;
  const counted = () => {
    turns++;
    timer = setImmediate(counted);
  };
  let timer = setImmediate(counted);
  const known = await AlreadyPublished.of(many);
  expect(turns).toBeGreaterThanOrEqual(2);
  turns = 0;
  const said = (at: number) => ({ question: `Чем кормить ежа ${at}?`, reply: "Сыром", pairId: at, saidAt: day(1) });
  expect(await known.filterUnpublished([...many.keys()], said)).toHaveLength(60);
  expect(turns).toBeGreaterThanOrEqual(2);
  clearImmediate(timer);
});

test("a published answer of the owner is not asked again, except for a newer answer that says something else", () => {
  expect(has("мелете ли кофе?", "Да, но только под турку", day(4))).toBe(true);
  expect(has("мелете ли кофе?", "Помол теперь стоит 50 рублей", day(6))).toBe(false);
  expect(has("мелете ли кофе?", "мелем бесплатно", day(6))).toBe(true);
  expect(told.findAnswer("Мелете кофе?")).toBe(opened.reply);
  expect(told.findAnswer("Мелете перец?")).toBeNull();
});

test("a part of a published reply counts as published, whatever question it answered", () => {
  expect(has("А как выбрать помол?", "Помол выбирается в карточке товара.", day(4), 1)).toBe(true);
  expect(has("А как выбрать помол?", "Помол выбирается в карточке товара.", day(4), 9)).toBe(false);
  expect(has("Сколько стоит помол?", "Помол стоит 50 рублей.", day(4), 1)).toBe(false);
});

test("what recurs tells its own answer and decides on no other one", () => {
  expect(has("Сколько стоит доставка курьером?", "390 руб.", day(9))).toBe(true);
  expect(has("Сколько стоит доставка курьером?", "290 руб.", day(1))).toBe(false);
});

test("a message of two questions counts as published once both are", () => {
  expect(has("Вы мелете кофе?\nСколько стоит доставка курьером?", "Да, бесплатно. Курьер 390", day(4))).toBe(true);
  expect(has("Вы мелете кофе?\nСколько стоит пачка чая?", "Да, бесплатно. Чай 300", day(4))).toBe(false);
});

test("a question stands alone where nothing in it points out of it", () => {
  const alone = ["Ройбуш есть?", "Сколько стоит доставка в Екатеринбург?", "Кофе кислит, это брак?"];
  const scraps = ["жду", "Спасибо большое!", "Это снова я — как она работает?", "А там сколько?"];
  expect(alone.filter((text) => !isSelfContainedQuestion(text))).toEqual([]);
  expect(scraps.filter(isSelfContainedQuestion)).toEqual([]);
});
