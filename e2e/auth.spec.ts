import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import type { Server } from "./server.ts";

const PASSWORD = "copper and patina";

test("a person registers, stays signed in over a reload, confirms the e-mail and leaves", async ({ page, server }) => {
  const email = newEmail();
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
  await page.getByRole("checkbox", { name: /Я принимаю условия/ }).check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expectDashboard(page);
  // There is no mail server here, and nobody is told otherwise.
  const printed = "Письмо сейчас отправить нельзя. Ссылку для подтверждения адреса передаст администратор платформы.";
  await expectToast(page, "Добро пожаловать!", printed);

  await page.reload();
  await expectDashboard(page);

  await page.goto(await linkInLog(server, "confirm-email", email));
  await expect(page.getByText("Адрес подтверждён")).toBeVisible();
  await page.reload();
  await expect(page.getByText("Ссылка недействительна или устарела")).toBeVisible();

  // At «/», where a visitor sees the landing page.
  await page.goto("/");
  await signOut(page, "Вера");
  await expect(page).toHaveURL("/login");
  expect(await page.evaluate(() => [localStorage.getItem("auth_token"), localStorage.getItem("user_data")])).toEqual([
    null,
    null,
  ]);
});

test("another confirmation letter is asked for, and where it went is told", async ({ page, request }) => {
  const email = await newAccount(request);
  await page.goto("/login");
  await signIn(page, email, PASSWORD);
  await page.getByRole("button", { name: `Меню пользователя: ${email}` }).click();
  await page.getByRole("menuitem", { name: "Подтвердить email" }).click();
  await expect(page).toHaveURL("/confirm-email");
  await expect(page.getByText(`Адрес ${email} ещё не подтверждён`)).toBeVisible();
  await expectAccessibleCrosswise(page, "an address that waits for its confirmation");

  const resend = page.getByRole("button", { name: "Отправить письмо ещё раз" });
  await resend.click();
  // The registration's own letter is not a minute old.
  const early = "Письмо отправлено только что. Новое можно запросить через минуту.";
  await expectToast(page, "Не удалось отправить письмо", early);
  for (const [letter, said] of [
    ["mail", `Новое письмо отправлено на ${email}`],
    ["log", "Письмо сейчас отправить нельзя. Новую ссылку для подтверждения передаст администратор платформы"],
  ] as const) {
    const answer = { success: true, letter };
    await page.route("**/api/auth/email/confirmation", (route) => route.fulfill({ json: answer }), { times: 1 });
    await resend.click();
    await expect(page.getByRole("status").filter({ hasText: said })).toBeVisible();
  }

  // A link that has had its time leads to the same place.
  await page.goto(`/confirm-email?token=${"x".repeat(43)}`);
  await expect(page.getByRole("alert")).toContainText("Ссылка недействительна или устарела");
  await expect(resend).toBeVisible();
});

test("until the e-mail is confirmed a banner says what has to wait; the link alone confirms nothing", async ({
  page,
  request,
  server,
}) => {
  const email = await newAccount(request, "Вера");
  const link = await linkInLog(server, "confirm-email", email);
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("войдите в аккаунт, который вы регистрировали");
  await expectAccessibleCrosswise(page, "a confirmation link that nobody is signed in for");
  await page.getByRole("link", { name: "задайте свой пароль" }).focus();

  await page.goto("/login");
  await signIn(page, email, PASSWORD);
  const banner = page.getByRole("region", { name: "Подтверждение email" });
  await expect(banner).toContainText(`Письмо на ${email} сейчас отправить нельзя`);
  await expect(banner).toContainText("нельзя приглашать людей");
  await expectAccessibleCrosswise(page, "the banner of an address that is not confirmed");
  await banner.getByRole("button", { name: "Отправить письмо ещё раз" }).click();
  const early = "Письмо отправлено только что. Новое можно запросить через минуту.";
  await expectToast(page, "Не удалось отправить письмо", early);

  await page.goto(link);
  await expect(page.getByText("Адрес подтверждён")).toBeVisible();
  await page.goto("/dashboard");
  await expectDashboard(page);
  await expect(banner).toHaveCount(0);
});

