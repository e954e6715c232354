// The analytics: real figures of a new user's twin, the period, the file, and the marked sample against odd answers.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { interceptCalls } from "./intercept.ts";
import { asNewUser } from "./session.ts";

const figure = (page: Page, label: string) =>
  page
    .locator("main dl")
    .filter({ has: page.locator("dt", { hasText: label }) })
    .locator("dd")
    .first();
const days = (page: Page) => page.getByRole("region", { name: "Взаимодействия по дням" }).getByRole("listitem");
const twins = (page: Page) => page.getByRole("region", { name: "Лучшие двойники" }).getByRole("listitem");
const sampleBadge = (page: Page) => page.getByText("Пример", { exact: true });

const report = {
  days: 7,
  totalInteractions: 1500,
  responseAccuracy: 91.5,
  userSatisfaction: 4.25,
  ratings: 4,
  avgResponseTime: 1.25,
  dailyStats: [
    { date: "2025-11-19", interactions: 0, accuracy: null },
    { date: "2025-11-20", interactions: 125, accuracy: 90 },
    { date: "2025-11-21", interactions: 400, accuracy: 93.3 },
  ],
  topPerformingTwins: [
    { id: "t1", name: "Второй", interactions: 100, accuracy: 80 },
    { id: "t2", name: "Первый", interactions: 300, accuracy: null },
    { id: "t3", name: "=1+1", interactions: 100, accuracy: 70 },
  ],
};

test("a twin's answers and their ratings are this period's figures", async ({ page }) => {
  const headers = { authorization: `Bearer ${await asNewUser(page)}` };
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { headers, data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const { id: twinId } = await post("/api/digital-twins", {
    name: "Анна Чайникова",
    description: "Отвечает на вопросы о чае и доставке",
    personality: "Спокойная и внимательная, шутит к месту",
    communicationStyle: "Коротко и на вы",
    knowledgeArea: "Чай и кофе",
  });
  const { messageId } = await post("/api/ai-generate", { twinId, message: "Привет!" });
  await post("/api/ai-generate", { twinId, message: "Здравствуйте!" });
  await post(`/api/conversations/messages/${messageId}/feedback`, { rating: 4 });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/analytics") asked.push(search);
  });
  await page.goto("/analytics");
  await expect(figure(page, "Всего взаимодействий")).toHaveText("2");
  await expect(figure(page, "Удовлетворенность")).toHaveText("4,0 / 5.0");
  await expect(figure(page, "Время ответа")).toHaveText(/^(\d+\sмс|\d,\d\sс)$/);
  await expect(figure(page, "Уверенность в ответах")).toHaveText(/%$/);
  await expect(days(page)).toHaveCount(7);
  await expect(days(page).first()).toContainText("2 взаимодействия");
  await expect(twins(page)).toHaveText([/^1Анна Чайникова2\sвзаимодействия/]);
  await expect(sampleBadge(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "7 дней" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "30 дней" }).click();
  await expect(page).toHaveURL("/analytics?days=30");
  await expect(days(page)).toHaveCount(30);
  await page.reload();
  await expect(page.getByRole("button", { name: "30 дней" })).toHaveAttribute("aria-pressed", "true");
  await expect(days(page)).toHaveCount(30);
  expect(asked).toEqual(["", "?days=30", "?days=30"]);
});

test("bars are scaled against 250, twins ranked by interactions and accuracy, and the file holds the report", async ({
  page,
}) => {
  await asNewUser(page);
  await page.route("**/api/analytics", (route) => route.fulfill({ json: report }));
  await page.goto("/analytics");
  await expect(figure(page, "Всего взаимодействий")).toHaveText(/^1\s500$/);
  await expect(figure(page, "Уверенность в ответах")).toHaveText("91,5%");
  await expect(figure(page, "Удовлетворенность")).toHaveText("4,3 / 5.0");
  await expect(figure(page, "Время ответа")).toHaveText(/^1,3\sс$/);
  const shares = () =>
    days(page).evaluateAll((rows) =>
      rows.map((row) => {
        const bar = row.querySelector("[data-bar]");
        const track = bar?.parentElement?.getBoundingClientRect().width ?? 0;
        return Math.round(((bar?.getBoundingClientRect().width ?? 0) / track) * 100);
      }),
    );
  await expect.poll(shares).toEqual([100, 50, 0]);
  await expect(twins(page)).toHaveText([/^1Первый/, /^2Второй/, /^3=1\+1/]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Экспорт отчета" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^analitika-7-\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile((await download.path()) as string, "utf8");
  expect(file.startsWith("\uFEFF")).toBe(true);
  const lines = file.slice(1).trimEnd().split("\r\n");
  expect(lines).toContain('Показатель,"Уверенность в ответах, %",,91.5');
  expect(lines).toContain("День,2025-11-20,125,90");
  expect(lines).toContain("Двойник,'=1+1,100,70");
  await expectAccessibleCrosswise(page, "the analytics");
});

test.describe("when the server returns nothing", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("a spinner waits, then the sample stands there with its badge, and «Повторить» brings the real figures", async ({
    page,
  }) => {
    await asNewUser(page);
    const held = Promise.withResolvers<void>();
    let answer: { status?: number; body: string } = { body: "null" };
    await interceptCalls(
      page,
      async (route) => {
        await held.promise;
        await route.fulfill({ contentType: "application/json", ...answer });
      },
      "*/api/analytics",
    );
    await page.goto("/analytics");
    await expect(page.getByRole("status").getByText("Загружаем аналитику...")).toBeVisible();
    held.resolve();
    const empty = { ...report, totalInteractions: 0, dailyStats: [], topPerformingTwins: [] };
    for (answer of [{ body: "null" }, { body: "[]" }, { body: JSON.stringify(empty) }, { status: 500, body: "x" }]) {
      await page.reload();
      await expect(sampleBadge(page).first(), answer.body).toBeVisible();
      await expect(figure(page, "Всего взаимодействий")).toHaveText(/^1\s247$/);
      await expect(figure(page, "Удовлетворенность")).toHaveText("4,7 / 5.0");
      await expect(days(page)).toHaveCount(7);
      await expect(twins(page)).toHaveCount(3);
    }
    await expectAccessible(page, "the analytics' sample");
    answer = { body: JSON.stringify(report) };
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(figure(page, "Всего взаимодействий")).toHaveText(/^1\s500$/);
    await expect(sampleBadge(page)).toHaveCount(0);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});
