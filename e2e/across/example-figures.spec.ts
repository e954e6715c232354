// Section 9's fixed figures stand beside measured ones: each says that it is an example.
import type { Locator, Page } from "@playwright/test";
import { buildDashboardStats } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

/** What is seen and read out behind each figure without being a part of its text. An element that was replaced has no style. */
const behind = (figures: Locator) =>
  figures.evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node, "::after").content.toLowerCase()));
const figureOf = (page: Page, text: string) => page.getByText(text, { exact: true });

test.beforeEach(({ page }) => page.setViewportSize({ width: 1440, height: 900 }));

test("every fixed figure says that it is an example, and its text stays the specification's", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1, { styleAccuracy: null })]),
    [`GET /api/digital-twins/${uuid(1)}`]: json(buildTwin(1)),
    "GET /api/dashboard/stats": json(buildDashboardStats()),
  });
  for (const [at, ...figures] of [
    [`/twin-settings/${uuid(1)}`, "2,347", "89%", "28%"],
    // The welcome, the card after its count-up, the row.
    ["/dashboard", "90%"],
    ["/crm", "23.5%"],
    ["/conversations", "2.3s"],
    ["/train-ai", "85%"],
  ] as const) {
    await page.goto(at);
    for (const text of figures) {
      await expect(figureOf(page, text).first(), `${at} ${text}`).toBeVisible();
      const labels = async () => [...new Set(await behind(figureOf(page, text)))];
      await expect.poll(labels, `${at} ${text}`).toEqual(['"пример"']);
    }
  }
  await page.goto("/dashboard");
  await expect(figureOf(page, "90%")).toHaveCount(3);
  await expect(page.getByRole("region", { name: "Показатели" })).toContainText("показаны для\u00a0примера");
  const sidebar = page.getByRole("complementary", { name: "Боковая панель" });
  await expect(sidebar.getByRole("link", { name: /^Диалоги\s*12\s*Пример$/i })).toHaveText("Диалоги12");
  await expect(sidebar.getByRole("link", { name: /^Цифровые двойники\s*3\s*Пример$/i })).toHaveText(
    "Цифровые двойники3",
  );
  await page.getByRole("button", { name: /^Уведомления: 3\..*Число на значке — пример$/ }).click();
  await expect(page.getByRole("dialog", { name: "Уведомления" })).toContainText("на\u00a0значке — пример");
});

test("a figure that was measured is none", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1, { styleAccuracy: 0.8 })]),
    "GET /api/dashboard/stats": json(buildDashboardStats({ avgStyleAccuracy: 0.8 })),
  });
  await page.goto("/dashboard");
  await expect(figureOf(page, "80%")).toHaveCount(3);
  expect((await behind(figureOf(page, "80%"))).join()).not.toContain("пример");
});