test("tabs are of one mind about who is signed in", async ({ page, context, request }) => {
  const [first, second] = [await newAccount(request), await newAccount(request)];
  const other = await context.newPage();
  await other.goto("/login?return=%2Ftwins");

  await page.goto("/login");
  await signIn(page, first, PASSWORD);
  await expect(other).toHaveURL("/twins");
  await expect(other.getByRole("button", { name: `Меню пользователя: ${first}` })).toBeVisible();

  await signOut(page, first);
  await expect(other).toHaveURL("/login");
  await other.goto("/twins");
  await signIn(page, second, PASSWORD);
  await expect(other).toHaveURL("/twins");
  await expect(other.getByRole("button", { name: `Меню пользователя: ${second}` })).toBeVisible();
});

test("a session that was ended elsewhere is told about, and the sign-in leads back to what was typed", async ({
  page,
  request,
}) => {
  const email = await newAccount(request);
  await page.goto("/login?return=%2Fcreate-twin");
  await signIn(page, email, PASSWORD);
  await page.getByLabel("Имя двойника").fill("Анна");
  await page.getByLabel("Описание").fill("Отвечает клиентам чайной лавки");
  await page.getByLabel("Личность").fill("Спокойная и внимательная, шутит к месту");
  await page.getByLabel("Стиль общения").fill("Коротко, на «вы»");
  await page.getByLabel("Область знаний").fill("Чай и кофе");
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  await page.request.post("/api/auth/logout", { headers: { authorization: `Bearer ${token}` } });

  // Whichever is first to learn of it: this call, or the page's live stream, which takes the button away.
  await page
    .getByRole("button", { name: "Создать Агента" })
    .click({ timeout: 3000 })
    .catch(() => undefined);
  await expectToast(page, "Сеанс завершён", "Войдите снова, чтобы продолжить");
  await signIn(page, email, PASSWORD);
  await expect(page).toHaveURL("/create-twin");
  await expect(page.getByLabel("Имя двойника")).toHaveValue("Анна");
});

test("an e-mail that is taken is said at its field", async ({ page, request }) => {
  const email = await newAccount(request);
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox", { name: /Я принимаю условия/ }).check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Этот email уже зарегистрирован");
  await expect(page.getByLabel("Email")).toBeFocused();
});

test.describe("when the network goes away", () => {
  // What follows a login is fetched ahead, and goes with the network too; the page fetches it again.
  test.use({ allowedConsoleErrors: [/ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module/] });

  test("the e-mail login says what failed: the network, the password, nothing", async ({ page, context, request }) => {
    const email = await newAccount(request);
    await page.goto("/login");
    await page.getByRole("button", { name: "Войти по email" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Пароль", { exact: true }).fill("not the password");
    const submit = page.getByRole("button", { name: "Войти", exact: true });

    await context.setOffline(true);
    await submit.click();
    await expectToast(page, "Ошибка сети", "Проверьте подключение к интернету");
    await context.setOffline(false);

    await submit.click();
    await expectToast(page, "Ошибка входа", "Неверный email или пароль");
    await expect(page.getByLabel("Пароль", { exact: true })).toBeFocused();

    await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
    await submit.click();
    await expectToast(page, "Успешный вход", "Добро пожаловать!");
    await expectDashboard(page);
  });
});

test("the test login of demo mode opens the demo workspace", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Тестовый вход" }).click();
  await expectToast(page, "Успешный вход", "Добро пожаловать, Test!");
  await expectDashboard(page);
  await expect(page).toHaveURL("/");
});

test("the test token of demo mode is stored at once and leads home after a second", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти с тестовым токеном" }).click();
  expect(await page.evaluate(() => localStorage.getItem("auth_token"))).not.toBeNull();
  await expect(page).toHaveURL("/login");
  await expect(page).toHaveURL("/");
  await expectDashboard(page);
});

test("the way that was barred opens after the login, and again after the session has ended", async ({
  page,
  context,
  request,
}) => {
  const email = await newAccount(request);
  await page.goto("/twins?q=tea");
  await expect(page).toHaveURL("/login?return=%2Ftwins%3Fq%3Dtea");
  await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
  await page.getByRole("link", { name: "Войти" }).click();
  await signIn(page, email, PASSWORD);
  await expect(page).toHaveURL("/twins?q=tea");
  await expect(page.getByRole("heading", { level: 1, name: "Цифровые двойники" })).toBeVisible();

  // Half of a session is none.
  await context.clearCookies();
  await page.goto("/analytics");
  await expect(page).toHaveURL("/login?return=%2Fanalytics");
  await signIn(page, email, PASSWORD);
  await expect(page).toHaveURL("/analytics");

  await page.goto("/login?return=/twins");
  await expect(page).toHaveURL("/twins");
});

