// The sources of /knowledge: read anew, refused, searched; what is not there yet and what cannot be loaded.
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeMessage, buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { databaseAway, fails, hangs, json, plain } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { expectToast } from "../support/toast.ts";
import { answeringKnowledge } from "./answering-knowledge.ts";
import { REIMPORT } from "./sources-parts.ts";

test("when a reimport has ended the figures are fresh without a reload, and the row says that it runs meanwhile", async ({
  page,
}) => {
  let messages = 21;
  let running = false;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": () => buildKnowledgeStats({ totalMessages: messages }),
    "GET /api/knowledge-base/sources": () => [
      buildSource(1, {
        messagesCount: messages,
        kind: "integration",
        reimport: { obstacle: null, running, failure: null },
      }),
    ],
    [REIMPORT]: (route) => {
      running = true;
      return route.fulfill({ status: 202, json: { id: uuid(1), status: "running" } });
    },
  });
  await page.goto("/knowledge");
  const reimport = page.getByRole("button", { name: /Переимпорт/ });
  await reimport.click();
  await expect(reimport).toHaveAttribute("aria-busy", "true");
  await expectToast(page, "Переимпорт запущен");
  await expect(page.locator("dl").first()).toContainText("21");
  messages = 777;
  running = false;
  await expectToast(page, "Импорт завершен!");
  await expect(page.locator("dl").first()).toContainText("777");
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: /777/ })).toBeVisible();
  await expect(reimport).toBeEnabled();
});

test("a file that does not change by itself is imported anew by its newer part, and says why where its contents are", async ({
  page,
}) => {
  const obstacle = "Файл сам не меняется: загрузите новую выгрузку";
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json([
      buildSource(1, { kind: "export", digitalTwinId: uuid(1), reimport: { obstacle, running: false, failure: null } }),
    ]),
    [`GET /api/knowledge-base/sources/${uuid(1)}/contents`]: hangs,
    // What /train-ai asks, to which this leads in the end.
    "GET /api/knowledge/documents": hangs,
    "GET /api/imports": hangs,
  });
  await page.goto("/knowledge");
  await keyboardOf(page).follow(page.getByRole("button", { name: /^Состав/ }));
  await expect(page.getByRole("main").getByText(obstacle)).toBeVisible();
  await page.getByRole("button", { name: /^Переимпорт/ }).click();
  await expect(page).toHaveURL(`/train-ai?tab=dialogues&from=file&twin=${uuid(1)}`);
});

test("sources are chosen by where they come from, and a line is 44 pixels high at a desk, two lines on a phone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const kinds = ["paste", "export", "integration"] as const;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(
      Array.from({ length: 12 }, (_, n) => buildSource(n + 1, { kind: kinds[n % 3]! })),
    ),
  });
  await page.goto("/knowledge");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(12);
  expect((await rows.nth(3).boundingBox())!.height).toBeLessThanOrEqual(45);
  await page.getByRole("button", { name: "Выгрузки 4" }).click();
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/kind=export/);
  await page.reload();
  await expect(rows).toHaveCount(4);
  await expectAccessible(page, "sources of one kind");
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await rows.first().boundingBox())!.height).toBeLessThanOrEqual(76);
});

test("sources stand under their twins, a twin is chosen by the address, and the state has a column only where it differs", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const sources = Array.from({ length: 12 }, (_, n) =>
    buildSource(n + 1, { digitalTwinId: uuid(n % 3 ? 1 : 2), digitalTwinName: n % 3 ? "Анна" : "Олег" }),
  );
  let read = sources;
  await answeringKnowledge(page, { "GET /api/knowledge-base/sources": () => read });
  await page.goto("/knowledge");
  const main = page.getByRole("main");
  const rows = main.getByRole("listitem");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText(["Олег", "Анна"]);
  await expect(main.getByText("12 источников, все активны")).toBeVisible();
  const column = main.getByText("Состояние", { exact: true });
  await expect(column).toHaveCount(0);
  await page.getByLabel("Двойник", { exact: true }).selectOption("Олег");
  await expect(rows).toHaveCount(4);
  await expect(page).toHaveURL(/twin=/);
  read = [...sources.slice(0, 11), buildSource(12, { status: "inactive", lastImport: null, digitalTwinName: "Анна" })];
  await page.reload();
  await expect(rows).toHaveCount(4);
  await page.getByLabel("Двойник", { exact: true }).selectOption("all");
  await expect(column).toBeVisible();
  await expect(main.getByText("Последний импорт", { exact: true }).first()).toBeVisible();
  await expect(main.getByText("все активны")).toHaveCount(0);
});

test("an act of a row is drawn under the pointer or the focus, and is never out of the keyboard's reach", async ({
  page,
}) => {
  await answeringKnowledge(page, { "GET /api/knowledge-base/sources": json([buildSource(1), buildSource(2)]) });
  await page.goto("/knowledge");
  const act = page.getByRole("button", { name: /^Переимпорт/ }).first();
  await expect(act).toHaveCSS("opacity", "0");
  await act.focus();
  await expect(act).toHaveCSS("opacity", "1");
  await act.blur();
  await expect(act).toHaveCSS("opacity", "0");
  await page.getByRole("main").getByRole("listitem").first().hover();
  await expect(act).toHaveCSS("opacity", "1");
});

test("a refused reimport is told in the server's words, else in ours", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 50\d/);
  let refusal = fails(503, "Переимпорт подключённых аккаунтов пока недоступен");
  await answeringKnowledge(page, { [REIMPORT]: (route, request) => refusal(route, request) });
  await page.goto("/knowledge");
  const reimport = page.getByRole("button", { name: /Переимпорт/ });
  await reimport.click();
  await expectToast(page, "Ошибка переимпорта");
  await expectToast(page, "Переимпорт подключённых аккаунтов пока недоступен");
  refusal = plain(500, "");
  await reimport.click();
  await expectToast(page, "Не удалось запустить переимпорт");
});

test("what cannot be loaded can be tried again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 503/);
  const database = databaseAway();
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": database.unlessAway(buildKnowledgeStats()),
    "GET /api/knowledge-base/sources": database.unlessAway([buildSource(1)]),
    "GET /api/knowledge-base/messages": database.unlessAway([buildKnowledgeMessage(1)]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText("Не удалось загрузить статистику")).toBeVisible();
  await expect(page.getByText("Не удалось загрузить источники данных")).toBeVisible();
  await expectAccessible(page, "/knowledge while the database is away");
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  await expect(page.getByText("Не удалось загрузить сообщения")).toBeVisible();
  database.comes();
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Повторить" }).first().click();
  await expect(page.getByText("Сообщение 1", { exact: true })).toBeVisible();
  await expect(page.getByText("Всего сообщений")).toBeVisible();
});
