// Section 2, Landing page; sections 1, 3 and 9 for its agents, prices and claims.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { heading, one, specify, text, texts, wide } from "../support/specify.ts";
import { gridOf, H1, mapOf, pricesButton, untilTaken } from "./parts.ts";

const benefits = (page: Page) => page.getByRole("region", { name: "Почему выбирают нас" });

const AGENTS = [
  "Цифровой двойник",
  "Агент продаж",
  "Агент поддержки",
  "Контент-агент",
  "Аналитик",
  "HR-агент",
  "Enterprise-агент",
];

const plan = (name: string) => (page: Page) =>
  page.getByRole("region", { name: "Тарифы" }).locator("li:has(h3)").filter({ hasText: name });

/** What stands in a plan, beside its name: features and button. */
const inPlan = (name: string, ...parts: string[]) =>
  parts.map((words) => one(`${name}: ${words}`, (page) => plan(name)(page).getByText(words, { exact: true })));

const landing = {
  signedIn: false,
  shows: [
    texts("the title", (page: Page) => page.getByRole("heading", { level: 1 }), [H1]),
    // 9. Marketing claims: clients, rating, minutes in the hero; companies in the sections.
    text("10,000+"),
    text("4.9/5"),
    text("5\u00a0минут"),
    one("companies", (page: Page) => benefits(page).getByText(/50,000\+ компаний/)),
    texts("the map's seven agents", (page: Page) => mapOf(page).getByRole("button"), [
      /Digital Twin/,
      ...AGENTS.slice(1),
    ]),
    // Connections: twice the agents.
    text("7\u00a0агентов"),
    text("14\u00a0связей"),
    texts("three benefits", (page: Page) => benefits(page).getByRole("heading", { level: 3 }), [
      "Мгновенный запуск",
      "Персонализация",
      "Корпоративная безопасность",
    ]),
    texts("the grid's seven agents", (page: Page) => gridOf(page).getByRole("heading", { level: 3 }), AGENTS),
    texts("its seven cards", (page: Page) => gridOf(page).getByRole("article"), Array(7).fill(/./)),
    one("view pricing", (page: Page) => page.getByRole("button", { name: "Посмотреть тарифы" })),
    texts("the first call and the last are one", (page: Page) => page.getByRole("link", { name: /^Создать/ }), [
      "Создать двойника",
      "Создать двойника",
    ]),
    wide(text(/У\sкаждого агента две связи/)),
  ],
};

specify("2. Landing page (/landing)", {
  at: "/landing",
  inSight: true,
  ...landing,
  acts: [
    {
      name: "the map is in the hero, the live demo right under it",
      does: async (page) => {
        const map = await mapOf(page).boundingBox();
        const talk = await page.getByRole("region", { name: "Спросите двойника сами" }).boundingBox();
        expect.soft(map?.y).toBeLessThan(120);
        expect.soft(talk?.y).toBeGreaterThan((map?.y ?? 0) + (map?.height ?? 0));
        expect.soft((talk?.y ?? 0) - (map?.y ?? 0) - (map?.height ?? 0)).toBeLessThan(120);
        expect.soft((await benefits(page).boundingBox())?.y).toBeGreaterThan(talk?.y ?? 0);
      },
    },
    {
      name: "four columns on a wide screen",
      does: async (page) => {
        const columns = gridOf(page)
          .getByRole("list")
          .first()
          .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(" ").length);
        expect.soft(await columns).toBe(4);
      },
    },
    {
      name: "the prices show after «view pricing»",
      here: true,
      does: async (page) => {
        await untilTaken(page);
        await pricesButton(page).click();
      },
      shows: [
        heading("Тарифы"),
        ...inPlan(
          "Starter",
          "Бесплатно",
          "1 двойник",
          "100 сообщений в месяц",
          "Базовая аналитика",
          "Поддержка по e-mail",
          "Начать бесплатно",
        ),
        ...inPlan(
          "Business",
          "Популярный",
          "₽4,999",
          "в месяц",
          "5 агентов",
          "10,000 сообщений в месяц",
          "Расширенная аналитика",
          "CRM интеграции",
          "Поддержка 24/7",
          "Начать бесплатно",
        ),
        ...inPlan(
          "Enterprise",
          "от ₽25,000",
          "в месяц",
          "Безлимитные агенты и сообщения",
          "Приватное облако",
          "Персональный менеджер",
          "99.9% SLA",
          "Связаться с нами",
        ),
      ],
    },
    {
      name: "an agent's modal: metrics, three key features, a testimonial, two buttons; every agent keeps to the ranges",
      here: true,
      does: async (page) => {
        for (const [at, name] of AGENTS.entries()) {
          await mapOf(page).getByRole("button").nth(at).click();
          const dialog = page.getByRole("dialog", { name });
          await expect(dialog.getByRole("definition")).toHaveCount(3);
          const figures = await dialog.getByRole("definition").allInnerTexts();
          const [efficiency = 0, , accuracy = 0] = figures.map((figure) => Number.parseInt(figure, 10));
          expect.soft(efficiency >= 85 && efficiency <= 99, `${name}: efficiency ${efficiency}`).toBe(true);
          expect.soft(accuracy >= 90 && accuracy <= 99, `${name}: accuracy ${accuracy}`).toBe(true);
          await expect.soft(dialog.getByRole("list").getByRole("listitem")).toHaveCount(3);
          await expect.soft(dialog.locator("blockquote")).not.toBeEmpty();
          await expect.soft(dialog.locator("figcaption")).toHaveText(/^.+, .+$/);
          await expect.soft(dialog.getByRole("button", { name: "Посмотреть демо" })).toBeVisible();
          await expect.soft(dialog.getByRole("link", { name: "Создать агента" })).toBeVisible();
          if (at < AGENTS.length - 1) await page.keyboard.press("Escape");
        }
      },
    },
  ],
});

specify("2. «/» is the landing page for who is not signed in", { at: "/", ...landing });

test("a visitor who leaves for another screen before this one has its code gets that screen, drawn anew", async ({
  page,
}) => {
  const code = Promise.withResolvers<void>();
  await page.route("**/assets/landing-page-*.js", async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.goto("/landing", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1, name: H1 })).toBeVisible();
  // The router does not listen yet: React is not there.
  await page.evaluate(() => history.pushState(null, "", "/login"));
  code.resolve();
  await expect(page.getByRole("heading", { level: 1, name: H1 })).toHaveCount(0);
  await expect(page.getByText("Выберите способ авторизации")).toBeVisible();
});