test("a link to another site is no way to return", async ({ page, request }) => {
  const email = await newAccount(request);
  await page.goto("/login?return=//evil.example/twins");
  await signIn(page, email, PASSWORD);
  await expect(page).toHaveURL("/");
});

test("a forgotten password is replaced by the letter's link, once", async ({ page, request, server }) => {
  const email = await newAccount(request);
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByRole("link", { name: "Забыли пароль?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Отправить письмо" }).click();
  const told = page.getByRole("status").filter({ hasText: email });
  await expect(told).toContainText("Письмо сейчас отправить нельзя.");

  const link = await linkInLog(server, "reset-password", email);
  await page.goto(link);
  // Nobody has confirmed this address: whoever registered with it may have been somebody else.
  await expect(page.getByRole("note")).toContainText("всё, что в нём успели создать, будет удалено");
  await expectAccessibleCrosswise(page, "a new password for an account that begins anew");
  await page.getByLabel("Новый пароль").fill("a new password");
  await page.getByRole("button", { name: "Показать пароль" }).click();
  await expect(page.getByLabel("Новый пароль")).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Сохранить пароль" }).click();
  await expectToast(
    page,
    "Пароль изменён",
    "Адрес раньше не был подтверждён, поэтому аккаунт начат заново. Войдите с новым паролем",
  );
  await expect(page).toHaveURL("/login");
  await signIn(page, email, PASSWORD);
  await expectToast(page, "Ошибка входа", "Неверный email или пароль");
  await page.getByLabel("Пароль", { exact: true }).fill("a new password");
  await page.keyboard.press("Enter");
  await expectDashboard(page);

  await page.goto(link);
  await page.getByLabel("Новый пароль").fill("another password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Ссылка недействительна или устарела");
  await expect(page.getByRole("link", { name: "Запросить новую ссылку" })).toBeVisible();
});

test("the keyboard alone goes from the landing page to the create form", async ({ page, request }) => {
  const email = await newAccount(request);
  // What React has not taken over yet does not hear of the focus.
  await page.goto("/", { waitUntil: "networkidle" });
  await expect(page.getByRole("link", { name: "Создать двойника" })).toBeVisible();
  await tabTo(page, "Агент поддержки");
  await expect(page.getByRole("figure").getByText("Решает частые вопросы")).toBeVisible();
  await page.getByRole("link", { name: "Создать двойника" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Регистрация" })).toBeFocused();
  await tabTo(page, "Войти");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Цифровые двойники" })).toBeFocused();

  await tabTo(page, "Войти по email");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Email")).toBeFocused();
  await tabTo(page, "Отмена");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Войти по email" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/create-twin");
});

const newEmail = () => `${randomUUID()}@example.com`;

async function newAccount(request: APIRequestContext, firstName = ""): Promise<string> {
  const email = newEmail();
  const answer = await request.post("/api/auth/email/register", { data: { email, password: PASSWORD, firstName } });
  expect(answer.ok()).toBe(true);
  return email;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Войти", exact: true }).click();
}

async function signOut(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Меню пользователя: ${name}` }).click();
  await page.getByRole("menuitem", { name: "Выйти" }).click();
}

async function expectDashboard(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Панель управления" })).toBeVisible();
}

async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole("region", { name: /Уведомления/ }).getByRole("listitem");
  await expect(toast.getByText(title, { exact: true })).toBeVisible();
  await expect(toast.getByText(description, { exact: true })).toBeVisible();
}

/** Presses Tab until the control with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent)) === text) return;
  }
  throw new Error(`The Tab key does not reach «${text}»`);
}

/** Path of the last link of this kind in a letter to `email`. Letters leave after the answer. */
async function linkInLog(server: Server, page: string, email: string): Promise<string> {
  let path: string | undefined;
  await expect
    .poll(() => {
      const letters = server.log().split("\n");
      const letter = letters.findLast((line) => line.includes(email) && line.includes(`/${page}?token=`));
      path = letter?.match(new RegExp(`/${page}\\?token=[\\w-]+(?:&clean=1)?`))?.[0];
      return path;
    })
    .toBeDefined();
  return path!;
}
