// What of a list cannot be read is left out and said so; the rest of the list stands, on every screen that shows one.
import { answering, json, listOf, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";

const source = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(n),
  name: `Чат ${n}`,
  platform: "telegram",
  status: "active",
  digitalTwinName: "Анна",
  messagesCount: n,
  lastImport: null,
  ...own,
});
const stats = { totalMessages: 3, telegramMessages: 3, emailMessages: 0, whatsappMessages: 0, lastUpdate: null };
const note = /Часть записей прочитать не\s+удалось/;

test("a list on /knowledge stands without its odd row and says so, until it is read whole", async ({ page }) => {
  let sources = [source(1), source(2, { messagesCount: "много" }), source(3, { lastImport: 5 })];
  await answering(page, {
    "GET /api/knowledge-base/stats": json(stats),
    "GET /api/knowledge-base/sources": (route, request) => json(sources)(route, request),
  });
  await page.goto("/knowledge");
  await expect(page.getByRole("heading", { name: "Чат 1" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Чат 3" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Чат 2" })).toBeHidden();
  await expect(page.getByText(note)).toBeVisible();

  // A field that may be missing takes no row away: the third source was simply never imported.
  await expect(page.getByText("Никогда")).toHaveCount(2);

  sources = [source(1), source(2), source(3)];
  await page.getByRole("button", { name: "Прочитать ещё раз" }).click();
  await expect(page.getByRole("heading", { name: "Чат 2" })).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
});

test("the note belongs to the screen that shows the list", async ({ page }) => {
  await answering(page, {
    ...listOf(twin(1)),
    "GET /api/knowledge-base/stats": json(stats),
    "GET /api/knowledge-base/sources": json([source(1), { id: 5 }]),
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/knowledge");
  await expect(page.getByText(note)).toBeVisible();
  await page.getByRole("navigation").getByRole("link", { name: "Цифровые двойники" }).first().click();
  await expect(page.getByRole("heading", { name: "Двойник 1" })).toBeVisible();
  await expect(page.getByText(note)).toBeHidden();
});
