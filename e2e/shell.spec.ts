// What stands around every screen, and that every address of the product opens, for who is signed in and who is not.
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleEverywhere, expectAccessibleInBothThemes } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { asDemoUser } from "./session.ts";

interface Route {
  at: string;
  h1: string;
  /** Further addresses of the same screen. */
  also?: string[];
}

const openRoutes: Route[] = [
  { at: "/login", h1: "Цифровые двойники" },
  { at: "/register", h1: "Регистрация" },
  { at: "/landing", h1: "ИИ, который отвечает вашими словами" },
];

/** `{id}` is a twin's. */
const guardedRoutes: Route[] = [
  { at: "/dashboard", h1: "Панель управления", also: ["/"] },
  { at: "/twins", h1: "Цифровые двойники" },
  { at: "/train-ai", h1: "Обучение ИИ" },
  { at: "/edit-twin/{id}", h1: "Редактирование двойника" },
  { at: "/twin-settings/{id}", h1: "Настройки двойника" },
  { at: "/create-twin", h1: "Создание двойника" },
  { at: "/conversations", h1: "Диалоги" },
  { at: "/analytics", h1: "Аналитика" },
  { at: "/onboarding", h1: "Знакомство с двойником" },
  { at: "/knowledge", h1: "База знаний", also: ["/knowledge-base"] },
  { at: "/integrations", h1: "Интеграции" },
  { at: "/add-integration", h1: "Добавить интеграцию" },
  { at: "/crm", h1: "CRM интеграция", also: ["/crm-integration"] },
  { at: "/admin", h1: "Администрирование платформы", also: ["/admin-dashboard"] },
  { at: "/org-admin", h1: "Организация", also: ["/org-admin-dashboard"] },
];

const wide = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

/** The screen stands with its data: nothing waits any more. */
async function expectSettled(page: Page, h1: string) {
  await expect(headingOf(page)).toHaveText(h1);
  await expect(page.locator("main [class*=animate-pulse], main [class*=animate-spin]")).toHaveCount(0);
}

async function expectNoSidewaysScroll(page: Page, at: string) {
  await page.setViewportSize({ width: 320, height: 700 });
  const measured = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(measured, `${at} at 320 px`).toBeLessThanOrEqual(320);
}

async function demoTwinId(page: Page, token: string): Promise<string> {
  const answer = await page.request.get("/api/digital-twins", { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json())[0].id;
}

test.describe("every address", () => {
  for (const [part, routes] of [guardedRoutes.slice(0, 5), guardedRoutes.slice(5)].entries()) {
    test(`signed in: opens, fits 320 px and is accessible in both themes, part ${part + 1}`, async ({ page }) => {
      test.slow();
      const id = await demoTwinId(page, await asDemoUser(page));
      for (const { at, h1 } of routes) {
        await page.setViewportSize(wide);
        await page.goto(at.replace("{id}", id));
        await expectSettled(page, h1);
        // The demo's drafts wait on every screen.
        await expect(page).toHaveTitle(`(3) ${h1} · Цифровые двойники`);
        await expectAccessibleEverywhere(page, at);
        await expectNoSidewaysScroll(page, at);
      }
    });
  }

  test("has its second names", async ({ page }) => {
    await asDemoUser(page);
    for (const { also = [], h1 } of guardedRoutes) {
      for (const at of also) {
        await page.goto(at);
        await expect(headingOf(page)).toHaveText(h1);
        await expect(page).toHaveURL(at);
      }
    }
  });

  test("not signed in: the open ones are whole, the others lead to the login and back", async ({ page }) => {
    for (const { at, h1 } of openRoutes) {
      await page.setViewportSize(wide);
      await page.goto(at);
      await expectSettled(page, h1);
      await expectAccessibleEverywhere(page, at);
      await expectNoSidewaysScroll(page, at);
    }
    await page.goto("/");
    await expect(headingOf(page)).toHaveText("ИИ, который отвечает вашими словами");
    for (const { at, also = [] } of guardedRoutes) {
      for (const path of [at.replace("{id}", "of-a-twin"), ...also]) {
        if (path === "/") continue;
        await page.goto(`${path}?q=1`);
        await expect(page).toHaveURL(`/login?return=${encodeURIComponent(`${path}?q=1`)}`);
      }
    }
  });

  test("that is unknown is a 404 page", async ({ page }) => {
    await page.goto("/no/such/page");
    await expect(headingOf(page)).toHaveText("Страница не найдена");
    await expect(page).toHaveTitle("Страница не найдена · Цифровые двойники");
    await expectAccessibleEverywhere(page, "404");
    await expectNoSidewaysScroll(page, "404");
    await page.getByRole("link", { name: "На главную" }).click();
    await expect(page).toHaveURL("/");
  });
});

test("the guard says that it is checking until the server has answered", async ({ page }) => {
  await asDemoUser(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/auth/verify", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/twins");
  await expect(page.getByText("Проверка авторизации...")).toBeVisible();
  await expectAccessible(page, "guard");
  held.resolve();
  await expect(headingOf(page)).toHaveText("Цифровые двойники");
});

test("on a wide screen the sidebar shows where one is, its fixed figures, and folds", async ({ page }) => {
  await page.setViewportSize(wide);
  await asDemoUser(page);
  await page.goto("/");
  const sidebar = page.getByRole("complementary", { name: "Боковая панель" });
  const links = sidebar.getByRole("navigation").getByRole("link");
  await expect(links).toHaveText([
    "Панель управления",
    "Цифровые двойники3",
    "База знаний",
    "ИнтеграцииНовое",
    "CRM интеграция",
    "Диалоги12",
    "Аналитика",
    "Настройки",
  ]);
  await expect(links.first()).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: "Уведомления: 3" })).toHaveText("3");
  await expect(sidebar).toContainText("2,847 / 10,000 сообщений");
  await expect(sidebar).toContainText("28%");
  await expect(page.getByRole("navigation", { name: "Быстрая навигация" })).toBeHidden();
  expect((await sidebar.boundingBox())?.width).toBe(288);

  await sidebar.getByRole("button", { name: "Свернуть меню" }).click();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(64);
  await page.reload();
  await expect(sidebar.getByRole("button", { name: "Развернуть меню" })).toBeVisible();
  expect((await sidebar.boundingBox())?.width).toBe(64);
  await links.nth(1).click();
  await expect(headingOf(page)).toBeFocused();
  await expect(links.nth(1)).toHaveAttribute("aria-current", "page");
});

