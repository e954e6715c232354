// Section 2, Analytics; sections 3 and 9 for its figures. The figures of a twin on a real server, the period and the file.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Analytics, Asked } from "#contract/report.ts";
import { buildWaiting } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwinInput } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { type Answer, answering, fails, hangs, json } from "../support/answers.ts";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { button, figure, heading, one, specify, text, texts } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const days = (page: Page) => page.getByRole("region", { name: "Взаимодействия по дням" }).getByRole("listitem");
const twins = (page: Page) => page.getByRole("region", { name: "Кто отвечал чаще" }).getByRole("listitem");
/** How much of its track each day's bar fills, in percent. */
const shares = (page: Page) =>
  days(page).evaluateAll((rows) =>
    rows.map((row) => {
      const bar = row.querySelector("[data-bar]");
      const track = bar?.parentElement?.getBoundingClientRect().width ?? 0;
      return Math.round(((bar?.getBoundingClientRect().width ?? 0) / track) * 100);
    }),
  );
const axis = (page: Page) => page.getByRole("region", { name: "Дни периода" }).locator("[aria-hidden]").first();
const sampleBadge = (page: Page) => page.getByText("Пример", { exact: true });

const report: Analytics = {
  days: 7,
  totalInteractions: 1500,
  responseAccuracy: 91.5,
  userSatisfaction: 4.25,
  ratings: 4,
  avgResponseTime: 1.25,
  previous: { totalInteractions: 900, responseAccuracy: 88, userSatisfaction: null, ratings: 0, avgResponseTime: 2 },
  dailyStats: [
    { date: "2025-11-18", interactions: 0, accuracy: null },
    { date: "2025-11-19", interactions: 50, accuracy: 90 },
    { date: "2025-11-20", interactions: 125, accuracy: 90 },
    { date: "2025-11-21", interactions: 400, accuracy: 93.3 },
  ],
  topPerformingTwins: [
    { id: uuid(1), name: "Вторая", interactions: 100, accuracy: 80 },
    { id: uuid(2), name: "Первый", interactions: 300, accuracy: 70 },
    { id: uuid(3), name: "=1+1", interactions: 100, accuracy: 95 },
    { id: uuid(4), name: "Новый", interactions: 5, accuracy: null },
  ],
};
const samples = [
  text("Пример"),
  figure("Всего взаимодействий", /^1\s247$/),
  figure("Уверенность в ответах", "94,2%"),
  figure("Удовлетворенность", "4,7 / 5.0"),
  texts("seven days", days, Array(7).fill(/./)),
  texts("three twins", twins, Array(3).fill(/./)),
];

specify("2. Analytics (/analytics)", {
  at: "/analytics",
  answers: { "GET /api/analytics": json(report) },
  calls: ["GET /api/analytics"],
  shows: [
    heading("Аналитика"),
    figure("Всего взаимодействий", /^1\s500$/),
    figure("Уверенность в ответах", "91,5%"),
    figure("Удовлетворенность", "4,3 / 5.0"),
    figure("Время ответа", /^1,3\sс$/),
    // The days before the period, where anything was measured.
    heading(/^За 7\sдней двойники ответили 1\s500\sраз, на 67% больше, чем за 7\sдней до того$/),
    ...["Было 900", "Было 88,0%", /^Было 2,0\sс$/].map((words) => text(words)),
    ...[/\+67%/, /\+3,5 п\. п\./, /−37%/].map((words) => text(words)),
    text("Взаимодействия по дням"),
    // Ranked by interactions, then by accuracy.
    texts("ranked twins", twins, [/^Первый.*70,0%/, /^=1\+1.*95,0%/, /^Вторая.*80,0%/, /^Новый/]),
    button("7 дней"),
    button("Экспорт отчета"),
  ],
  states: [
    {
      name: "loading",
      answers: { "GET /api/analytics": hangs },
      shows: [one("status", (page) => page.getByRole("status").getByText("Загружаем аналитику..."))],
    },
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
        await expect.poll(() => shares(page)).toEqual([0, 20, 50, 100]);
        // Oldest first, the scale above the bars, the values beside them.
        await expect(days(page)).toHaveText([
          /18 нояб.*0/,
          /19 нояб.*50.*90,0%/,
          /20 нояб.*125.*90,0%/,
          /21 нояб.*400.*93,3%/,
        ]);
        await expect(axis(page)).toHaveText("0125250");
      },
    },
    {
      name: "the report's export",
      here: true,
      does: async (page) => {
        const coming = page.waitForEvent("download");
        await page.getByRole("button", { name: "Экспорт отчета" }).click();
        const download = await coming;
        expect.soft(download.suggestedFilename()).toMatch(/^analitika-7-\d{4}-\d\d-\d\d\.csv$/);
        const file = await readFile((await download.path()) as string, "utf8");
        expect.soft(file.startsWith("\uFEFF")).toBe(true);
        const lines = file.slice(1).trimEnd().split("\r\n");
        expect.soft(lines).toContain('"Показатель","Уверенность в ответах, %","","91.5"');
        expect.soft(lines).toContain('"День","2025-11-20","125","90"');
        expect.soft(lines).toContain(`"Двойник","'=1+1","100","95"`);
      },
      toast: ["Экспорт готов"],
    },
    {
      name: "a longer period is asked for",
      here: true,
      does: (page) => page.getByRole("button", { name: "30 дней" }).click(),
      asks: ["GET /api/analytics?days=30"],
    },
    {
      name: "a small business's bars are seen: its axis ends where its days do",
      answers: {
        "GET /api/analytics": json({
          ...report,
          dailyStats: report.dailyStats.map((day, n) => ({ ...day, interactions: n * 2 })),
        }),
      },
      does: async (page) => {
        await expect.poll(() => shares(page)).toEqual([0, 20, 40, 60]);
        await expect(axis(page)).toHaveText("0510");
      },
    },
    {
      name: "accessible in light and wide, in dark and narrow",
      does: (page) => expectAccessibleCrosswise(page, "the analytics"),
    },
  ],
});

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
  await expect(figureOf(page, "Уверенность в ответах")).toHaveText(/%$/);
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
  const notice = page.getByRole("region", { name: /^Пятница, 21 ноября: уверенность 14,9% вместо обычных 82,5%$/ });
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

