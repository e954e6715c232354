// /account: codes of an app, passkeys, password and sessions, consent to new texts.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD, signIn } from "../support/sign-in-form.ts";
import { card, heading, openAccount, someone } from "./account-parts.ts";

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
