// What the tests of account.spec.ts and account.full.spec.ts share.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect } from "../support/fixtures.ts";
import { newAccount } from "../support/session.ts";
import { PASSWORD, signIn } from "../support/sign-in-form.ts";

export const card = (page: Page, name: string) => page.getByRole("region", { name });

export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

export async function openAccount(page: Page, email: string, origin = ""): Promise<void> {
  await page.goto(`${origin}/login?return=%2Faccount`);
  await signIn(page, email);
  await expect(heading(page, "Мой аккаунт")).toBeVisible();
  // What stands above the sign-in comes later: a press in that moment would miss its button.
  await expect(page.getByRole("link", { name: "Открыть интеграции" })).toBeVisible();
}

export async function someone(page: Page): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await newAccount(page.request, { email, password: PASSWORD, firstName: "Вера" });
  return email;
}

/** RFC 6238 for a key as the screen shows it. @param ahead steps of 30 s from now */
const codeOf = (key: string, ahead = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(key.replaceAll(/\s/g, "")), timestamp: Date.now() + ahead * 30_000 });

/** From the row of the account to the list of recovery codes; gives back the app's key and the first of the codes. */
export async function switchCodesOn(page: Page): Promise<{ key: string; recovery: string }> {
  await page.getByRole("button", { name: "Включить вход по коду" }).click();
  const dialog = page.getByRole("dialog", { name: "Включить вход по коду" });
  await expect(dialog.getByRole("img", { name: /QR-код/ })).toBeVisible();
  const key = (await dialog.locator("code").textContent())!;
  await dialog.getByLabel("Код из приложения").fill("000000");
  await dialog.getByRole("button", { name: "Включить" }).click();
  await expect(dialog.getByLabel("Код из приложения")).toHaveAccessibleDescription("Неверный код");
  await dialog.getByLabel("Код из приложения").fill(codeOf(key, -1));
  await dialog.getByRole("button", { name: "Включить" }).click();
  const codes = page.getByRole("list", { name: "Коды восстановления" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  return { key, recovery: (await codes.first().textContent())! };
}

/** The second step of a sign-in, with a wrong code first. */
export async function enterCode(page: Page, key: string): Promise<void> {
  const field = page.getByLabel("Код из приложения");
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expectAccessibleCrosswise(page, "the second step of a sign-in");
  await field.fill("000000");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription("Неверный код");
  await field.fill(codeOf(key));
  await page.keyboard.press("Enter");
}