test("it says what went without the owner and what was asked, and leads there", async ({ page }) => {
  const handling = { alone: 21, approved: 3, changed: 2, unknown: 2, byOwner: 4 };
  const question = { twinId: uuid(2), twinName: "Первый", gapId: uuid(60), question: "Есть гравировка?", people: 3 };
  const known = { ...question, gapId: uuid(61), question: "Есть мастер-классы?", people: 1, answered: true };
  const asked: Asked = {
    documents: [{ id: uuid(70), name: "Доставка", answers: 9 }],
    unanswered: { total: 2, first: [{ ...question, answered: false }, known] },
  };
  let waiting = buildWaiting({ answers: { total: 3, first: [] } });
  await answering(page, {
    "GET /api/analytics": json({ ...report, handling }),
    "GET /api/analytics/asked": json(asked),
    "GET /api/dashboard/waiting": (route, request) => json(waiting)(route, request),
  });
  await page.goto("/analytics");
  const without = page.getByRole("region", { name: "Без вас: 21 из 26" });
  await expect(without.getByRole("definition")).toHaveText(["3", "2"]);
  await expect(without.getByRole("term")).toHaveText([
    "С вашим одобрением, из них изменены: 2",
    "Двойник не знал ответа",
  ]);
  // What he wrote himself is no part of those.
  await expect(without).toContainText(/Кроме них вы сами написали 4\sсообщения\./);
  const review = without.getByRole("link", { name: /^Разобрать 3\sответа$/ });
  await expect(review).toHaveAttribute("href", /tab=approval/);
  const open = page.getByRole("region", { name: "Чего двойники не знали" });
  await expect(open.getByRole("listitem")).toHaveText([
    /Есть гравировка\?Первый, спросили 3\sчеловекаОтветить/,
    /Есть мастер-классы\?ПервыйТеперь знает/,
  ]);
  await expect(open.getByRole("link", { name: "Есть гравировка?" })).toHaveAttribute("href", `/twin-gaps/${uuid(2)}`);
  await expect(open.getByRole("link", { name: "Есть мастер-классы?" })).toHaveAttribute("href", /tab=answered$/);
  const documents = page.getByRole("region", { name: "О чём спрашивали" });
  await expect(documents.getByRole("listitem")).toHaveText([/^Доставка9\sответов$/]);
  await expect(documents.getByRole("link")).toHaveAttribute("href", `/knowledge?tab=documents&document=${uuid(70)}`);
  await expectAccessibleCrosswise(page, "who answered and what was asked");
  await expectFitsNarrowPhone(page);
  waiting = buildWaiting({});
  await page.reload();
  await expect(without).toBeVisible();
  await expect(review).toHaveCount(0);
});

test("a day leads to its conversations, and one twin's figures stand alone", async ({ page }) => {
  const { id: twinId, post } = await asOwner(page);
  await post("/api/ai-generate", { twinId, message: "Привет!" });
  await page.goto("/analytics");
  await expect(page.getByLabel("Двойник", { exact: true })).toHaveCount(0);
  await expect(days(page).nth(5).getByRole("link")).toHaveCount(0);
  await days(page).last().getByRole("link").click();
  await expect(page).toHaveURL(/\/conversations\?day=\d{4}-\d\d-\d\d$/);
  const talks = page.getByRole("list", { name: "Диалоги" }).getByRole("listitem");
  await expect(talks).toHaveCount(1);
  await page.goto("/conversations?day=2025-01-01");
  await expect(page.getByText("Ничего не найдено")).toBeVisible();
  await page.getByRole("button", { name: "Показать все дни" }).click();
  await expect(page).toHaveURL("/conversations");
  await expect(talks).toHaveCount(1);

  const second = await post("/api/digital-twins", buildTwinInput({ name: "Пётр" }));
  await page.goto("/analytics");
  await page.getByLabel("Двойник", { exact: true }).selectOption("Пётр");
  await expect(page).toHaveURL(`/analytics?twin=${second.id}`);
  await expect(page.getByText(/^За этот период ответов не было/)).toBeVisible();
  await page.getByLabel("Двойник", { exact: true }).selectOption(twinId);
  await expect(page.getByRole("heading", { name: /^За 7\sдней двойник ответил 1\sраз$/ })).toBeVisible();
  await expect(twins(page)).toHaveCount(0);
});

test("a sample gives way to the real figures once «Повторить» brings them", async ({ page }) => {
  let answer: Answer = fails(500, "Внутренняя ошибка");
  await answering(page, { "GET /api/analytics": (route, request) => answer(route, request) });
  await page.goto("/analytics");
  await expect(sampleBadge(page).first()).toBeVisible();
  await expectAccessible(page, "the analytics' sample");
  answer = json(report);
  await page.getByRole("button", { name: "Повторить" }).click();
  await expect(figureOf(page, "Всего взаимодействий")).toHaveText(/^1\s500$/);
  await expect(sampleBadge(page)).toHaveCount(0);
  await expectFitsNarrowPhone(page);
});
