// /account: codes of an app, passkeys, password and sessions, consent to new texts.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asDemoUser } from "../support/session.ts";
import { signIn, signOut } from "../support/sign-in-form.ts";
import { DESKTOP } from "../support/viewports.ts";
import { card, enterCode, heading, openAccount, someone, switchCodesOn } from "./account-parts.ts";

test("codes of an app are switched on, and asked for at the sign-in", async ({ page }) => {
  const email = await someone(page);
  await openAccount(page, email);
  const { key } = await switchCodesOn(page);
  await page.getByRole("button", { name: "Коды сохранены" }).click();
  await expect(card(page, "Вход по коду из приложения").getByText("Осталось 10 кодов восстановления")).toBeVisible();

  await signOut(page);
  await signIn(page, email);
  await enterCode(page, key);
  await expect(heading(page, "Панель управления")).toBeVisible();
});

test("a passkey is added, renamed, used to sign in and removed", async ({ page, server }) => {
  const email = await someone(page);
  const origin = server.url.replace("127.0.0.1", "localhost");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await openAccount(page, email, origin);
  const passkeys = card(page, "Ключи доступа");
  await passkeys.getByRole("button", { name: "Добавить ключ" }).click();
  await page.getByRole("textbox", { name: "Название" }).fill("Ноутбук");
  await page.getByRole("button", { name: "Продолжить" }).click();
  await expect(passkeys.getByRole("heading", { name: "Ноутбук" })).toBeVisible();
  await page.getByRole("button", { name: "Переименовать: Ноутбук" }).click();
  await page.getByRole("textbox", { name: "Название" }).fill("Рабочий ноутбук");
  await page.getByRole("button", { name: "Сохранить" }).click();
  await expect(passkeys.getByRole("heading", { name: "Рабочий ноутбук" })).toBeVisible();

  await signOut(page);
  await page.getByRole("button", { name: "Войти с ключом доступа" }).click();
  await expect(heading(page, "Панель управления")).toBeVisible();

  await page.goto(`${origin}/account`);
  await page.getByRole("button", { name: "Удалить: Рабочий ноутбук" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(passkeys.getByText("Ключей доступа пока нет")).toBeVisible();
});

test("new texts stand before everything until they are accepted, once", async ({ page }) => {
  const email = await someone(page);
  await openAccount(page, email);
  let isDue = true;
  await interceptCalls(
    page,
    async (route, request) => {
      if (!isDue) return route.continue();
      const { authorization } = request.headers();
      const body = await (await page.request.get(request.url(), { headers: { authorization: authorization! } })).json();
      await route.fulfill({ json: { ...body, user: { ...body.user, consentDue: true } } });
    },
    "*://*/api/auth/verify",
  );
  await page.reload();
  const gate = page.getByRole("alertdialog", { name: "Примите условия, чтобы продолжить" });
  await expect(gate).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(gate).toBeVisible();
  await expect(gate.getByRole("button", { name: "Продолжить" })).toBeDisabled();
  await expectAccessibleCrosswise(page, "texts that wait for consent");
  await gate.getByRole("button", { name: "удалите аккаунт" }).click();
  await expect(gate.getByRole("button", { name: "Удалить аккаунт" })).toBeEnabled();
  isDue = false;
  await gate.getByRole("checkbox").check();
  await gate.getByRole("button", { name: "Продолжить" }).click();
  await expect(gate).toHaveCount(0);
  await page.reload();
  await expect(card(page, "Согласия").getByText(/Редакция от \d\d\.\d\d\.\d{4}, приняты/)).toBeVisible();
  await expect(gate).toHaveCount(0);

  await page.goto("/legal/privacy");
  await expect(heading(page, "Политика обработки персональных данных")).toBeVisible();
  await expectAccessibleCrosswise(page, "the policy");
});

test("the row of sections shows which one is read, also after a jump, and why an IP address has no passkeys", async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP);
  await openAccount(page, await someone(page));
  const shown = page.getByRole("navigation", { name: "Разделы аккаунта" }).locator("[aria-current=location]");
  await expect(shown).toHaveText("Профиль");
  await expect(card(page, "Ключи доступа")).toContainText("сейчас сайт открыт по IP-адресу");
  // A jump goes to where a section stands: what is loaded late would move it afterwards.
  await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Удалить аккаунт" })).toBeAttached();
  await page.getByRole("link", { name: "Устройства" }).click();
  await expect(shown).toHaveText("Устройства");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(shown).toHaveText("Согласия и данные");
  await page.evaluate(() => scrollTo(0, 0));
  await expect(shown).toHaveText("Профиль");
});

test("what the shared account cannot do says so and offers no button", async ({ page }) => {
  await asDemoUser(page);
  await page.goto("/account");
  const signIn = page.getByRole("region", { name: "Вход", exact: true });
  await expect(signIn).toContainText("Пароль, вход по коду и ключи доступа настраиваются в своём аккаунте.");
  await expect(signIn.getByRole("button")).toHaveCount(0);
  await expectAccessibleCrosswise(page, "the shared account");
});
