// The sources of /knowledge: read anew, refused, searched; what is not there yet and what cannot be loaded.
// What sources.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { buildDocument, buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { answeringKnowledge, oleg } from "./answering-knowledge.ts";
import { REIMPORT } from "./sources-parts.ts";

test("a reimport tells that it has begun, and figures and sources are read again", async ({ page }) => {
  let reads = 0;
  const sent: string[] = [];
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": () => {
      reads++;
      return buildKnowledgeStats({ totalMessages: reads === 1 ? 1 : 777 });
    },
    "GET /api/knowledge-base/sources": () => [buildSource(1, { messagesCount: reads === 1 ? 1 : 777 })],
    [REIMPORT]: (route, request) => {
      sent.push(request.postData() ?? "");
      return route.fulfill({ status: 202, json: { id: uuid(1), status: "running" } });
    },
  });
  await page.goto("/knowledge");
  const keyboard = keyboardOf(page);
  await keyboard.follow(page.getByRole("button", { name: /Переимпорт/ }));
  await expectToast(page, "Переимпорт запущен");
  await expectToast(page, "Данные обновляются в фоновом режиме");
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: /777/ })).toBeVisible();
  await expect(page.locator("dl").first()).toContainText("777");
  expect(sent).toEqual([""]);
});

test("the largest sources come first unless the newest are asked for, and a link shows the same", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(
      Array.from({ length: 12 }, (_, n) => buildSource(n + 1, { messagesCount: n })),
    ),
  });
  await page.goto("/knowledge");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows.first()).toContainText("Источник 12");
  await page.getByLabel("Порядок источников").selectOption("По дате");
  await expect(rows.first()).toContainText("Источник 1");
  await expect(page).toHaveURL(/order=new/);
  await page.reload();
  await expect(rows.first()).toContainText("Источник 1");
});

test("more than ten sources can be searched", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(Array.from({ length: 60 }, (_, n) => buildSource(n + 1))),
  });
  await page.goto("/knowledge");
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(50);
  await page.getByRole("button", { name: "Показать ещё 10" }).click();
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(60);
  await page.getByRole("searchbox", { name: "Поиск источника" }).fill("источник 60");
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(1);
  await expect(page).toHaveURL(/source=/);
  await page.getByRole("searchbox", { name: "Поиск источника" }).fill("нет такого");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(50);
});

test("nothing yet has its own words in both tabs", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats({ totalMessages: 0, lastUpdate: null })),
    "GET /api/knowledge-base/sources": json([]),
    "GET /api/knowledge/websites": json([]),
    "GET /api/knowledge/documents": json([buildDocument(1), buildDocument(2)]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText("Источники данных не найдены")).toBeVisible();
  const panel = page.getByRole("tabpanel");
  // The first tab is empty, and what the twin knows all the same is one step away.
  await expect(panel).toContainText("по тому, что вы загрузили: 2 документа");
  await panel.getByRole("button", { name: "Открыть документы" }).click();
  await expect(page).toHaveURL(/tab=documents/);
  await page.getByRole("tab", { name: "Источники данных" }).click();
  for (const [name, to] of [
    ["Загрузить переписку", "/train-ai?tab=dialogues"],
    ["Загрузить документ", "/train-ai"],
  ] as const)
    await expect(panel.getByRole("link", { name })).toHaveAttribute("href", to);
  await panel.getByRole("button", { name: "Прочитать сайт" }).click();
  await expect(page).toHaveURL(/tab=sites/);
  await page.getByRole("tab", { name: "Источники данных" }).click();
  await expect(page.getByText("Последнее обновление")).toHaveCount(0);
  await expectAccessible(page, "/knowledge without sources");
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  await expect(page.getByText("Сообщения не найдены")).toBeVisible();
  await expect(page.getByRole("link", { name: "Загрузить переписку" })).toHaveAttribute(
    "href",
    "/train-ai?tab=dialogues",
  );
  await page.getByLabel("Двойник", { exact: true }).selectOption(oleg.id);
  await expect(page.getByText("Переписку двойника видит только его владелец.")).toBeVisible();
  await page.getByRole("button", { name: "Сбросить фильтры" }).click();
  await expect(page).toHaveURL(/\/knowledge\?tab=messages$/);
  await expectAccessible(page, "/knowledge without messages");
});

test("the parts of all messages add up: what is of no named platform is said, and a pasted chat has its word at any width", async ({
  page,
}) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": json(buildKnowledgeStats({ totalMessages: 12_498 })),
    "GET /api/knowledge-base/sources": json([buildSource(1, { name: "Чат с Олей", kind: "paste", platform: "chat" })]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText("Из всех сообщений 153 — чаты и другие платформы")).toBeVisible();
  const row = page.getByRole("listitem").filter({ hasText: "Чат с Олей" });
  await expect(row.getByText("Другой чат")).toBeInViewport();
  await page.setViewportSize(PHONE);
  await expect(row.getByText("Другой чат")).toBeVisible();
  await expectAccessible(page, "a source without a glyph of its own");
});

test("sources are chosen by where they come from", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  const kinds = ["paste", "export", "integration"] as const;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(
      Array.from({ length: 12 }, (_, n) => buildSource(n + 1, { kind: kinds[n % 3]! })),
    ),
  });
  await page.goto("/knowledge");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(12);
  await page.getByRole("button", { name: "Выгрузки 4" }).click();
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/kind=export/);
  await page.reload();
  await expect(rows).toHaveCount(4);
  await expectAccessible(page, "sources of one kind");
});

test("each source says whose it is, and a twin is chosen by the address", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  const sources = Array.from({ length: 12 }, (_, n) =>
    buildSource(n + 1, { digitalTwinId: uuid(n % 3 ? 1 : 2), digitalTwinName: n % 3 ? "Анна" : "Олег" }),
  );
  await answeringKnowledge(page, { "GET /api/knowledge-base/sources": json(sources) });
  await page.goto("/knowledge");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(page.getByText(/^12\sисточников/)).toBeVisible();
  for (const place of [0, 1]) await expect(rows.nth(place)).toContainText(/Анна|Олег/);
  await page.getByLabel("Двойник", { exact: true }).selectOption("Олег");
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/twin=/);
  await page.reload();
  await expect(rows).toHaveCount(4);
});
