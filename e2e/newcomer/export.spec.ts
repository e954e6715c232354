// «Экспорт» gives what the list on the screen holds, and says so where that is nothing.
import { readFile } from "node:fs/promises";
import { answering, json, listOf, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";

const NOW = "2025-11-20T10:00:00.000Z";
const approval = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(300 + n),
  conversationId: uuid(400 + n),
  twinId: uuid(1),
  twinName: "Анна",
  platform: "telegram",
  contactName: `Собеседник ${n}`,
  author: "twin",
  question: `Вопрос ${n}`,
  text: `Ответ ${n}`,
  state: "draft",
  reason: "Вы решаете, что отправить",
  confidence: 0.8,
  sources: [],
  createdAt: NOW,
  undoUntil: null,
  ...own,
});
const conversation = {
  id: uuid(401),
  twinId: uuid(1),
  twinName: "Анна",
  participants: { name: "Собеседник 1", status: "active" },
  platform: "telegram",
  updatedAt: NOW,
};

test("answers that wait are exported as the list shows them", async ({ page }) => {
  await answering(page, {
    ...listOf(twin(1)),
    "GET /api/conversations": json([conversation]),
    "GET /api/approvals": json([approval(1), approval(2, { state: "failed" })]),
  });
  await page.goto("/conversations?tab=approval");
  await expect(page.getByRole("heading", { name: "Собеседник 2" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Экспорт" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^otvety-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("Собеседник 1,Анна,Telegram,Вопрос 1,Ответ 1,Ждёт одобрения");
  expect(lines[2]).toContain("Ответ 2,Не отправлен");
});

test("an empty list is not exported, and pressing says why", async ({ page }) => {
  await answering(page, {
    ...listOf(twin(1)),
    "GET /api/conversations": json([conversation]),
    "GET /api/approvals": json([]),
  });
  await page.goto("/conversations?tab=approval");
  await expect(page.getByText("Ничто не ждёт одобрения")).toBeVisible();
  const button = page.getByRole("button", { name: "Экспорт" });
  await expect(button).toBeDisabled();
  await button.click({ force: true });
  await expect(page.getByText("Выгружать нечего: в списке пусто.").first()).toBeVisible();
});