test("on a phone five sections stand at the foot and the rest in a drawer", async ({ page }) => {
  await page.setViewportSize(phone);
  await asDemoUser(page);
  await page.goto("/twins");
  await expect(page.getByRole("complementary", { name: "Боковая панель" })).toBeHidden();
  const bar = page.getByRole("navigation", { name: "Быстрая навигация" }).getByRole("link");
  await expect(bar).toHaveText(["Главная", "Двойники", "Диалоги", "Аналитика", "Админ"]);
  await expect(bar.nth(1)).toHaveAttribute("aria-current", "page");

  await page.getByRole("button", { name: "Открыть меню" }).click();
  const drawer = page.getByRole("dialog", { name: "Меню" });
  await expect(drawer.getByRole("heading", { name: "Администрирование" })).toBeVisible();
  await expect(drawer.getByRole("heading", { name: "Быстрые действия" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Создать двойника" })).toBeVisible();
  await expect(drawer.getByRole("link", { name: "Новый диалог" })).toBeVisible();
  await expect(drawer).toContainText("Пользователь");
  await expectAccessibleInBothThemes(page, "drawer");
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(page.getByRole("button", { name: "Открыть меню" })).toBeFocused();
  await page.getByRole("button", { name: "Открыть меню" }).click();
  await drawer.getByRole("link", { name: /^Аналитика/ }).click();
  await expect(headingOf(page)).toHaveText("Аналитика");
  await expect(drawer).toBeHidden();
});

test("the palette opens on either keyboard layout and finds what was typed on the wrong one", async ({ page }) => {
  await asDemoUser(page);
  await page.goto("/twins");
  await expect(headingOf(page)).toHaveText("Цифровые двойники");
  const input = page.getByRole("combobox");
  await page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await expectAccessibleInBothThemes(page, "palette");
  await page.keyboard.press("Escape");
  await expect(input).toBeHidden();

  // As a keyboard on the Russian layout sends it: the letter is «л», the place is K's.
  const devtools = await page.context().newCDPSession(page);
  const key = { modifiers: 2, key: "л", code: "KeyK", windowsVirtualKeyCode: 75 };
  await devtools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...key });
  await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
  await expect(input).toBeFocused();
  await page.keyboard.type("lbfkjub");
  await expect(page.getByRole("option").first()).toHaveText("Диалоги");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/conversations");
  await expect(headingOf(page)).toBeFocused();
});

test("menus and dialogs have nothing that axe objects to", async ({ page }) => {
  await page.setViewportSize(wide);
  await asDemoUser(page);
  await page.goto("/train-ai");
  const documents = page.getByRole("region", { name: "Загруженные документы" });
  for (const [what, opener, opened] of [
    ["bell", page.getByRole("button", { name: "Уведомления: 3" }), page.getByRole("dialog", { name: "Уведомления" })],
    ["person", page.getByRole("button", { name: /^Меню пользователя/ }), page.getByRole("menu")],
    ["document", documents.getByRole("listitem").first().getByRole("button").first(), page.getByRole("dialog")],
    ["deletion", documents.getByRole("button", { name: /^Удалить документ/ }).first(), page.getByRole("alertdialog")],
  ] as const) {
    await opener.click();
    await expect(opened).toBeVisible();
    await expect(opened.locator("[class*=animate-pulse], [class*=animate-spin]")).toHaveCount(0);
    await expectAccessibleInBothThemes(page, what);
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test("the theme follows the system until one is chosen, and stays over a reload", async ({ page }) => {
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/login");
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(root).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Тема" }).click();
  await page.getByRole("menuitemradio", { name: "Тёмная" }).click();
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Тема" }).click();
  await page.getByRole("menuitemradio", { name: "Как в системе" }).click();
  await expect(root).toHaveAttribute("data-theme", "light");
});

test.describe("in an English browser", () => {
  test.use({ locale: "en-US" });

  test("the navigation is English until Russian is chosen; the product's own words stay Russian", async ({ page }) => {
    await page.setViewportSize(wide);
    await asDemoUser(page);
    await page.goto("/twins");
    const navigation = page.getByRole("navigation", { name: "Основная навигация" });
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(navigation).toContainText("Digital twins");
    await expect(headingOf(page)).toHaveText("Цифровые двойники");
    await page.getByRole("button", { name: "Language: en" }).click();
    await page.getByRole("menuitemradio", { name: "Русский" }).click();
    await expect(navigation).toContainText("Цифровые двойники");
    expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("ru");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", "ru");
    await expect(navigation).toContainText("Цифровые двойники");
  });
});

test("a banner stands while there is no connection", async ({ page, context }) => {
  await asDemoUser(page);
  await page.goto("/create-twin");
  await expect(headingOf(page)).toHaveText("Создание двойника");
  const banner = page.getByText("Нет подключения к интернету");
  await expect(banner).toBeHidden();
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await context.setOffline(false);
  await expect(banner).toBeHidden();
});
