import { expect, test } from "vitest";
import { wantOf } from "./question.ts";

test("a question is a question without its mark too", () => {
  for (const text of [
    "сколько стоит доставка",
    "до скольки работаете завтра",
    "а где вы находитесь",
    "можно оплатить картой",
    "подскажите по срокам",
    "интересует доставка в казань",
    "есть ли самовывоз",
  ])
    expect(wantOf(text), text).toBe("question");
  for (const text of ["курьер опять опоздал", "перезвоните мне", "спасибо, всё пришло"])
    expect(wantOf(text), text).not.toBe("question");
});
