// Section 2, Dashboard; sections 3 and 9 for its fields and constants.
import type { Page } from "@playwright/test";
import { buildActivity, buildDashboardStats } from "../factories/dashboard.ts";
import { NOW } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { fails, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { figure, heading, link, one, specify, text, texts, wide } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const STATS = "GET /api/dashboard/stats";
const stats = buildDashboardStats({
  activeTwins: 4,
  dailyMessages: 12,
  totalTwins: 5,
  totalMessages: 12_847,
  avgStyleAccuracy: 0.924,
});

const rows = (page: Page, card: string) => page.getByRole("region", { name: card }).getByRole("listitem");
const changes = (page: Page) => page.locator("main dl dd").filter({ hasText: /^[+−]\d+%$|^0%$/ });

specify("2. Dashboard (/dashboard)", {
  at: "/dashboard",
  inSight: true,
  answers: {
    [STATS]: json(stats),
    "GET /api/digital-twins": json([
      buildTwin(1),
      buildTwin(2, { status: "training", styleAccuracy: 0.75 }),
      buildTwin(3, { isActive: false }),
      buildTwin(4),
    ]),
    "GET /api/activity/recent": json(
      ["document_uploaded", "response_generated", "twin_created", "response_generated", "x", "response_generated"].map(
        (type, n) => buildActivity(n + 1, { type }),
      ),
    ),
  },
  calls: [STATS, "GET /api/digital-twins", "GET /api/activity/recent"],
  shows: [
    heading("Панель управления"),
    text("Обзор ваших цифровых двойников"),
    text("Поиск..."),
    one("bell", (page) => page.getByRole("button", { name: "Уведомления: 3" })),
    one(
      "create, in words",
      (page) =>
        page
          .getByRole("banner")
          .getByRole("link")
          .filter({ has: page.getByText("Создать") }),
      {
        href: "/create-twin",
      },
    ),
    one("avatar", (page) => page.getByRole("button", { name: "Меню пользователя: Анна Петрова" })),
    // The welcome banner and its three highlights.
    heading("Добро пожаловать, Анна!"),
    ...["Активные двойники", "Сообщений сегодня", "Точность ИИ"].map((words) => text(words)),
    texts("its figures", (page) => page.getByRole("region", { name: "Главное" }).locator("dd"), ["4", "12", "92%"]),
    ...["Всего двойников", "Активны сегодня", "Обработано сообщений за все время", "Средняя точность"].map((words) =>
      text(words),
    ),
    ...[1, 2, 3].map((n) => text(`Отвечает на вопросы о чае, линия ${n}`)),
    texts("three twins with their badges and accuracy", (page) => rows(page, "Мои двойники"), [
      /Двойник 1.*линия 1АктивенТочность 90%$/,
      /Двойник 2.*линия 2НеактивенТочность 75%$/,
      /Двойник 3.*линия 3НеактивенТочность 90%$/,
    ]),
    texts("five activities", (page) => rows(page, "Последняя активность"), [
      /^Событие 1Анна · 20\.11\.2025$/,
      /^Событие 2/,
      /^Событие 3/,
      /^Событие 4/,
      /^Событие 5/,
    ]),
    figure("Средняя точность", "92%"),
    figure("Обработано сообщений", /^12\s847$/),
    // 4 against 3, 5 against 4, 12 847 against 12 797, 92 against 90.
    texts("changes against the synthetic values", changes, ["+25%", "+33%", "0%", "+2%"]),
    link("Создать двойника", "/create-twin"),
    text("Начать диалог"),
    link("Открыть аналитику", "/analytics"),
    wide(text("Pro Plan")),
    wide(text("2,847")),
  ],
  states: [
    {
      name: "loading",
      answers: { [STATS]: hangs, "GET /api/digital-twins": hangs },
      shows: [one("status", (page) => page.getByRole("status").getByText("Загружаем вашу панель управления..."))],
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
    {
      name: "9. an accuracy that is absent is 0.9",
      answers: { [STATS]: json({ ...stats, avgStyleAccuracy: undefined }) },
      shows: [figure("Средняя точность", "90%")],
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
        expect.soft(hues).toEqual(["blue", "green", "blue", "green", "blue"]);
      },
    },
  ],
});

specify("3. Dashboard", {
  at: "/dashboard",
  answers: {
    ...named,
    [STATS]: json(buildDashboardStats()),
    "GET /api/activity/recent": json([{ id: "1", type: "x", twinName: "А", description: "Событие", timestamp: NOW }]),
  },
  shows: [
    heading("Добро пожаловать, Вера!"),
    one("person", (page) => page.getByRole("button", { name: "Меню пользователя: Вера Орлова" })),
    text("Активен"),
    text("90%"),
    text("Событие"),
  ],
});
