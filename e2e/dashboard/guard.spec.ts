// Sections 2 and 3: what the dashboard does, on a load and on a visit from another screen, with a session that is none.
import type { Page } from "@playwright/test";
import { answering, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("2. Dashboard: user data that cannot be parsed clears the whole storage and leads to /login", async ({ page }) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("damaged")) return;
    sessionStorage.setItem("damaged", "yes");
    for (const [key, value] of Object.entries({ auth_token: "t", user_data: "{", theme: "dark", other: "1" })) {
      localStorage.setItem(key, value);
    }
  });
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole("heading", { level: 2, name: "Войти в систему" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test.describe("2. Dashboard: on mount, also on a visit from another screen", () => {
  const answers = {
    "GET /api/dashboard/stats": json({ activeTwins: 1, totalTwins: 1, dailyMessages: 0, totalMessages: 0 }),
    "GET /api/digital-twins": json([]),
    "GET /api/activity/recent": json([]),
  };
  const toDashboard = (page: Page) =>
    page
      .getByRole("navigation", { name: "Основная навигация" })
      .getByRole("link", { name: "Панель управления" })
      .click();

  test("without a stored token it goes to /login", async ({ page }) => {
    await answering(page, answers);
    await page.goto("/crm");
    await expect(page.getByRole("heading", { level: 1, name: "CRM интеграция" })).toBeVisible();
    await page.evaluate(() => localStorage.removeItem("auth_token"));
    await toDashboard(page);
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByRole("heading", { name: "Войти в систему" })).toBeVisible();
  });

  test("with user data that cannot be read it clears the storage and goes to /login", async ({ page }) => {
    await answering(page, answers);
    await page.goto("/crm");
    await expect(page.getByRole("heading", { level: 1, name: "CRM интеграция" })).toBeVisible();
    await page.evaluate(() => {
      localStorage.setItem("user_data", "{нечитаемое");
      localStorage.setItem("other", "1");
    });
    await toDashboard(page);
    await expect(page).toHaveURL(/\/login/);
    expect(
      await page.evaluate(() => ["auth_token", "user_data", "other"].map((key) => localStorage.getItem(key))),
    ).toEqual([null, null, null]);
  });

  test("a call that had no token and is answered with 401 leads to /login, and leaves no dead card", async ({
    page,
  }) => {
    await answering(page, { ...answers, "GET /api/conversations": fails(401, "Войдите в систему") });
    await page.goto("/crm");
    await expect(page.getByRole("heading", { level: 1, name: "CRM интеграция" })).toBeVisible();
    await page.evaluate(() => localStorage.removeItem("auth_token"));
    await page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link", { name: "Диалоги" }).click();
    await expect(page).toHaveURL(/\/login/);
    await expect(toast(page)).toContainText("Сеанс завершён");
  });
});
