// /account: codes of an app, passkeys, password and sessions, consent to new texts.
import { createHmac, randomUUID } from "node:crypto";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { signIn, signOut } from "../support/sign-in-form.ts";
import { card, heading, openAccount, someone } from "./account-parts.ts";

/** RFC 6238 for a key as the screen shows it. @param ahead steps of 30 s from now */
function codeOf(key: string, ahead = 0): string {
  const signs = [...key.replaceAll(/\s/g, "")];
  const bits = signs
    .map((sign) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"))
    .join("");
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, "0");
}

test("codes of an app are switched on, asked for at the sign-in, replaced by a recovery code and switched off", async ({
  page,
}) => {
  const email = await someone(page);
  await openAccount(page, email);
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
  const recovery = (await codes.first().textContent())!;
  await page.getByRole("button", { name: "Коды сохранены" }).click();
  await expect(card(page, "Вход по коду из приложения").getByText("Осталось 10 кодов восстановления")).toBeVisible();

  await signOut(page);
  await signIn(page, email);
  const field = page.getByLabel("Код из приложения");
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expectAccessibleCrosswise(page, "the second step of a sign-in");
  await field.fill("000000");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription("Неверный код");
  await field.fill(codeOf(key));
  await page.keyboard.press("Enter");
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

test("a passkey is added, renamed, signs in by itself and is removed", async ({ page, server }) => {
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
  await page.route("**/api/auth/verify", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({ response: answer, json: { ...body, user: { ...body.user, consentDue: true } } });
  });
  await page.reload();
  const gate = page.getByRole("alertdialog", { name: "Примите условия, чтобы продолжить" });
  await expect(gate).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(gate).toBeVisible();
  await expect(gate.getByRole("button", { name: "Продолжить" })).toBeDisabled();
  await expectAccessibleCrosswise(page, "texts that wait for consent");
  await gate.getByRole("button", { name: "удалите аккаунт" }).click();
  await expect(gate.getByRole("button", { name: "Удалить аккаунт" })).toBeEnabled();
  await page.unroute("**/api/auth/verify");
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
  await page.setViewportSize({ width: 1440, height: 900 });
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

test("on a phone all sections are named above the first and lead to each of them", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
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

test("what the shared account cannot do says so and offers no button", async ({ page }) => {
  await asDemoUser(page);
  await page.goto("/account");
  const signIn = page.getByRole("region", { name: "Вход", exact: true });
  await expect(signIn).toContainText("Пароль, вход по коду и ключи доступа настраиваются в своём аккаунте.");
  await expect(signIn.getByRole("button")).toHaveCount(0);
  await expectAccessibleCrosswise(page, "the shared account");
});
