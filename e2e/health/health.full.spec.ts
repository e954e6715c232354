// «Состояние», the page on which the platform's administrator sees how the server is.
// What health.spec.ts leaves to test:full.
import { buildHealth, buildProcess } from "../factories/health.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asSuperAdmin } from "../support/super-admin.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("facts that should be checked stand first, whatever order they came in", async ({ page }) => {
  await asSuperAdmin(page);
  await page.route("**/api/admin/health", (route) => route.fulfill({ json: buildHealth() }));
  await page.goto("/platform-health");
  await expect(page.locator("main").getByRole("heading", { level: 2 })).toHaveText([
    ...["Диск", "Резервная копия", "Каналы", "Уведомления о сбоях", "В порядке"],
  ]);
});

test("each process is a line of its own, and one that tells nothing is named", async ({ page }) => {
  await asSuperAdmin(page);
  const worker = buildProcess({ id: "p2", role: "worker", pid: 77, host: "machine-2", answers: false });
  const processes = [buildProcess(), { ...worker, state: "attention" as const, silentSeconds: 95 }];
  await page.route("**/api/admin/health", (route) => route.fulfill({ json: buildHealth({ processes }) }));
  await page.goto("/platform-health");
  const lines = page.getByRole("region", { name: "Процессы" }).getByRole("listitem");
  await expect(lines.first()).toContainText("machine-1, процесс 4101, показывает эту страницу");
  await expect(lines.first()).toContainText("В порядке");
  await expect(lines.last()).toContainText("Фоновая работа");
  await expect(lines.last()).toContainText("machine-2, процесс 77");
  await expect(lines.last()).toContainText("Молчит 95 с");
  await expectAccessibleCrosswise(page, "/platform-health");
  await expectFitsNarrowPhone(page);
});

test("a test alert shows the result of each way", async ({ page }) => {
  await asSuperAdmin(page);
  await page.route("**/api/admin/health", (route) =>
    route.fulfill({ json: buildHealth({ alertWays: ["mail", "telegram"] }) }),
  );
  await page.route("**/api/admin/health/alerts/test", (route) =>
    route.fulfill({
      json: [
        { way: "mail", failure: null },
        { way: "telegram", failure: "Telegram не принимает токен из ALERT_TELEGRAM_TOKEN." },
      ],
    }),
  );
  await page.goto("/platform-health");
  const card = page.getByRole("region", { name: "Уведомления о сбоях" });
  await card.getByRole("button", { name: "Проверить уведомления" }).click();
  await expect(card.getByRole("status")).toContainText("Почта: отправлено");
  await expect(card.getByRole("status")).toContainText("Telegram не принимает токен");
  await expectAccessibleCrosswise(page, "/platform-health");
});
