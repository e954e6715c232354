// Registering, confirming an address and replacing a forgotten password, by the links of letters on the real server.
import { randomUUID } from "node:crypto";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDashboard, PASSWORD, signIn, signOut } from "../support/sign-in-form.ts";
import { expectWholeToast, toast } from "../support/toast.ts";
import { linkInLog, unconfirmedAccount } from "./accounts.ts";

test("a person registers, stays signed in over a reload, confirms the e-mail and leaves", async ({ page, server }) => {
  const email = `${randomUUID()}@example.com`;
  await page.goto("/login");
  await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
  await page.getByLabel("Имя").fill("Вера");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.getByText("Пароль должен содержать минимум 8 символов")).toBeVisible();
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.getByText("Без согласия зарегистрироваться нельзя")).toBeVisible();
  await page.getByRole("checkbox", { name: /Даю согласие/ }).check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expectDashboard(page);
  // There is no mail server here, and the page does not claim otherwise.
  await expect(page.getByRole("region", { name: "Подтверждение email" })).toContainText(
    "Письмо отправить нельзя: ссылку передаст администратор платформы.",
  );
  await expect(toast(page)).toHaveCount(0);

  await page.reload();
  await expectDashboard(page);

  await page.goto(await linkInLog(server, "confirm-email", email));
  await expect(page.getByText("Адрес подтверждён")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Ссылка недействительна или устарела")).toBeVisible();

  // At «/», where a visitor sees the landing page.
  await page.goto("/");
  await signOut(page, "Меню пользователя: Вера");
  await expect(page).toHaveURL("/login");
  expect(await page.evaluate(() => [localStorage.getItem("auth_token"), localStorage.getItem("user_data")])).toEqual([
    null,
    null,
  ]);
});

test("an e-mail that is taken is said at its field", async ({ page, request }) => {
  const email = await unconfirmedAccount(request);
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox", { name: /Даю согласие/ }).check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Этот email уже зарегистрирован");
  await expect(page.getByLabel("Email")).toBeFocused();
});

test("a forgotten password is replaced by the letter's link, once", async ({ page, request, server }) => {
  const email = await unconfirmedAccount(request);
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByRole("link", { name: "Забыли пароль?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Отправить письмо" }).click();
  const told = page.getByRole("status").filter({ hasText: email });
  await expect(told).toContainText("Письмо сейчас отправить нельзя.");

  const link = await linkInLog(server, "reset-password", email);
  await page.goto(link);
  // The address is unconfirmed: a different person may have registered with it.
  await expect(page.getByRole("note")).toContainText("всё, что в нём успели создать, будет удалено");
  await expectAccessibleCrosswise(page, "a new password for an account that begins anew");
  await page.getByLabel("Новый пароль").fill("a new password");
  await page.getByRole("button", { name: "Показать пароль" }).click();
  await expect(page.getByLabel("Новый пароль")).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Сохранить пароль" }).click();
  await expectWholeToast(
    page,
    "Пароль изменён",
    "Адрес раньше не был подтверждён, поэтому аккаунт начат заново. Войдите с новым паролем",
  );
  await expect(page).toHaveURL("/login");
  await signIn(page, email);
  await expectWholeToast(page, "Ошибка входа", "Неверный email или пароль");
  await page.getByLabel("Пароль", { exact: true }).fill("a new password");
  await page.keyboard.press("Enter");
  await expectDashboard(page);

  await page.goto(link);
  await page.getByLabel("Новый пароль").fill("another password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Ссылка недействительна или устарела");
  await expect(page.getByRole("link", { name: "Запросить новую ссылку" })).toBeVisible();
});
