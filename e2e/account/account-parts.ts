// What the tests of account.spec.ts and account.full.spec.ts share.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";
import { newAccount } from "../support/session.ts";
import { PASSWORD, signIn } from "../support/sign-in-form.ts";

export const card = (page: Page, name: string) => page.getByRole("region", { name });

export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

export async function openAccount(page: Page, email: string, origin = ""): Promise<void> {
  await page.goto(`${origin}/login?return=%2Faccount`);
  await signIn(page, email);
  await expect(heading(page, "Мой аккаунт")).toBeVisible();
}

export async function someone(page: Page): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await newAccount(page.request, { email, password: PASSWORD, firstName: "Вера" });
  return email;
}
