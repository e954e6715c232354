// What stands around every screen: the guard, menus, the palette, the theme, the language and the connection.
import { expectAccessible, expectAccessibleInBothThemes } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asDemoUser } from "../support/session.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { headingOf } from "./around-screens-parts.ts";

test("the guard says that it is checking until the server has answered", async ({ page }) => {
  await asDemoUser(page);
  const held = Promise.withResolvers<void>();
  await interceptCalls(
    page,
    async (route) => {
      await held.promise;
      await route.continue();
    },
    "*://*/api/auth/verify",
  );
  await page.goto("/twins");
  await expect(page.getByText("Проверка авторизации...")).toBeVisible();
  await expectAccessible(page, "guard");
  held.resolve();
  await expect(headingOf(page)).toHaveText("Цифровые двойники");
});

test("on a wide screen the sidebar folds, stays folded over a reload, and shows where one is", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await asDemoUser(page);
  await page.goto("/");
  const sidebar = page.getByRole("complementary", { name: "Боковая панель" });
  const links = sidebar.getByRole("navigation").getByRole("link");
  await expect(links.first()).toHaveAttribute("aria-current", "page");
  await expect(page.getByRole("button", { name: "Уведомления: 3" })).toHaveText("3");
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

test("on a phone the drawer is left by Esc, which gives the focus back, and by its links", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await asDemoUser(page);
  await page.goto("/twins");
  const bar = page.getByRole("navigation", { name: "Быстрая навигация" }).getByRole("link");
  await expect(bar.nth(1)).toHaveAttribute("aria-current", "page");

  await page.getByRole("button", { name: "Открыть меню" }).click();
  const drawer = page.getByRole("dialog", { name: "Меню" });
  for (const name of ["Администрирование", "Быстрые действия"]) {
    await expect(drawer.getByRole("heading", { name })).toBeVisible();
  }
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

test("the theme follows the system until one is chosen, and stays over a reload", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
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
