// Section 2, Analytics; sections 3 and 9 for its figures. The figures of a twin on a real server, the period and the file.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { Asked } from "#contract/report.ts";
import { buildWaiting } from "../factories/dashboard.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwinInput } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { answering, fails, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { button, figure, heading, one, specify, text, texts } from "../support/specify.ts";
import { days, report, twins } from "./analytics-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

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

const samples = [
  texts("one badge", (page: Page) => page.locator("main").getByText("Пример"), ["Пример"]),
  figure("Всего взаимодействий", /^1\s247$/),
  figure("Точность ответов", "94,2%"),
  figure("Удовлетворенность", "4,7 / 5.0"),
  texts("seven days", days, Array(7).fill(/./)),
  texts("three twins", twins, Array(3).fill(/./)),
];

specify("2. Analytics (/analytics)", {
  at: "/analytics",
  inSight: true,
  answers: { "GET /api/analytics": json(report) },
  calls: ["GET /api/analytics"],
  shows: [
    heading("Аналитика"),
    figure("Всего взаимодействий", /^1\s500$/),
    figure("Точность ответов", "91,5%"),
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
    { name: "null: samples", full: true, answers: { "GET /api/analytics": json(null) }, shows: samples },
    { name: "another shape: samples", full: true, answers: { "GET /api/analytics": json([]) }, shows: samples },
    {
      name: "an empty report counts as nothing",
      full: true,
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
        expect.soft(lines).toContain('"Показатель","Точность ответов, %","","91.5"');
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
      name: "a small business's bars are scaled against 250 too, and one answer is seen",
      answers: {
        "GET /api/analytics": json({
          ...report,
          dailyStats: report.dailyStats.map((day, n) => ({ ...day, interactions: n * 2 })),
        }),
      },
      does: async (page) => {
        await expect.poll(() => shares(page)).toEqual([0, 1, 2, 2]);
        await expect(axis(page)).toHaveText("0125250");
      },
    },
    {
      name: "accessible in light and wide, in dark and narrow",
      does: (page) => expectAccessibleCrosswise(page, "the analytics"),
    },
  ],
});

test("it says what went without the owner and what was asked, and leads there", async ({ page }) => {
  const handling = { alone: 21, approved: 3, changed: 2, unknown: 2, byOwner: 4 };
  const question = { twinId: uuid(2), twinName: "Первый", gapId: uuid(60), question: "Есть гравировка?", people: 3 };
  const known = {
    ...question,
    gapId: uuid(61),
    question: "Есть мастер-классы?",
    people: 1,
    answered: true,
    known: true,
  };
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
  await expect(twins(page)).toHaveText([/^Анна Чайникова1\sвзаимодействие/]);
});
