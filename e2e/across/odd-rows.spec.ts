// What of a list cannot be read is left out and said so; the rest of the list stands, on every screen that shows one.
import { buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";

const chat = (n: number) => buildSource(n, { name: `Чат ${n}`, lastImport: null });
// What of a list cannot be read is left out and said so; the rest of the list stands, on every screen that shows one.

const note = /Часть записей прочитать не\s+удалось/;

test("a list on /knowledge stands without its odd row and says so, until it is read whole", async ({ page }) => {
  let sources: object[] = [chat(1), { ...chat(2), messagesCount: "много" }, { ...chat(3), lastImport: 5 }];
  await answering(page, {
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
    "GET /api/knowledge-base/sources": (route, request) => json(sources)(route, request),
  });
  await page.goto("/knowledge");
  await expect(page.getByRole("heading", { name: "Чат 1" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Чат 3" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Чат 2" })).toBeHidden();
  await expect(page.getByText(note)).toBeVisible();

  // A field that may be missing takes no row away: the third source was simply never imported.
  await expect(page.getByText("Никогда")).toHaveCount(2);

  sources = [chat(1), chat(2), chat(3)];
  await page.getByRole("button", { name: "Прочитать ещё раз" }).click();
  await expect(page.getByRole("heading", { name: "Чат 2" })).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
});

test("the note belongs to the screen that shows the list", async ({ page }) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
    "GET /api/knowledge-base/sources": json([chat(1), { id: 5 }]),
  });
  await page.setViewportSize(DESKTOP);
  await page.goto("/knowledge");
  await expect(page.getByText(note)).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Цифровые двойники" }).first().click();
  await expect(page.getByRole("heading", { name: "Двойник 1" })).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
});
