import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { type Answers, json } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";

/** The wizard that connects an account of Telegram: its calls, their answers, and how it is gone through. */
export const SEND = "POST /api/integrations/telegram/send-code";
export const VERIFY = "POST /api/integrations/telegram/verify-code";
export const IMPORT = `POST /api/integrations/telegram/${uuid(77)}/import-data`;

export const codeSent: Answers = { [SEND]: json({ phoneCodeHash: "hash-1", sessionId: "session-1" }) };
export const verified: Answers = { ...codeSent, [VERIFY]: json({ success: true, integration: { id: uuid(77) } }) };

/** What the form of the first step sends. */
export const account = { apiId: "123456", apiHash: "0123456789abcdef", phoneNumber: "+79001234567", twinId: uuid(1) };

export const step = (page: Page) =>
  page.getByRole("list", { name: "Шаги подключения" }).locator('[aria-current="step"]');
export const twinSelect = (page: Page) => page.getByLabel("Цифровой двойник");
export const hash = (page: Page) => page.getByLabel("API Hash", { exact: true });
export const code = (page: Page) => page.getByLabel("Код подтверждения");

export async function fillAccount(page: Page) {
  await twinSelect(page).selectOption("Анна");
  await page.getByLabel("API ID").fill(account.apiId);
  await hash(page).fill(account.apiHash);
  await page.getByLabel("Номер телефона").fill(account.phoneNumber);
}
export const requestCode = (page: Page) => page.getByRole("button", { name: "Отправить код" }).click();

/** From the empty form to the second step. */
export async function sendCode(page: Page) {
  await fillAccount(page);
  await requestCode(page);
  await expect(step(page)).toContainText("Подтверждение");
}

export async function toVerification(page: Page) {
  await page.goto("/integrations?connect=account");
  await sendCode(page);
}

export async function verify(page: Page) {
  await code(page).fill("54321");
  await page.getByRole("button", { name: "Подтвердить" }).click();
}

export const startAnew = (page: Page) => page.getByRole("button", { name: "Настроить еще один аккаунт" }).click();
