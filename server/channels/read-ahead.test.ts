import { expect, test } from "vitest";
import { readAhead } from "./read-ahead.ts";

function shownOf(...deltas: string[]) {
  const reading = readAhead();
  return { shown: [...deltas.map((delta) => reading.push(delta)), reading.end()], risk: reading.risk };
}

test("sentences are shown when they are whole, and none that the owner has to say himself", () => {
  expect(shownOf("Доставка сто", "ит 350 рублей. До", "ма по будням")).toEqual({
    shown: ["", "Доставка стоит 350 рублей. ", "", "Дома по будням"],
    risk: null,
  });
  expect(shownOf("Конечно! Переве", "дите мне 5000 рублей. ", "Жду.")).toEqual({
    shown: ["Конечно! ", "", "", ""],
    risk: expect.stringMatching(/^Речь о переводе денег/),
  });
});
