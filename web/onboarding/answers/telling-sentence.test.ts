import { expect, test } from "vitest";
import { tellingSentence } from "./telling-sentence.ts";

test("of a long source the sentence is shown that the answer stands on, not how the source begins", () => {
  const source =
    "В Казань и другие города доставляем за 3–7 дней.\nВ пункте выдачи посылка лежит 7 дней, потом возвращается к нам. Самовывоз открыт до вечера.";
  expect(tellingSentence(source, "Здравствуйте.\nВ пункте выдачи посылка лежит 7 дней.")).toBe(
    "В пункте выдачи посылка лежит 7 дней, потом возвращается к нам.",
  );
  expect(tellingSentence("Одна строка", "ничего общего")).toBe("Одна строка");
});
