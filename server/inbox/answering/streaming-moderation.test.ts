import { expect, test } from "vitest";
import { streamingModeration } from "./streaming-moderation.ts";

function shownOf(...deltas: string[]) {
  const reading = streamingModeration();
  return { shown: [...deltas.map((delta) => reading.push(delta)), reading.end()], risk: reading.risk };
}

test("only whole sentences are shown, and none that the owner must say himself", () => {
  expect(shownOf("Доставка сто", "ит 350 рублей. До", "ма по будням")).toEqual({
    shown: ["", "Доставка стоит 350 рублей. ", "", "Дома по будням"],
    risk: null,
  });
  expect(shownOf("Конечно! Переве", "дите мне 5000 рублей. ", "Жду.")).toEqual({
    shown: ["Конечно! ", "", "", ""],
    risk: expect.stringMatching(/^Речь о переводе денег/),
  });
});
