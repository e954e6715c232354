import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

export const PASSWORD = "copper and patina";

/** Fills in and sends the form of the e-mail login. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Войти", exact: true }).click();
}

/** @param name in the accessible name of the menu's button */
export async function signOut(page: Page, name: string | RegExp = /^Меню пользователя/): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("menuitem", { name: "Выйти" }).click();
}

export async function expectDashboard(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Панель управления" })).toBeVisible();
}
