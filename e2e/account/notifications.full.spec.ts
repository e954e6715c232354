// /account: how the person is called, how the product looks, and notifications in a browser whose page is closed. What
// notifications.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { signIn, signOut } from "../support/sign-in-form.ts";
import { card, openAccount, withPushService } from "./notifications-parts.ts";

// A permission and a service worker cannot be taken back.
test.use({ ownContext: true });

test("theme and language are chosen on the page itself", async ({ page }) => {
  await openAccount(page);
  await page.getByRole("radio", { name: "Тёмная" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("radio", { name: "English" }).check();
  await expect(page.getByRole("heading", { level: 1, name: "My account" })).toBeVisible();
  await page.getByRole("radio", { name: "Русский" }).check();
  await page
    .getByRole("radio", { name: "Same as system" })
    .or(page.getByRole("radio", { name: "Как в системе" }))
    .check();
});

test("a user who signs out gets no more notifications in that browser", async ({ page }) => {
  await withPushService(page);
  const email = await openAccount(page);
  await card(page, "Уведомления").getByRole("button", { name: "Включить в этом браузере" }).click();
  await expect(page.getByText("Уведомления включены", { exact: true })).toBeVisible();
  await signOut(page);
  await page.goto("/login?return=%2Faccount");
  await signIn(page, email);
  await expect(card(page, "Уведомления").getByRole("button", { name: "Включить в этом браузере" })).toBeVisible();
});

test("a refusal of the browser's is explained", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = async () => "denied";
  });
  await openAccount(page);
  await card(page, "Уведомления").getByRole("button", { name: "Включить в этом браузере" }).click();
  await expect(page.getByText("Браузер не разрешил уведомления", { exact: true })).toBeVisible();
});

// A permission and a service worker cannot be taken back.
test.use({ ownContext: true });

test("one's own name is changed, and the header calls the person so at once", async ({ page }) => {
  await openAccount(page);
  const profile = card(page, "Профиль");
  await expect(profile.getByRole("button", { name: "Сохранить имя" })).toBeDisabled();
  await profile.getByLabel("Имя").fill("  ");
  await profile.getByLabel("Фамилия").fill("Ёлкина");
  await profile.getByRole("button", { name: "Сохранить имя" }).click();
  await expect(profile.getByLabel("Имя")).toHaveAccessibleDescription("Введите имя");
  await profile.getByLabel("Имя").fill("Вероника");
  await page.keyboard.press("Enter");
  await expect(profile.getByText("Вероника Ёлкина")).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: /Меню пользователя/ }).click();
  await expect(page.getByRole("menu").getByText("Вероника Ёлкина")).toBeVisible();
});
