import { describe, expect, test } from "vitest";
import { formsIn, formsOf } from "./word-forms.ts";

const isForm = (word: string, form: string) => {
  const forms = formsOf(word);
  return forms !== null && new RegExp(`^(?:${forms.pattern})$`).test(form);
};

describe("the forms of a word", () => {
  test.each([
    ["доставка", ["доставки", "доставке", "доставку", "доставкой", "доставками"]],
    ["белый", ["белая", "белого", "белыми", "белых", "белую"]],
    ["заказать", ["заказал", "заказала", "заказали"]],
    ["оплачивается", ["оплачивают", "оплачивать", "оплачивали", "оплачивал"]],
    ["возможность", ["возможности", "возможностями", "возможный", "возможных"]],
    ["цены", ["цена", "цену", "ценам", "цен"]],
    ["ёлка", ["елки", "елку"]],
    ["«доставка»?", ["доставки"]],
    ["delivery", ["deliveries", "delivered", "delivers"]],
    ["prices", ["price", "priced", "pricing"]],
    ["shipping", ["ship", "ships", "shipped"]],
  ])("of «%s» are other words of one stem", (word, forms) => {
    for (const form of forms) expect(isForm(word, form), form).toBe(true);
  });

  test("are no other words that begin alike", () => {
    for (const [word, other] of [
      ["цены", "ценность"],
      ["стоит", "стол"],
      ["часы", "часть"],
      ["дома", "домашний"],
      ["столы", "столица"],
    ] as const)
      expect(isForm(word, other), other).toBe(false);
  });

  test("are not sought of what has none: signs, numbers, stop words, a few letters and a word that begins all its forms", () => {
    for (const word of ["50%", "а_н", "для", "да", "рты", "из-за", "доставк", "стол", ".*"])
      expect(formsOf(word), word).toBeNull();
  });
});

test("a match in another form is returned as it stands in the text, once, without the searched word itself", () => {
  const texts = ["Доставки нет, ДОСТАВКОЙ не занимаемся", "доставка и доставки, недоставка"];
  expect(formsIn(["доставка"], texts)).toEqual(["доставки", "доставкой"]);
  expect(formsIn(["50%"], texts)).toEqual([]);
});
