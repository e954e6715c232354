// The dashboard with the real numbers of a new user and of the demo workspace, and its states against held or failed answers.
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { asDemoUser, asNewUser } from "./session.ts";

const TITLE = "Панель управления";
const card = (page: Page, label: string) =>
  page.locator("main dl").filter({ has: page.locator("dt", { hasText: label }) });
const figure = (page: Page, label: string) => card(page, label).locator("dd").first();
const change = (page: Page, label: string) => card(page, label).locator("dd").nth(1);
const section = (page: Page, name: string) => page.getByRole("region", { name });

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
    await expect(figure(page, label)).toHaveText("0");
    await expect(change(page, label), "no change against a previous value below one").toHaveCount(0);
  }
  // The default accuracy against two percent points less.
  await expect(figure(page, "Средняя точность")).toHaveText("90%");
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
  await expect(figure(page, "Всего двойников")).toHaveText(String(stats.totalTwins));
  await expect(change(page, "Всего двойников")).toHaveText(changeText(stats.totalTwins, 1));
  await expect(figure(page, "Активны сегодня")).toHaveText(String(stats.activeTwins));
  await expect(change(page, "Активны сегодня")).toHaveText(changeText(stats.activeTwins, 1));
  const accuracy = Math.round((stats.avgStyleAccuracy ?? 0.9) * 100);
  await expect(figure(page, "Средняя точность")).toHaveText(`${accuracy}%`);
  await expect(change(page, "Средняя точность")).toHaveText(changeText(accuracy, 2));
  const rows = section(page, "Мои двойники").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  for (const [place, twin] of twins.slice(0, 3).entries()) await expect(rows.nth(place)).toContainText(twin.name);
  await expect(section(page, "Последняя активность").getByRole("listitem")).toHaveCount(5);
});

test("each figure counts up from nought in two seconds to what the server has answered", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await asNewUser(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/dashboard/stats", async (route) => {
    await held.promise;
    const stats = { activeTwins: 4, totalTwins: 5, dailyMessages: 12, totalMessages: 12_847, avgStyleAccuracy: 0.924 };
    await route.fulfill({ json: stats });
  });
  await page.goto("/dashboard");
  await expect(page.getByRole("status").getByText("Загружаем вашу панель управления...")).toBeVisible();
  await page.evaluate(() => {
    const seen: [number, number][] = [];
    Object.assign(window, { seen });
    const look = () => {
      const label = [...document.querySelectorAll("main dt")].find((dt) =>
        dt.textContent?.startsWith("Обработано сообщений"),
      );
      const text = label?.parentElement?.querySelector("dd")?.textContent ?? "";
      const number = Number(text.replace(/\s/g, "") || Number.NaN);
      if (!Number.isNaN(number) && number !== seen.at(-1)?.[0]) seen.push([number, performance.now()]);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  held.resolve();
  await expect(figure(page, "Обработано сообщений")).toHaveText(/^12\s847$/);
  const seen = await page.evaluate(() => (window as unknown as { seen: [number, number][] }).seen);
  const numbers = seen.map(([number]) => number);
  expect(numbers[0]).toBeLessThan(12_847 / 2);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(numbers.length).toBeGreaterThan(4);
  const took = (seen.at(-1)?.[1] ?? 0) - (seen[0]?.[1] ?? 0);
  expect(took).toBeGreaterThan(1500);
  await expect(change(page, "Всего двойников")).toHaveText("+25%");
  await expect(change(page, "Активны сегодня")).toHaveText("+33%");
  await expect(change(page, "Обработано сообщений")).toHaveText("0%");
  await expect(figure(page, "Средняя точность")).toHaveText("92%");
  await expect(section(page, "Главное").locator("dd")).toHaveText(["4", "12", "92%"]);
  await expect(page.getByText("Загружаем вашу панель управления...")).toHaveCount(0);
});

test("three twins and five events stand there, an answer's dot is green and any other blue", async ({ page }) => {
  const headers = { authorization: `Bearer ${await asDemoUser(page)}` };
  const [twin] = await (await page.request.get("/api/digital-twins", { headers })).json();
  const states = [{ isActive: true }, { isActive: false }, { isActive: true, status: "training" }, {}];
  const twins = states.map((own, n) => ({
    ...twin,
    status: "ready",
    ...own,
    id: twin.id.replace(/^./, String(n)),
    name: `Двойник ${n}`,
  }));
  await page.route("**/api/digital-twins", (route) => route.fulfill({ json: twins }));
  const types = ["response_generated", "document_uploaded", "twin_created", "response_generated", "x", "y"];
  const entries = types.map((type, n) => ({
    id: String(n),
    type,
    twinName: "Анна",
    description: `Событие ${n}`,
    timestamp: "2025-11-20T07:01:00.000Z",
  }));
  await page.route("**/api/activity/recent", (route) => route.fulfill({ json: entries }));
  await page.goto("/dashboard");
  const rows = section(page, "Мои двойники").getByRole("listitem");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0).getByText("Активен", { exact: true })).toBeVisible();
  await expect(rows.nth(1).getByText("Неактивен", { exact: true })).toBeVisible();
  await expect(rows.nth(2).getByText("Неактивен", { exact: true })).toBeVisible();
  const events = section(page, "Последняя активность").getByRole("listitem");
  await expect(events).toHaveCount(5);
  await expect(events.first()).toContainText("Анна, 20 ноября в 10:01");
  const colours = await events
    .locator("> span")
    .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
  const [green, blue] = colours;
  expect(green).not.toBe(blue);
  expect(colours).toEqual([green, blue, blue, green, blue]);
});

test.describe("when a call fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("the rest stays, and «Повторить» brings what is missing", async ({ page }) => {
    await asDemoUser(page);
    let failing = true;
    await page.route("**/api/dashboard/stats", (route) =>
      failing
        ? route.fulfill({
            status: 503,
            json: { message: "База данных недоступна", code: "unavailable", requestId: "r" },
          })
        : route.continue(),
    );
    await page.goto("/dashboard");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Не удалось загрузить панель управления");
    await expect(alert).toContainText("База данных недоступна");
    await expect(section(page, "Мои двойники").getByRole("listitem")).toHaveCount(3);
    failing = false;
    await alert.getByRole("button", { name: "Повторить" }).click();
    await expect(figure(page, "Всего двойников")).toHaveText("3");
    await expect(alert).toHaveCount(0);
  });
});

test("stored user data that cannot be read empties the local storage and leads to the login", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await page.evaluate(() => {
    localStorage.setItem("user_data", "{broken");
    localStorage.setItem("anything", "else");
  });
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByRole("heading", { level: 2, name: "Войти в систему" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});
