// The sources of /knowledge: read anew, refused, searched; what is not there yet and what cannot be loaded.
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeMessage, buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { expectAccessible, expectNoSidewaysScroll } from "../support/accessibility.ts";
import { databaseAway, fails, hangs, json, plain } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { expectToast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { answeringKnowledge } from "./answering-knowledge.ts";
import { REIMPORT } from "./sources-parts.ts";

test.describe("a reimport", () => {
  // Its toasts keep their five seconds: a clock stands in for them.
  test.use({ ownContext: true });

  test("has ended: the figures are fresh without a reload, and the row says meanwhile that it runs", async ({
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
    await page.clock.install();
    await page.goto("/knowledge");
    const reimport = page.getByRole("button", { name: /Переимпорт/ });
    await reimport.click();
    await expect(reimport).toHaveAttribute("aria-busy", "true");
    await expectToast(page, "Переимпорт запущен");
    await expect(page.locator("dl").first()).toContainText("21");
    messages = 777;
    running = false;
    await page.clock.runFor(8_000);
    await expectToast(page, "Импорт завершен!");
    await expect(page.locator("dl").first()).toContainText("777");
    await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: /777/ })).toBeVisible();
    await expect(reimport).toBeEnabled();
  });

  test("that has ended at once is said to have begun for as long as a toast stands, and to have ended after that", async ({
    page,
  }) => {
    const reimport = { obstacle: null, running: false, failure: null };
    await answeringKnowledge(page, {
      "GET /api/knowledge-base/sources": () => [buildSource(1, { kind: "integration", reimport })],
      [REIMPORT]: json({ id: uuid(1), status: "finished" }, 202),
    });
    await page.clock.install();
    await page.goto("/knowledge");
    const readAgain = page.waitForResponse((response) => response.request().method() === "GET");
    await page.getByRole("button", { name: /Переимпорт/ }).click();
    await readAgain;
    await expectToast(page, "Переимпорт запущен", "Данные обновляются в фоновом режиме");
    await page.clock.runFor(5_000);
    await expectToast(page, "Импорт завершен!");
  });
});

test("a file that does not update automatically says why where its contents are, with the way to its newer part", async ({
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
  await page.getByRole("link", { name: "Загрузить новую выгрузку" }).click();
  await expect(page).toHaveURL(`/train-ai?tab=dialogues&from=file&twin=${uuid(1)}`);
});

test("a refused reimport is explained in the server's words, else in ours", async ({ page, allowedConsoleErrors }) => {
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

test("a phone shows every source with its act in sight, in rows of two lines", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(
      Array.from({ length: 23 }, (_, n) => buildSource(n + 1, { platform: "whatsapp", messagesCount: 231 })),
    ),
  });
  await page.goto("/knowledge");
  const acts = page.getByRole("button", { name: /^Переимпорт/ });
  await expect(acts).toHaveCount(23);
  await expect(acts.first()).toHaveText("Переимпорт");
  await expect(page.getByText(/^23\sисточника/)).toBeVisible();
  const row = page.getByRole("main").getByRole("listitem").first();
  expect((await row.boundingBox())!.height).toBeLessThanOrEqual(120);
  await expect(row.getByText("WhatsApp")).toBeVisible();
  await expectAccessible(page, "sources on a phone");
  await expectNoSidewaysScroll(page);
});
