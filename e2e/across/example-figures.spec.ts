// Section 9's fixed figures stand plain, and a screen says once, in a quiet line, which of its figures are examples.
import type { Page } from "@playwright/test";
import { buildDashboardStats } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP } from "../support/viewports.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const MENU = "тариф в меню, числа на значках";
/** All that says so on the whole page, in its texts or by its styles. */
const marks = (page: Page) =>
  page.locator("body").evaluate((body) => {
    const found: string[] = [];
    for (const element of body.querySelectorAll("*")) {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      const text = own.map((node) => node.textContent).join("");
      const behind = getComputedStyle(element, "::after").content;
      if (/пример(?![а-я])/i.test(text)) found.push(text.trim());
      if (/пример(?![а-я])/i.test(behind)) found.push(behind);
    }
    return found;
  });

const screens = [
  [`/twin-settings/${uuid(1)}`, ", производительность", "2,347", "89%"],
  ["/dashboard", ", проценты роста, точность", "90%"],
  ["/twins", "", "3", "12", "2,847 / 10,000 сообщений"],
] as const;

test("a fixed figure stands plain, and one quiet line of its screen names it", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1, { styleAccuracy: null })]),
    [`GET /api/digital-twins/${uuid(1)}`]: json(buildTwin(1)),
    "GET /api/dashboard/stats": json(buildDashboardStats()),
  });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const [at, own, ...figures] of screens) {
      await page.goto(at);
      await expect.poll(() => marks(page), `${at} at ${width} px`).toEqual([`Пример: ${MENU}${own}.`]);
      if (width < 768) continue;
      for (const text of figures) await expect(page.getByText(text, { exact: true }).first(), text).toBeVisible();
    }
  }
  await page.setViewportSize(DESKTOP);
  const sidebar = page.getByRole("complementary", { name: "Боковая панель" });
  await expect(sidebar.getByText("3", { exact: true })).toBeVisible();
  await expect(sidebar.getByText("12", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Уведомления: 3", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Уведомления" })).not.toContainText(/пример/i);
});

test("where sample content has its badge, the badge is the only mark", async ({ page }) => {
  await answering(page, {
    "GET /api/crm/integrations": fails(500, "Внутренняя ошибка"),
    "GET /api/analytics": fails(500, "Внутренняя ошибка"),
  });
  for (const at of ["/crm", "/analytics", "/admin", "/org-admin"]) {
    await page.goto(at);
    await expect(page.locator("main").getByText("Пример", { exact: true })).toHaveCount(1);
    await expect(page.getByText(/^Пример:/)).toHaveCount(0);
  }
});

test("a figure that was measured is no example", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1, { styleAccuracy: 0.8 })]),
    "GET /api/dashboard/stats": json(buildDashboardStats({ avgStyleAccuracy: 0.8 })),
  });
  await page.goto("/dashboard");
  await expect(page.getByText("80%", { exact: true })).toHaveCount(2);
  await expect(page.getByText("Точность 80%")).toBeVisible();
  await expect(page.getByText(/^Пример:/)).toHaveText(`Пример: ${MENU}, проценты роста.`);
});
