import { describe, expect, test } from "vitest";
import type { OwnersStyle } from "#contract/quality.ts";
import { OwnersStyleAccumulator } from "../style-groups.ts";
import { knownGender, knownGreeting, knownLanguages, knownSignature } from "./known-self.ts";
import { statedRole } from "./stated-role.ts";
import { visibleSelf } from "./visible-self.ts";

/** Sends every text to each of so many people; «> » marks what the person wrote. */
function written(people: number, ...texts: string[]): OwnersStyle {
  const accumulator = new OwnersStyleAccumulator();
  let at = Date.UTC(2026, 0, 1);
  for (let person = 1; person <= people; person++) {
    for (const line of texts) {
      at += 60_000;
      const [text, fromOwner] = line.startsWith("> ") ? [line.slice(2), false] : [line, true];
      accumulator.add({ text, fromOwner, sentAt: new Date(at), chatId: person, contactId: person, person });
    }
    at += 24 * 3_600_000;
  }
  return accumulator.result().style;
}

const STRANGER = { isOwner: false };
const OWNER = { isOwner: true };

describe("the owner's gender", () => {
  const SHE = ["я посмотрела", "рада помочь", "я бы предложила завтра"];

  test("is known from five messages of which nearly all agree", () => {
    expect(knownGender(written(1, ...SHE, "я узнала"))).toBeNull();
    expect(knownGender(written(3, ...SHE))).toEqual({ value: "female", count: 9, isShared: true });
    expect(knownGender(written(4, ...SHE, "я сделал"))).toBeNull();
  });

  test("is never learnt from what a contact writes", () => {
    expect(knownGender(written(5, "> я уже пришла", "> я всё купила", "хорошо"))).toBeNull();
  });

  test("is shown to strangers only when three people have read it", () => {
    const style = written(2, ...SHE, "я всё проверила", "я забыла");
    expect(visibleSelf(style, null, STRANGER).gender).toBeNull();
    expect(visibleSelf(style, null, OWNER).gender).toBe("female");
  });
});

describe("the signature", () => {
  test("is the last line that recurs to several people, with its closing", () => {
    const style = written(3, "Заказ собран, ждём вас.\n\nС уважением,\nАнна");
    expect(knownSignature(style)).toEqual({ value: "С уважением,\nАнна", count: 3, isShared: true });
    expect(knownSignature(written(3, "Оплату вижу\nИван, столярка"))?.value).toBe("Иван, столярка");
  });

  test.each([
    ["the contact's name", 1, "Всё готово\nС уважением к вам, Мария"],
    ["thanks to a contact", 3, "Всё получила\nСпасибо, Мария!"],
    ["a telephone", 3, "Звоните\nИван, +7 900 123-45-67"],
    ["a line of a list", 3, "Есть цвета:\nсиний"],
    ["the only line", 3, "Иван"],
  ])("is not %s", (_, people, text) => {
    expect(knownSignature(written(people, text, text, text))).toBeNull();
  });

  test("reaches no stranger when two people have read it", () => {
    const style = written(2, "Готово\nВаш Иван", "Позвоню\nВаш Иван");
    expect(visibleSelf(style, null, STRANGER).signature).toBe("");
    expect(visibleSelf(style, null, OWNER).signature).toBe("Ваш Иван");
  });
});

test("a stranger is greeted formally unless the owner is on «ты» with everybody", () => {
  expect(knownGreeting(written(3, "Привет! ты где?", "Добрый день! Вы записаны."))).toMatchObject({
    value: "Добрый день",
  });
  expect(knownGreeting(written(3, "Привет! ты где?", "ты скоро?"))?.value).toBe("привет");
});

test("languages are those of whole sentences", () => {
  const english = ["let me know when you are here", "the order is ready"];
  const style = written(3, "я приеду завтра утром", "буду к обеду", "ok", "Nike Air", ...english, "it was nice");
  expect(knownLanguages(style).map(({ value }) => value)).toEqual(["en", "ru"]);
});

test("apologies, refusals and answers to a request for a discount are counted with the owner's own words", () => {
  const style = written(
    3,
    "> Можно скидку?",
    "цена одна для всех",
    "> А завтра успеете?",
    "увы, завтра не получится",
    "Прошу прощения за ожидание!",
    "извините?",
  );
  expect(style.self?.acts).toMatchObject({
    haggling: { count: 3, top: [{ text: "цена одна для всех", count: 3, people: 3 }] },
    refusal: { count: 3, top: [{ text: "увы" }] },
    apology: { count: 3, top: [{ text: "прошу прощения" }] },
  });
  expect(visibleSelf(style, null, STRANGER)).toMatchObject({ apologies: ["прошу прощения"], refusals: ["увы"] });
});

test("what the owner states wins, and an empty statement silences what was learnt", () => {
  const style = written(3, "Заказ собран\nАнна", "я посмотрела", "я сделала", "я узнала");
  const stated = { gender: "male", role: "флорист", signature: "" } as const;
  expect(visibleSelf(style, stated, STRANGER)).toMatchObject({ gender: "male", role: "флорист", signature: "" });
  expect(visibleSelf(style, { ...stated, gender: "unstated" }, STRANGER).gender).toBeNull();
  expect(visibleSelf(null, stated, STRANGER).role).toBe("флорист");
});

test.each([
  ["Я — мастер по ремонту обуви. Работаю с 2010 года.", "мастер по ремонту обуви"],
  ["Меня зовут Инна, я флорист и декоратор.", "флорист и декоратор"],
  ["О нас. Я фотограф, снимаю свадьбы", "фотограф"],
  ["Отвечает покупателям магазина", null],
  ["Я всегда на связи", null],
  ["Я Иван, звоните", null],
])("a public text states a role: %s", (text, role) => {
  expect(statedRole(text)).toBe(role);
});
