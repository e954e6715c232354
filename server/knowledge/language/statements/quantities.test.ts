import { expect, test } from "vitest";
import { phonesIn, quantitiesIn, sameQuantity } from "./quantities.ts";

const valuesOf = (text: string) => quantitiesIn(text).map(({ value }) => value);

test.each([
  ["стоит 1 500 рублей", [1500]],
  ["стоит 12 000, скидка 5 %", [12_000, 5]],
  ["3,5 кг и 2.5 л", [3.5, 2.5]],
  ["с 9:00 до 18:30", [9, 18.5]],
  ["5 тыс. или 7,5 тыс", [5000, 7500]],
  ["две тысячи пятьсот рублей", [2500]],
  ["тысяча рублей", [1000]],
  ["полтора часа", [1.5]],
  ["полчаса", [30]],
  ["двадцать пятого мая", [25]],
  ["два-три дня", [2, 3]],
  ["сто пятьдесят граммов", [150]],
  ["от 5к и до 18 к вам", [5000, 18]],
  ["помыть пол и первый раз", []],
  ["без чисел", []],
] as const)("«%s» holds %j", (text, values) => expect(valuesOf(text)).toEqual(values));

const same = (one: string, other: string) => sameQuantity(quantitiesIn(one)[0]!, quantitiesIn(other)[0]!);
test("amounts are equal when they are the same in different units", () => {
  for (const [one, other] of [
    ["полтора часа", "90 минут"],
    ["полчаса", "30 мин"],
    ["2 недели", "14 дней"],
    ["полгода", "6 месяцев"],
    ["1,5 кг", "1500 грамм"],
    ["две тысячи рублей", "2 000 ₽"],
    ["2000", "2 000 руб"],
  ] as const)
    expect(same(one, other), `${one} = ${other}`).toBe(true);
  for (const [one, other] of [
    ["5 лет", "5 минут"],
    ["500 рублей", "500 грамм"],
    ["10 дней", "10 недель"],
    ["150", "1500"],
  ] as const)
    expect(same(one, other), `${one} ≠ ${other}`).toBe(false);
});

test("the first number of a range has the unit of the second", () => {
  const [from, to] = quantitiesIn("10–15 минут");
  expect([from!.unit, to!.unit]).toEqual([
    { dimension: "clock", base: 600 },
    { dimension: "clock", base: 900 },
  ]);
});

test("a phone number is recognised by its digits however they are grouped; a price is not one", () => {
  expect(phonesIn("звоните 8 (912) 345-67-89").map(({ digits }) => digits)).toEqual(["9123456789"]);
  expect(phonesIn("+7 912 3456789")[0]!.digits).toBe("9123456789");
  expect(phonesIn("1 500 000 000 рублей")).toEqual([]);
});
