// «Экспорт» gives what the list on the screen holds, and says so where that is nothing.
import { readFile } from "node:fs/promises";
import { buildApproval, buildContact, buildConversation } from "../../factories/conversation.ts";
import { buildTwin } from "../../factories/twin.ts";
import { answering, json, listOf } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";

test("answers that wait are exported as the list shows them", async ({ page }) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([buildConversation(1, { participants: buildContact({ name: "Собеседник 1" }) })]),
    "GET /api/approvals": json([buildApproval(1), buildApproval(2, { state: "failed" })]),
  });
  await page.goto("/conversations?tab=approval");
  await expect(page.getByRole("button", { name: "Собеседник 2" })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Экспорт", exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^otvety-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('"Собеседник 1","Анна","Telegram","Вопрос 1","Ответ 1","Ждёт одобрения"');
  expect(lines[2]).toContain('"Ответ 2","Не отправлено"');
});

test("an empty list is not exported, and pressing says why", async ({ page }) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([buildConversation(1, { participants: buildContact({ name: "Собеседник 1" }) })]),
    "GET /api/approvals": json([]),
  });
  await page.goto("/conversations?tab=approval");
  await expect(page.getByText("Ничто не ждёт одобрения")).toBeVisible();
  const button = page.getByRole("button", { name: "Экспорт", exact: true });
  await expect(button).toBeDisabled();
  await button.click({ force: true });
  await expect(page.getByText("Выгружать нечего: в списке пусто.").first()).toBeVisible();
});
