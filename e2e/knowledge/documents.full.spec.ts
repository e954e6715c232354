// The tabs «Документы» and «Факты» of /knowledge, against answers of the test's own.
// What documents.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildDocument } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { databaseAway, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { anna, answeringKnowledge, oleg } from "./answering-knowledge.ts";
import { use, uses } from "./documents-parts.ts";

test("each document says how many answers stood on it and leads to the last; the order, the twin and the words stand in the address", async ({
  page,
}) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": json([
      buildDocument(1, { name: "Правила возврата", type: "policy" }),
      buildDocument(2, { name: "Прайс на торты" }),
      buildDocument(3, { name: "Склад", digitalTwinId: oleg.id }),
    ]),
    ...uses(use(12, { documentId: uuid(52) })),
  });
  await page.goto("/knowledge?tab=documents");
  const rows = page.getByRole("region", { name: "Документы" }).getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("12 ответов");
  await expect(rows.nth(0)).toContainText("Ответов пока нет");
  await expect(rows.nth(2)).toContainText("Олег");
  const last = rows.nth(1).getByRole("link", { name: /^последний .* ответ по «Прайс на торты»: открыть диалог$/ });
  await expect(last).toHaveAttribute("href", `/conversations?dialog=${uuid(900)}`);
  await page.getByLabel("Порядок документов").selectOption("used");
  await expect(rows.nth(0)).toContainText("Прайс на торты");
  await expectAccessibleCrosswise(page, "documents of /knowledge");
  await page.getByLabel("Двойник", { exact: true }).selectOption(anna.id);
  await page.getByLabel("Поиск по документам").fill("возврат");
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveText(/Правила возврата/);
  await expect(page).toHaveURL(/order=used/);
  await page.getByLabel("Поиск по документам").fill("такого нет");
  await page.getByRole("button", { name: "Сбросить фильтры" }).click();
  await expect(rows).toHaveCount(3);
});

test("empty tabs show what will stand there, and what cannot be loaded is tried again", async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 503/);
  const database = databaseAway();
  await answeringKnowledge(page, {
    "GET /api/knowledge/documents": database.unlessAway([]),
    "GET /api/knowledge/facts": database.unlessAway({ facts: [], waiting: [] }),
    ...uses(),
  });
  await page.goto("/knowledge?tab=documents");
  await expect(page.getByText("Не удалось загрузить документы")).toBeVisible();
  database.comes();
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  await expect(
    page.getByRole("img", { name: "Пример: Прайс и доставка, 12 ответов, последний сегодня" }),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Загрузить документ" })).toHaveAttribute("href", "/train-ai");
  await page.getByRole("tab", { name: "Факты" }).click();
  await expect(page.getByText("Подтверждённых фактов пока нет")).toBeVisible();
  await expectAccessibleCrosswise(page, "no facts");
});
