// A page that stood open while a new release took the place of the files it knows.
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";

// A page that stood open while a new release took the place of the files it knows.

test.use({ allowedConsoleErrors: [/dynamically imported module|Failed to load resource/], ownContext: true });

/** How often the page itself was loaded. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

const CODE = "**/assets/create-twin-page-*.js";
const gone = { status: 404, json: { message: "Не найдено", code: "not_found", requestId: "r1" } };
const title = "Не удалось загрузить страницу";

test("is loaded anew once when a screen's code is gone, and opens that screen", async ({ page }) => {
  await asNewUser(page);
  const loads = countLoads(page);
  await page.goto("/twins");
  await page.route(CODE, (route) => (loads() === 1 ? route.fulfill(gone) : route.continue()));
  const link = page.getByRole("link", { name: "Создать первого двойника" });
  // Its code is fetched ahead, in vain: nobody has asked for the screen yet.
  await link.hover();
  await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
  await page.waitForTimeout(500);
  expect(loads()).toBe(1);
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Создание двойника" })).toBeVisible();
  await expect(page).toHaveURL("/create-twin");
  await expect(page.getByLabel("Имя двойника")).toBeVisible();
  expect(loads()).toBe(2);
});

test("is not loaded again and again when that brings nothing: it says so, and what to do", async ({ page }) => {
  await asNewUser(page);
  const loads = countLoads(page);
  await page.goto("/twins");
  await page.route(CODE, (route) => route.fulfill(gone));
  await page.getByRole("link", { name: "Создать первого двойника" }).click();
  const alert = page.getByRole("alert");
  await expect(alert).toContainText(title);
  await expect(alert).toContainText("вышла новая версия приложения");
  await page.waitForTimeout(500);
  expect(loads()).toBe(2);
  await expectAccessible(page, "a screen whose code is gone");
  // The rest of the application is usable.
  await page.getByRole("link", { name: "Панель управления" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Панель управления" })).toBeVisible();
  await page.goBack();
  await expect(alert).toContainText(title);
  await page.unroute(CODE);
  await alert.getByRole("button", { name: "Обновить" }).click();
  await expect(page.getByLabel("Имя двойника")).toBeVisible();
});

test("stays as it is when the server cannot be reached either", async ({ page }) => {
  await asNewUser(page);
  const loads = countLoads(page);
  await page.goto("/twins");
  await page.route(CODE, (route) => route.abort());
  await page.route("**/healthz", (route) => route.abort());
  await page.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page.getByRole("alert")).toContainText("Пропала связь с сервером");
  expect(loads()).toBe(1);
});
