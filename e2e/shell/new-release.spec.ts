// A page that stood open while a new release took the place of the files it knows.
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { CODE, countLoads, gone } from "./new-release-parts.ts";

// A page that stood open while a new release took the place of the files it knows.

test.use({ allowedConsoleErrors: [/dynamically imported module|Failed to load resource/], ownContext: true });

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
