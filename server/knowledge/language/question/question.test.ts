import { expect, test } from "vitest";
import { wantOf } from "./question.ts";

test("a question is recognised without a question mark", () => {
  for (const text of [
    "сколько стоит доставка",
    "до скольки работаете завтра",
    "а где вы находитесь",
    "можно оплатить картой",
    "подскажите по срокам",
    "интересует доставка в казань",
    "есть ли самовывоз",
    // The subject may precede the question word.
    "абажур из бамбука почём",
    "лампу на стену какую посоветуете",
  ])
    expect(wantOf(text), text).toBe("question");
  for (const text of [
    "курьер опять опоздал",
    "перезвоните мне",
    "спасибо, всё пришло",
    "жду, когда приедет мастер",
    "знаю, что вы закрыты",
    "красота какая)",
  ])
    expect(wantOf(text), text).not.toBe("question");
});
