// Section 2, Analytics; sections 3 and 9 for its figures.
import type { Page } from "@playwright/test";
import { fails, hangs, json, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, heading, one, specify, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const figure = (label: string, value: string | RegExp) =>
  one(`${label}: ${value}`, (page: Page) =>
    page.locator("main dl").filter({ hasText: label }).first().getByText(value),
  );
const twins = (page: Page) => page.getByRole("region", { name: "Лучшие двойники" }).getByRole("listitem");
const report = {
  totalInteractions: 1360,
  responseAccuracy: 91.5,
  userSatisfaction: 4.5,
  avgResponseTime: 1.5,
  dailyStats: [
    { date: "2025-11-18", interactions: 50, accuracy: 90 },
    { date: "2025-11-19", interactions: 125, accuracy: 92 },
    { date: "2025-11-20", interactions: 300, accuracy: null },
  ],
  topPerformingTwins: [
    { id: uuid(1), name: "Вторая", interactions: 100, accuracy: 80 },
    { id: uuid(2), name: "Первый", interactions: 300, accuracy: 70 },
    { id: uuid(3), name: "Третья, но точнее", interactions: 100, accuracy: 95 },
  ],
};
const samples = [text("Пример"), figure("Всего взаимодействий", /^1\s247$/), figure("Уверенность в ответах", "94,2%")];

specify("2. Analytics (/analytics)", {
  at: "/analytics",
  answers: { "GET /api/analytics": json(report) },
  calls: ["GET /api/analytics"],
  shows: [
    heading("Аналитика"),
    figure("Всего взаимодействий", /^1\s360$/),
    figure("Уверенность в ответах", "91,5%"),
    figure("Удовлетворенность", /4,5/),
    figure("Удовлетворенность", /5\.0/),
    figure("Время ответа", /1[,.]5/),
    text("Взаимодействия по дням"),
    // Ranked by interactions, then by accuracy.
    texts("ranked twins", twins, [/^1Первый.*70%/, /^2Третья, но точнее.*95%/, /^3Вторая.*80%/]),
    button("7 дней"),
    button("Экспорт отчета"),
  ],
  states: [
    { name: "loading", answers: { "GET /api/analytics": hangs }, shows: [text("Загружаем аналитику...")] },
    { name: "failed: samples", answers: { "GET /api/analytics": fails(500, "Внутренняя ошибка") }, shows: samples },
    { name: "null: samples", answers: { "GET /api/analytics": json(null) }, shows: samples },
    { name: "another shape: samples", answers: { "GET /api/analytics": json([]) }, shows: samples },
    {
      name: "an empty report counts as nothing",
      answers: {
        "GET /api/analytics": json({ ...report, totalInteractions: 0, dailyStats: [], topPerformingTwins: [] }),
      },
      shows: samples,
    },
  ],
  acts: [
    {
      name: "9. bars against 250, full beyond",
      does: async (page) => {
        const bars = page.locator("[data-bar]");
        await expect(bars).toHaveCount(3);
        const shares = await bars.evaluateAll((all) =>
          all.map((bar) => bar.getBoundingClientRect().width / (bar.parentElement?.getBoundingClientRect().width ?? 1)),
        );
        for (const [at, share] of [1, 0.5, 0.2].entries()) expect.soft(shares[at]).toBeCloseTo(share, 1);
      },
    },
    {
      name: "the report's export",
      here: true,
      does: async (page) => {
        const file = page.waitForEvent("download");
        await page.getByRole("button", { name: "Экспорт отчета" }).click();
        expect.soft((await file).suggestedFilename()).toMatch(/\.csv$/);
      },
      toast: ["Экспорт готов"],
    },
    {
      name: "a longer period is asked for",
      here: true,
      does: (page) => page.getByRole("button", { name: "30 дней" }).click(),
      asks: ["GET /api/analytics?days=30"],
    },
  ],
});
