// Section 2, Dashboard; section 9, its constants.
import type { Page } from "@playwright/test";
import { answering, fails, hangs, json, twin } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { toast } from "../toast.ts";
import { heading, link, one, specify, text, texts, wide } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const entry = (n: number, type: string) => ({
  id: String(n),
  type,
  twinName: "Анна",
  description: `Событие ${n}`,
  timestamp: "2026-11-20T10:00:00.000Z",
});

const rows = (page: Page, card: string) => page.getByRole("region", { name: card }).getByRole("listitem");

specify("2. Dashboard (/dashboard)", {
  at: "/dashboard",
  answers: {
    "GET /api/dashboard/stats": json({
      activeTwins: 3,
      dailyMessages: 12,
      totalTwins: 4,
      totalMessages: 250,
      avgStyleAccuracy: 0.92,
    }),
    "GET /api/digital-twins": json([
      twin(1),
      twin(2, { status: "training", styleAccuracy: 0.75 }),
      twin(3, { isActive: false }),
      twin(4),
    ]),
    "GET /api/activity/recent": json([
      entry(1, "document_added"),
      ...[2, 3, 4, 5, 6].map((n) => entry(n, "response_generated")),
    ]),
  },
  calls: ["GET /api/dashboard/stats", "GET /api/digital-twins", "GET /api/activity/recent"],
  shows: [
    heading("Панель управления"),
    wide(text("Обзор ваших цифровых двойников")),
    wide(text("Поиск...")),
    one("bell", (page) => page.getByRole("button", { name: "Уведомления: 3" })),
    one("create", (page) => page.getByRole("banner").getByRole("link", { name: "Создать" }), { href: "/create-twin" }),
    one("avatar", (page) => page.getByRole("button", { name: "Меню пользователя: Анна Петрова" })),
    // The welcome banner and its three highlights.
    heading("Добро пожаловать, Анна!"),
    ...["активных двойника", "сообщений сегодня", "точность ИИ"].map((words) => text(words)),
    ...["Всего двойников", "Активны сегодня", "Обработано сообщений за все время", "Средняя точность"].map((words) =>
      text(words),
    ),
    texts("three twins with their badges and accuracy", (page) => rows(page, "Мои двойники"), [
      /Двойник 1.*линия 1Активен90%$/,
      /Двойник 2.*линия 2Неактивен75%$/,
      /Двойник 3.*линия 3Неактивен90%$/,
    ]),
    texts("five activities", (page) => rows(page, "Последняя активность"), [
      /^Событие 1Анна, /,
      /^Событие 2/,
      /^Событие 3/,
      /^Событие 4/,
      /^Событие 5/,
    ]),
    text("92%"),
    link("Создать двойника", "/create-twin"),
    text("Начать диалог"),
    link("Открыть аналитику", "/analytics"),
    wide(text("Pro Plan")),
    wide(text("2,847")),
  ],
  states: [
    {
      name: "loading",
      answers: { "GET /api/dashboard/stats": hangs, "GET /api/digital-twins": hangs },
      shows: [text("Загружаем вашу панель управления...")],
    },
    {
      name: "empty",
      answers: { "GET /api/digital-twins": json([]), "GET /api/activity/recent": json([]) },
      shows: [text("Нет цифровых двойников"), link("Создать первого двойника", "/create-twin"), text("Нет активности")],
    },
    {
      name: "failed",
      answers: { "GET /api/digital-twins": fails(500, "Внутренняя ошибка") },
      shows: [text("Не удалось загрузить")],
    },
  ],
  acts: [
    {
      name: "a green dot for an answer, a blue one otherwise",
      does: async (page) => {
        const dots = rows(page, "Последняя активность").locator("> span");
        await expect(dots).toHaveCount(5);
        const hues = await dots.evaluateAll((all) =>
          all.map((dot) => {
            const canvas = new OffscreenCanvas(1, 1).getContext("2d");
            if (canvas === null) return "";
            canvas.fillStyle = getComputedStyle(dot).backgroundColor;
            canvas.fillRect(0, 0, 1, 1);
            const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
            return green > blue && green > red ? "green" : blue > green && blue > red ? "blue" : "other";
          }),
        );
        expect.soft(hues).toEqual(["blue", "green", "green", "green", "green"]);
      },
    },
  ],
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
