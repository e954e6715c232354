// Signing in on the real server: by e-mail, in demo mode, by keyboard alone; where it leads, and what ends a session. It waits for
// nothing that the server has to say first.
// What signing-in.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { expectDashboard, PASSWORD } from "../support/sign-in-form.ts";
import { expectWholeToast } from "../support/toast.ts";
import { unconfirmedAccount } from "./accounts.ts";

test.describe("when the network goes away", () => {
  // What follows a login is fetched ahead, and goes with the network too; the page fetches it again.
  test.use({ allowedConsoleErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/] });

  test("the e-mail login says what failed: the network, the password, nothing", async ({ page, context, request }) => {
    const email = await unconfirmedAccount(request);
    await page.goto("/login");
    await page.getByRole("button", { name: "Войти по email" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Пароль", { exact: true }).fill("not the password");
    const submit = page.getByRole("button", { name: "Войти", exact: true });

    await context.setOffline(true);
    await submit.click();
    await expectWholeToast(page, "Ошибка сети", "Проверьте подключение к интернету");
    await context.setOffline(false);

    await submit.click();
    await expectWholeToast(page, "Ошибка входа", "Неверный email или пароль");
    await expect(page.getByLabel("Пароль", { exact: true })).toBeFocused();

    await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
    await submit.click();
    await expectWholeToast(page, "Успешный вход", "Добро пожаловать!");
    await expect(page).toHaveURL("/");
    await expectDashboard(page);
  });
});

test("the test token of demo mode is stored at once and leads home after a second", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти с тестовым токеном" }).click();
  const stored = () => page.evaluate(() => [localStorage.getItem("auth_token"), localStorage.getItem("user_data")]);
  expect(await stored()).not.toContain(null);
  await expect(page).toHaveURL("/login");
  await expect(page).toHaveURL("/");
  await expectDashboard(page);
});

test("the keyboard alone goes from the landing page to the create form", async ({ page, request }) => {
  const email = await unconfirmedAccount(request);
  const { focus, follow } = keyboardOf(page);
  // What React has not taken over yet does not hear of the focus.
  await page.goto("/", { waitUntil: "networkidle" });
  await expect(page.getByRole("link", { name: "Создать двойника" }).first()).toBeVisible();
  await focus(page.getByRole("figure").getByRole("button", { name: "Агент поддержки" }));
  await expect(page.getByRole("figure").getByText("Решает частые вопросы")).toBeVisible();
  await page.getByRole("link", { name: "Создать двойника" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Регистрация" })).toBeFocused();
  await follow(page.getByRole("link", { name: "Войти", exact: true }));
  await expect(page.getByRole("heading", { level: 1, name: "Цифровые двойники" })).toBeFocused();

  await follow(page.getByRole("button", { name: "Войти по email" }));
  await expect(page.getByLabel("Email")).toBeFocused();
  await follow(page.getByRole("button", { name: "Отмена" }));
  await expect(page.getByRole("button", { name: "Войти по email" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/create-twin");
});
