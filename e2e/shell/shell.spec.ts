// Section 2, Shared shell; section 4, Auth and Language; sections 3 and 9 for storage, badges, widths and breakpoints.
import type { Page } from "@playwright/test";
import { user } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { cut, fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { heading, one, phone, specify, text, texts, wide } from "../support/specify.ts";
import { PHONE } from "../support/viewports.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const sidebar = (page: Page) => page.getByRole("complementary", { name: "Боковая панель" });
const bar = (page: Page) => page.getByRole("navigation", { name: "Быстрая навигация" });
const drawer = (page: Page) => page.getByRole("dialog", { name: "Меню" });
const inSidebar = (words: string) => wide(one(`sidebar: ${words}`, (page) => sidebar(page).getByText(words)));

const inDrawer = (words: string, href?: string) =>
  one(
    `drawer: ${words}`,
    (page) => (href ? drawer(page).getByRole("link", { name: words }) : drawer(page).getByText(words, { exact: true })),
    href ? { href } : {},
  );

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

specify("2. Shared shell", {
  at: "/twins",
  inSight: true,
  answers: { "GET /api/digital-twins": json([buildTwin(1)]) },
  shows: [
    // Dashboard, twins (badge 3), knowledge, integrations (marked new), CRM, conversations (badge 12), analytics, settings.
    wide(
      texts("the sidebar's list", (page) => sidebar(page).getByRole("navigation").getByRole("link"), [
        "Панель управления",
        "Цифровые двойники3",
        "База знанийДокументы и обучающие материалы",
        "ИнтеграцииНовое",
        "CRM интеграцияСинхронизация с CRM системами",
        "ДиалогиИстория диалогов с ИИ12",
        "АналитикаПодробная аналитика и отчеты",
        "Настройки",
      ]),
    ),
    wide(one("current", (page) => sidebar(page).locator("[aria-current=page]"), { href: "/twins" })),
    wide(one("settings", (page) => sidebar(page).getByRole("link", { name: "Настройки" }), { href: "/admin" })),
    inSidebar("Pro Plan"),
    inSidebar("2,847 / 10,000 сообщений"),
    inSidebar("28%"),
    inSidebar("Улучшить тариф"),
    inSidebar("Пользователь"),
    phone(
      texts("the bottom bar's five", (page) => bar(page).getByRole("link"), [
        "Главная",
        "Двойники",
        "Диалоги",
        "Аналитика",
        "Настройки",
      ]),
    ),
    one("bell", (page) => page.getByRole("button", { name: "Уведомления: 3" })),
    wide(one("search", (page) => page.getByRole("button", { name: "Поиск..." }))),
    one("create, in words", (page) => page.getByRole("link").filter({ has: page.getByText("Create Twin") }), {
      href: "/create-twin",
    }),
    phone(one("menu button", (page) => page.getByRole("button", { name: "Открыть меню" }))),
  ],
  acts: [
    {
      name: "the bell opens what happened last",
      does: (page) => page.getByRole("button", { name: "Уведомления: 3" }).click(),
      shows: [text("Последняя активность")],
    },
    {
      name: "below 768 the phone's layout, below 1024 the tablet's",
      does: async (page) => {
        for (const [width, layout] of [
          [767, "phone"],
          [768, "tablet"],
          [1023, "tablet"],
          [1024, "desktop"],
        ] as const) {
          await page.setViewportSize({ width, height: 800 });
          await expect.soft(bar(page), `${width}: bottom bar`).toBeVisible({ visible: layout === "phone" });
          await expect.soft(sidebar(page), `${width}: sidebar`).toBeVisible({ visible: layout !== "phone" });
          if (layout === "phone") continue;
          const units = layout === "tablet" ? 16 : 72;
          await expect.poll(async () => (await sidebar(page).boundingBox())?.width, `${width}`).toBe(units * 4);
        }
      },
    },
    {
      name: "the drawer: main list, administration, quick actions, a fixed identity",
      here: true,
      does: async (page) => {
        await page.setViewportSize(PHONE);
        await page.getByRole("button", { name: "Открыть меню" }).click();
      },
      shows: [
        inDrawer("База знаний", "/knowledge"),
        inDrawer("Документы и обучающие материалы"),
        inDrawer("Синхронизация с CRM системами"),
        inDrawer("История диалогов с ИИ"),
        inDrawer("Подробная аналитика и отчеты"),
        inDrawer("Администрирование"),
        inDrawer("Настройки", "/admin"),
        inDrawer("Быстрые действия"),
        inDrawer("Создать двойника", "/create-twin"),
        inDrawer("Новый диалог", "/conversations?new=1"),
        inDrawer("Пользователь"),
      ],
    },
  ],
});

specify("2. «/» counts as the dashboard", {
  at: "/",
  inSight: true,
  shows: [
    heading("Панель управления"),
    wide(one("current", (page) => sidebar(page).locator("[aria-current=page]"), { href: "/dashboard" })),
    phone(one("current", (page) => bar(page).locator("[aria-current=page]"), { href: "/" })),
  ],
});

specify("4. Auth", {
  at: "/twins",
  answers: { "GET /api/digital-twins": json([buildTwin(1)]) },
  calls: ["GET /api/auth/verify"],
  shows: [text("Двойник 1")],
  states: [
    {
      name: "a failed verification leads to the login",
      answers: { "GET /api/auth/verify": fails(401, "Войдите в систему") },
      shows: [text("Войти в систему")],
    },
  ],
  acts: [
    {
      name: "a verification that fails removes the token",
      answers: { "GET /api/auth/verify": fails(401, "Войдите в систему") },
      does: async (page) => {
        await expect(page).toHaveURL("/login?return=%2Ftwins");
        expect.soft([await stored(page, "auth_token"), await stored(page, "user_data")]).toEqual([null, null]);
      },
    },
    {
      // Decision 10: a server that is briefly away is asked for a few seconds more.
      name: "so does a network that stays away",
      full: true,
      answers: { "GET /api/auth/verify": cut },
      does: async (page) => {
        await expect(page).toHaveURL("/login?return=%2Ftwins");
        expect.soft(await stored(page, "auth_token")).toBeNull();
      },
    },
    {
      name: "3. what is stored: token and user",
      does: async (page) => {
        await expect(page.getByText("Двойник 1")).toBeVisible();
        expect.soft(await stored(page, "auth_token")).toBe("token-of-a-test");
        expect.soft(JSON.parse((await stored(page, "user_data")) ?? "")).toMatchObject({ id: user.id });
      },
    },
    {
      name: "the logout forgets both and goes to /login",
      answers: { "POST /api/auth/logout": json({ success: true }) },
      does: async (page) => {
        await page.getByRole("button", { name: /^Меню пользователя/ }).click();
        await page.getByRole("menuitem", { name: "Выйти" }).click();
        await expect(page).toHaveURL("/login");
        expect.soft([await stored(page, "auth_token"), await stored(page, "user_data")]).toEqual([null, null]);
      },
      sends: { call: "POST /api/auth/logout" },
      leadsTo: "/login",
    },
  ],
});

specify("4. Language: a change is stored and set on the document", {
  at: "/login",
  signedIn: false,
  shows: [wide(one("switcher", (page) => page.getByRole("button", { name: "Язык: ru" })))],
  acts: [
    {
      name: "offers en and ru",
      does: async (page) => {
        await page.getByRole("button", { name: "Язык: ru" }).click();
        await expect.soft(page.getByRole("menuitemradio")).toHaveText(["Русский", "English"]);
        await page.getByRole("menuitemradio", { name: "English" }).click();
        await expect.soft(page.locator("html")).toHaveAttribute("lang", "en");
        expect.soft(await stored(page, "language")).toBe("en");
      },
    },
  ],
});

test("4. Language: a stored ru or en is used, else a browser's ru… gives Russian and any other English", async ({
  browser,
}) => {
  for (const [storedLanguage, locale, expected] of [
    ["ru", "en-US", "ru"],
    ["en", "ru-RU", "en"],
    [null, "ru-RU", "ru"],
    [null, "ru", "ru"],
    [null, "de-DE", "en"],
    ["fr", "ru-RU", "ru"],
    ["fr", "en-US", "en"],
  ] as const) {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.addInitScript((value) => value && localStorage.setItem("language", value), storedLanguage);
    await page.goto("/login");
    const button = page.getByRole("button", { name: expected === "ru" ? "Язык: ru" : "Language: en" });
    await expect.soft(button, `stored ${storedLanguage}, browser ${locale}`).toBeVisible();
    await expect.soft(page.locator("html"), `stored ${storedLanguage}`).toHaveAttribute("lang", expected);
    await context.close();
  }
});
