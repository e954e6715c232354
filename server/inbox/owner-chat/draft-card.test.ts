import { expect, test } from "vitest";
import { draftCard, readButton, type ShownDraft } from "./draft-card.ts";

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

test.each<[Partial<ShownDraft>, string]>([
  [{ state: "draft" }, "Черновик ждёт решения"],
  [{ state: "sending" }, "Ответ отправляется"],
  [{ state: "sent" }, "Ответ отправлен"],
  [{ state: "cancelled", reason: null }, "Черновик отклонён"],
  [{ state: "cancelled", reason: "Собеседник отписался" }, "Черновик отменён: Собеседник отписался"],
  [{ state: "unknown" }, "Неизвестно, дошёл ли ответ: решите на сайте"],
  [{ state: "failed", reason: "Ключ отозван" }, "Ответ не отправлен: Ключ отозван"],
  [{ state: "failed", reason: null }, "Ответ не отправлен: решите на сайте"],
])("the card of %j says «%s», and only a waiting one has buttons", (change, title) => {
  const card = draftCard({ ...draft, ...change }, "1", false);
  expect(card.title).toBe(title);
  expect(card.buttons.length > 0).toBe(change.state === "draft");
});

test("an answer too long for the card is cut and cannot be sent from it; a draft without text is only answered", () => {
  const verbs = (shown: ShownDraft) => draftCard(shown, "1", true).buttons.map(({ label }) => label);
  const long = { ...draft, text: "а".repeat(3000), reason: null };
  expect(verbs(long)).toEqual(["Изменить", "Отклонить"]);
  expect(
    draftCard(long, "1", true)
      .lines.map(({ label }) => label)
      .slice(2),
  ).toEqual(["Ответ длинный", "Повтор"]);
  expect(draftCard(long, "1", true).quotes[1]!.text).toMatch(/а \[…\]$/);
  expect(verbs({ ...draft, text: "" })).toEqual(["Ответить", "Отклонить"]);
  expect(verbs(draft)).toEqual(["Отправить", "Изменить", "Отклонить"]);
});

test("only the data of our own buttons is read", () => {
  const id = "8b6f2a4e-0000-4000-8000-000000000000";
  expect(readButton(`draft:edit:${id}`)).toEqual({ verb: "edit", noticeId: id });
  expect(readButton(`draft:delete:${id}`)).toBeNull();
  expect(readButton("draft:edit:1")).toBeNull();
});
