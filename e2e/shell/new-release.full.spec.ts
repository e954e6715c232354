// A page that stood open while a new release took the place of the files it knows.
// What new-release.spec.ts leaves to test:full.
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { CODE, countLoads, gone } from "./new-release-parts.ts";

// A page that stood open while a new release took the place of the files it knows.

test.use({ allowedConsoleErrors: [/dynamically imported module|Failed to load resource/], ownContext: true });

const title = "Не удалось загрузить страницу";

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
