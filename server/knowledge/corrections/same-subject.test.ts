/** A correction answers only what it was made for. */
import { expect, test } from "vitest";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { type ActiveCorrection, matchCorrections } from "./active-corrections.ts";

const taught = (question: string, text: string): ActiveCorrection => ({
  ...{ id: question, kind: "example", question, rewordings: [], context: [], text, rules: [] },
  ...{ contactId: null, audience: 0, confirmed: false },
});
const CARBON = taught("Карбоновые рамы чините?", "Карбон не берём, там жизнь на кону.");
const PEONIES = taught("Сколько стоит доставка букета из пионов по городу в субботу утром?", "Девятьсот.");

const corrected = (row: ActiveCorrection, message: string, ...earlier: string[]) => {
  const history = earlier.map((content, at): HistoryTurn => ({ role: at % 2 === 0 ? "user" : "assistant", content }));
  const asked = { audience: { kind: "stranger" } as const, message, history, near: new Map() };
  return matchCorrections([row], asked).corrected?.text ?? null;
};

test.each(["карбоновые рамы чините?", "Чините карбоновые рамы?", "карбоновую раму чините"])(
  "%j is the corrected question in other forms",
  (message) => {
    expect(corrected(CARBON, message)).toBe(CARBON.text);
  },
);

test.each(["сколько стоит то", "сколько стоит ТО?", "а сколько стоит?", "а алюминиевые?", "а где вы находитесь?"])(
  "after the corrected question %j asks something else",
  (message) => {
    expect(corrected(CARBON, message, "Карбоновые рамы чините?", CARBON.text)).toBeNull();
  },
);

test("one other thing among many shared words is another question", () => {
  expect(corrected(PEONIES, "сколько стоит доставка букета из пионов по городу в субботу утром")).toBe(PEONIES.text);
  expect(corrected(PEONIES, "сколько стоит доставка букета из роз по городу в субботу утром")).toBeNull();
});

test("an answer to a question without a price is no price", () => {
  const mobile = taught("Гелевые свечи делаете?", "Делаем, из пальмового воска.");
  expect(corrected(mobile, "Делаете гелевые свечи?")).toBe(mobile.text);
  expect(corrected(mobile, "Почём гелевые свечи делаете?")).toBeNull();
});
