import { expect, test } from "vitest";
import { draftCard, type ShownDraft } from "./draft-card.ts";

const draft: ShownDraft = {
  contactName: "Мария",
  twinName: "Анна",
  platform: "telegram",
  question: "Когда привезёте?",
  text: "В документе «Доставка» сказано: «Курьер приезжает с 9 до 21.»",
  state: "draft",
  reason: "Двойник не уверен в ответе",
  confidence: 0.11,
  basis: "quoted",
};
const labels = (shown: ShownDraft) => draftCard(shown, "1", false).lines.map(({ label }) => label);

test("a card with a quotation shows no percentage, because a quotation does not claim to answer", () => {
  expect(labels(draft)).toEqual(["Собеседник", "Двойник", "Почему ждёт"]);
  expect(labels({ ...draft, basis: "knowledge" })).toContain("Уверенность");
});
