// /account: codes of an app, passkeys, password and sessions, consent to new texts.

import { randomUUID } from "node:crypto";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD, signIn, signOut } from "../support/sign-in-form.ts";
import { PHONE } from "../support/viewports.ts";
import { card, enterCode, heading, openAccount, someone, switchCodesOn } from "./account-parts.ts";

test("the password is changed, another session is seen and ended, and one leaves everywhere", async ({ page }) => {
  const email = await someone(page);
  await openAccount(page, email);
  const sessions = card(page, "Устройства и сеансы");
  await expect(sessions.getByText("Этот сеанс")).toBeVisible();
  await expectAccessibleCrosswise(page, "the account's security");
  // This one is called by the browser that shows the page; the registration's own was begun by a program.
  await expect(sessions.getByRole("listitem").filter({ hasText: "Этот сеанс" })).toContainText("Chrome, Linux");
  await sessions.getByRole("button", { name: "Завершить: Приложение" }).click();
  await expect(sessions.getByText("Приложение")).toHaveCount(0);

  await page.getByRole("button", { name: "Сменить пароль" }).click();
  await expect(page.getByLabel("Текущий пароль", { exact: true })).toBeFocused();
  await page.getByLabel("Текущий пароль", { exact: true }).fill("не тот пароль");
  await page.getByLabel("Новый пароль", { exact: true }).fill("медь и патина 7");
  await page.getByRole("button", { name: "Сменить пароль" }).click();
  await expect(page.getByLabel("Текущий пароль", { exact: true })).toHaveAccessibleDescription(
    "Неверный текущий пароль",
  );
  await page.getByLabel("Текущий пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Сменить пароль" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Остальные сеансы завершены" })).toBeVisible();

  await sessions.getByRole("button", { name: "Выйти везде" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Выйти на всех устройствах" }).click();
  await expect(page).toHaveURL("/login");
  await signIn(page, email, "медь и патина 7");
  await expect(heading(page, "Панель управления")).toBeVisible();
});

test("on a phone all sections are named above the first and lead to each of them", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openAccount(page, await someone(page));
  const row = page.getByRole("navigation", { name: "Разделы аккаунта" });
  await expect(row.getByRole("link")).toHaveCount(7);
  // None is cut at the edge.
  for (const link of await row.getByRole("link").all()) await expect(link).toBeInViewport({ ratio: 1 });
  await row.getByRole("link", { name: "События" }).click();
  const events = page.getByRole("heading", { level: 2, name: "События безопасности" });
  await expect(events).toBeInViewport();
});

test("the latest events are shown, and the others when they are asked for", async ({ page }) => {
  const events = Array.from({ length: 6 }, (_, at) => ({
    id: randomUUID(),
    kind: "sign_in",
    text: `Вход с устройства ${at + 1}`,
    at: "2026-11-20T10:00:00.000Z",
    seen: true,
  }));
  await page.route("**/api/account/notices", (route) => route.fulfill({ json: events }));
  await openAccount(page, await someone(page));
  const rows = card(page, "События безопасности").getByText(/^Вход с устройства/);
  await expect(rows).toHaveCount(3);
  await page.getByRole("button", { name: "Показать все события: 6" }).click();
  await expect(rows).toHaveCount(6);
});

test("codes of an app are switched on, asked for at the sign-in, replaced by a recovery code and switched off", async ({
  page,
}) => {
  const email = await someone(page);
  await openAccount(page, email);
  const { key, recovery } = await switchCodesOn(page);
  await page.getByRole("button", { name: "Коды сохранены" }).click();
  await expect(card(page, "Вход по коду из приложения").getByText("Осталось 10 кодов восстановления")).toBeVisible();

  await signOut(page);
  await signIn(page, email);
  await enterCode(page, key);
  await expect(heading(page, "Панель управления")).toBeVisible();

  await signOut(page);
  await signIn(page, email);
  await page.getByRole("button", { name: "Войти по коду восстановления" }).click();
  await page.getByLabel("Код восстановления").fill(recovery.toLowerCase());
  await page.keyboard.press("Enter");
  await expect(heading(page, "Панель управления")).toBeVisible();

  // Reached from the menu.
  await page.getByRole("button", { name: /Меню пользователя/ }).click();
  await page.getByRole("menuitem", { name: "Мой аккаунт" }).click();
  await expect(card(page, "События безопасности").getByText(/вошли по коду восстановления/)).toBeVisible();
  await page.getByRole("button", { name: "Отключить" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отключить" }).click();
  await expect(page.getByRole("button", { name: "Включить вход по коду" })).toBeVisible();
});
