import { expect, test } from "vitest";
import { saysUnknown } from "./refusal.ts";

test.each([
  ["хз, спроси у кого-нибудь", true],
  ["К сожалению, не знаю.", true],
  ["У меня нет такой информации", true],
  ["I don't know, sorry", true],
  ["Доставка стоит 350 рублей.", false],
  ["Не зная точного адреса, курьер позвонит.", false],
])("%j says that it is not known: %s", (reply, expected) => {
  expect(saysUnknown(reply)).toBe(expected);
});
