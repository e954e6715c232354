// The dashboard's figures: a new user's, the demo workspace's own, how they count up, and what stays when a call fails.
import type { Page } from "@playwright/test";
import { buildDashboardStats } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { answering, json } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { cardOf, figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asDemoUser, asNewUser } from "../support/session.ts";
import { DESKTOP } from "../support/viewports.ts";

const TITLE = "Панель управления";
const section = (page: Page, name: string) => page.getByRole("region", { name });
const change = (page: Page, label: string) => cardOf(page, label).locator("dd").nth(1);

/** Percent as the cards write it, against `value − less`. */
function changeText(value: number, less: number): string {
  const percent = Math.round((less / (value - less)) * 100);
  return `${percent > 0 ? "+" : ""}${percent}%`;
}

test("a new user sees what is not there yet, and the way to the first twin", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await expect(section(page, "Главное")).toContainText("Добро пожаловать, Вера!");
  for (const label of ["Всего двойников", "Активны сегодня", "Обработано сообщений"]) {
    await expect(figureOf(page, label)).toHaveText("0");
    await expect(change(page, label)).toHaveText("0%");
  }
  // The default accuracy against two percent points less.
  await expect(figureOf(page, "Средняя точность")).toHaveText("90%");
  await expect(change(page, "Средняя точность")).toHaveText("+2%");
  await expect(section(page, "Мои двойники")).toContainText("Нет цифровых двойников");
  await expect(section(page, "Последняя активность")).toContainText("Нет активности");
  await expect(page.getByPlaceholder("Поиск...").or(page.getByRole("button", { name: "Поиск..." }))).toBeVisible();
  await expect(page.getByRole("link", { name: "Создать", exact: true })).toHaveAttribute("href", "/create-twin");
  const actions = section(page, "Быстрые действия").getByRole("link");
  await expect(actions).toHaveText(["Создать двойника", "Начать диалог", "Открыть аналитику"]);
  await page.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page).toHaveURL("/create-twin");
});

test("the demo workspace's figures are the server's own", async ({ page }) => {
  const headers = { authorization: `Bearer ${await asDemoUser(page)}` };
  const read = async () => (await page.request.get("/api/dashboard/stats", { headers })).json();
  // A server that has just been started is still training them.
  await expect.poll(async () => (await read()).activeTwins, { timeout: 30_000 }).toBe(3);
  const stats = await read();
  const twins = await (await page.request.get("/api/digital-twins", { headers })).json();
  await page.goto("/dashboard");
  await expect(figureOf(page, "Всего двойников")).toHaveText(String(stats.totalTwins));
  await expect(change(page, "Всего двойников")).toHaveText(changeText(stats.totalTwins, 1));
  await expect(figureOf(page, "Активны сегодня")).toHaveText(String(stats.activeTwins));
  await expect(change(page, "Активны сегодня")).toHaveText(changeText(stats.activeTwins, 1));
  const accuracy = Math.round((stats.avgStyleAccuracy ?? 0.9) * 100);
  await expect(figureOf(page, "Средняя точность")).toHaveText(`${accuracy}%`);
  await expect(change(page, "Средняя точность")).toHaveText(changeText(accuracy, 2));
  const rows = section(page, "Мои двойники").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  for (const [place, twin] of twins.slice(0, 3).entries()) await expect(rows.nth(place)).toContainText(twin.name);
  await expect(section(page, "Последняя активность").getByRole("listitem")).toHaveCount(5);
});

test("a twin that has answered shows what it answered in seven days, and on each of them", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1), buildTwin(2)]),
    "GET /api/dashboard/stats": json(
      buildDashboardStats({ weeks: [{ twinId: uuid(1), answers: [4, 0, 0, 0, 0, 8, 2] }] }),
    ),
  });
  await page.goto("/dashboard");
  const rows = section(page, "Мои двойники").getByRole("listitem");
  await expect(rows.nth(0)).toContainText("14\u00a0ответов за 7\u00a0дней");
  await expect(rows.nth(0).getByTitle("Ответов по дням: 4, 0, 0, 0, 0, 8, 2")).toBeVisible();
  await expect(rows.nth(1)).not.toContainText("за 7");
  await expectAccessibleCrosswise(page, "the dashboard with answers by day");
  await expectFitsNarrowPhone(page);
});

test.describe("when a call fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("the rest stays, and «Повторить» brings what is missing", async ({ page }) => {
    await asDemoUser(page);
    let failing = true;
    await interceptCalls(
      page,
      (route) =>
        failing
          ? route.fulfill({
              status: 503,
              json: { message: "База данных недоступна", code: "unavailable", requestId: "r" },
            })
          : route.continue(),
      "*://*/api/dashboard/stats",
    );
    await page.goto("/dashboard");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Не удалось загрузить панель управления");
    await expect(alert).toContainText("База данных недоступна");
    await expect(section(page, "Мои двойники").getByRole("listitem")).toHaveCount(3);
    failing = false;
    await alert.getByRole("button", { name: "Повторить" }).click();
    await expect(figureOf(page, "Всего двойников")).toHaveText("3");
    await expect(alert).toHaveCount(0);
  });
});

const stats = buildDashboardStats({
  activeTwins: 3,
  dailyMessages: 12,
  totalTwins: 4,
  totalMessages: 1000,
  avgStyleAccuracy: 0.92,
});

test.describe("on a clock of its own", () => {
  test.use({ ownContext: true });

  test("9. Dashboard: figures count up over 2000 ms as 1 − (1 − t)³; changes against the synthetic values", async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const held = Promise.withResolvers<void>();
    const waiting = async () => {
      await held.promise;
      return stats;
    };
    await answering(page, { "GET /api/digital-twins": json([buildTwin(1)]), "GET /api/dashboard/stats": waiting });
    await page.clock.install();
    await page.setViewportSize(DESKTOP);
    await page.goto("/twins");
    await page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link").first().click();
    await expect(page.getByText("Загружаем вашу панель управления...")).toBeVisible();
    // From now on the page's time goes only by `runFor`.
    await pauseClock(page);
    held.resolve();
    const messages = figureOf(page, "Обработано сообщений");
    const moved = async () => {
      await page.clock.runFor(1);
      return messages.textContent();
    };
    await expect.poll(moved).toBe("0");
    const shownAfter = async (time: number) => {
      await page.clock.runFor(time);
      return Number(((await messages.textContent()) ?? "").replace(/\s/g, ""));
    };
    const early = [await shownAfter(200), await shownAfter(300)];
    const half = await shownAfter(500);
    expect(half).toBeGreaterThan(865);
    expect(half).toBeLessThan(885);
    const late = await shownAfter(500);
    // It moves step by step, and has not arrived after a second and a half.
    const seen = [0, ...early, half, late, 1000];
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
    await page.clock.runFor(600);
    await expect(messages).toHaveText(/^1\s000$/);
    await expect(page.getByText("Загружаем вашу панель управления...")).toHaveCount(0);
    // 4 against 3, 3 against 2, 1000 against 950, 92 against 90.
    await expect(page.locator("main dl dd").filter({ hasText: /^[+−]\d+%$/ })).toHaveText([
      "+33%",
      "+50%",
      "+5%",
      "+2%",
    ]);
  });
});
