// Section 2, Analytics; sections 3 and 9 for its figures. The figures of a twin on a real server, the period and the file.
// What analytics.spec.ts leaves to test:full.
import type { Page } from "@playwright/test";
import type { Analytics } from "#contract/report.ts";
import { uuid } from "../factories/ids.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { type Answer, answering, fails, json } from "../support/answers.ts";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { days, report, twins } from "./analytics-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });
const sampleBadge = (page: Page) => page.getByText("Пример", { exact: true });

test("a twin's answers and their ratings are this period's figures", async ({ page }) => {
  const { id: twinId, post } = await asOwner(page);
  const { messageId } = await post("/api/ai-generate", { twinId, message: "Привет!" });
  await post("/api/ai-generate", { twinId, message: "Здравствуйте!" });
  await post(`/api/conversations/messages/${messageId}/feedback`, { rating: 4 });
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/analytics") asked.push(search);
  });
  await page.goto("/analytics");
  await expect(figureOf(page, "Всего взаимодействий")).toHaveText("2");
  await expect(figureOf(page, "Удовлетворенность")).toHaveText("4,0 / 5.0");
  await expect(figureOf(page, "Время ответа")).toHaveText(/^(\d+\sмс|\d,\d\sс)$/);
  await expect(figureOf(page, "Точность ответов")).toHaveText(/%$/);
  await expect(days(page)).toHaveCount(7);
  await expect(days(page).last()).toContainText("2 взаимодействия");
  await expect(page.getByText("За предыдущие 7 дней ответов не было")).toBeVisible();
  await expect(twins(page)).toHaveText([/^Анна Чайникова2\sвзаимодействия/]);
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

test("a day of less confidence says its twin and the questions left without an answer, and leads to their talks", async ({
  page,
}) => {
  const drop: NonNullable<Analytics["drop"]> = {
    ...{ date: "2025-11-21", accuracy: 14.9, usual: 82.5, answers: 12 },
    twin: { id: uuid(2), name: "Первый", answers: 9, accuracy: 11 },
    unanswered: {
      ...{ questions: 4, platform: "telegram", ofPlatform: 3, twinId: uuid(2) },
      talks: [
        { id: uuid(50), name: "Олег" },
        { id: uuid(51), name: "Мария" },
      ],
    },
  };
  let shown: Analytics = { ...report, drop };
  await answering(page, { "GET /api/analytics": (route, request) => json(shown)(route, request) });
  await page.goto("/analytics");
  const notice = page.getByRole("region", { name: /^Пятница, 21 ноября: точность 14,9% вместо обычных 82,5%$/ });
  await expect(notice).toContainText(/двойник Первый: 11,0% в\sсреднем, 9\sответов\./);
  await expect(notice).toContainText(/Без ответа в этот день: 4\sвопроса\. Больше всего: Telegram, 3\./);
  await expect(notice.getByRole("link")).toHaveText(["Первый", "Олег", "Мария", "Все вопросы без ответа"]);
  await expect(notice.getByRole("link", { name: "Все вопросы без ответа" })).toHaveAttribute(
    "href",
    `/twin-gaps/${uuid(2)}`,
  );
  await expectAccessibleCrosswise(page, "a drop of confidence");
  await expectFitsNarrowPhone(page);
  await notice.getByRole("link", { name: "Олег" }).click();
  await expect(page).toHaveURL(`/conversations?dialog=${uuid(50)}`);
  // To others than the owner the questions are not told.
  shown = { ...report, drop: { ...drop, unanswered: null } };
  await page.goto("/analytics");
  await expect(notice.getByRole("link")).toHaveText(["Первый"]);
});

test("a sample gives way to the real figures once «Обновить» brings them", async ({ page }) => {
  let answer: Answer = fails(500, "Внутренняя ошибка");
  await answering(page, { "GET /api/analytics": (route, request) => answer(route, request) });
  await page.goto("/analytics");
  await expect(sampleBadge(page).first()).toBeVisible();
  await expectAccessible(page, "the analytics' sample");
  answer = json(report);
  await page.getByRole("button", { name: "Обновить" }).click();
  await expect(figureOf(page, "Всего взаимодействий")).toHaveText(/^1\s500$/);
  await expect(sampleBadge(page)).toHaveCount(0);
  await expectFitsNarrowPhone(page);
});
