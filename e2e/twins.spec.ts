// The list of twins against answers of the test's own: what it says while waiting, when empty and when a call fails.
import type { Page } from "@playwright/test";
import { answering, fails, json, listOf, twin, uuid } from "./answers.ts";
import { expect, test } from "./fixtures.ts";

test.use({ allowedConsoleErrors: [/status of 50\d/] });

const DAY = 24 * 60 * 60 * 1000;
const daysAgo = (days: number) => ({ createdAt: new Date(Date.now() - days * DAY).toISOString() });
const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

test("shows each twin, the counts and the ways on", async ({ page }) => {
  await answering(page, listOf(twin(1, daysAgo(2)), twin(2, { ...daysAgo(2), isActive: false }), twin(3, daysAgo(40))));
  await page.goto("/twins");
  await expect(row(page, "Двойник 1").getByText("Активен", { exact: true })).toBeVisible();
  await expect(row(page, "Двойник 2").getByText("Неактивен", { exact: true })).toBeVisible();
  const figures = page.locator("main dl");
  await expect(figures).toHaveText(["Всего двойников3", "Активные2", "Неактивные1", "За 30 дней2"]);
  const hrefs = await page.locator("main a, header a").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
  const expected = [
    "/train-ai",
    "/add-integration",
    "/create-twin",
    `/edit-twin/${uuid(1)}`,
    `/twin-settings/${uuid(2)}`,
  ];
  expect(hrefs).toEqual(expect.arrayContaining(expected));
  await expect(page.getByRole("searchbox")).toHaveCount(0);
});

test("waits with words, and a failed reading can be tried again", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  let failing = true;
  await answering(page, {
    "GET /api/digital-twins": async (route, request) => {
      await held.promise;
      return (failing ? fails(503, "База данных недоступна") : json([twin(1)]))(route, request);
    },
  });
  await page.goto("/twins");
  await expect(page.getByRole("status").getByText("Загружаем двойников...")).toBeVisible();
  held.resolve();
  await expect(page.getByRole("alert")).toContainText("Не удалось загрузить двойников");
  await expect(page.getByRole("alert")).toContainText("База данных недоступна");
  failing = false;
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(row(page, "Двойник 1")).toBeVisible();
});
test("without twins offers to create the first", async ({ page }) => {
  await answering(page, listOf());
  await page.goto("/twins");
  await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
  await page.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page).toHaveURL("/create-twin");
});

test("past ten rows can be searched, and the address keeps the search", async ({ page }) => {
  await answering(page, listOf(...Array.from({ length: 11 }, (_, n) => twin(n + 1)), twin(40, { name: "Пётр" })));
  await page.goto("/twins");
  await page.getByRole("searchbox", { name: "Поиск двойника" }).fill("петр");
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
  await page.reload();
  await expect(row(page, "Пётр")).toBeVisible();
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
  await page.getByRole("searchbox").fill("нет такого");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(12);
});
