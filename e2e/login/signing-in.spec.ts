// Signing in on the real server: by e-mail, in demo mode, by keyboard alone; where it leads, and what ends a session. It waits for
// nothing that the server has to say first.
import { answering, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectDashboard, signIn, signOut } from "../support/sign-in-form.ts";
import { expectWholeToast, recordToasts } from "../support/toast.ts";
import { fillTwinForm } from "../support/twin-form.ts";
import { unconfirmedAccount } from "./accounts.ts";

test("tabs are of one mind about who is signed in", async ({ page, context, request }) => {
  const [first, second] = [await unconfirmedAccount(request), await unconfirmedAccount(request)];
  const other = await context.newPage();
  await other.goto("/login?return=%2Ftwins");

  await page.goto("/login");
  await signIn(page, first);
  await expect(other).toHaveURL("/twins");
  await expect(other.getByRole("button", { name: `Меню пользователя: ${first}` })).toBeVisible();

  await signOut(page, `Меню пользователя: ${first}`);
  await expect(other).toHaveURL("/login");
  await other.goto("/twins");
  await signIn(page, second);
  await expect(other).toHaveURL("/twins");
  await expect(other.getByRole("button", { name: `Меню пользователя: ${second}` })).toBeVisible();
});

test("a session that was ended elsewhere is reported, and the sign-in leads back to what was typed", async ({
  page,
  request,
}) => {
  const email = await unconfirmedAccount(request);
  const toasts = await recordToasts(page);
  await page.goto("/login?return=%2Fcreate-twin");
  await signIn(page, email);
  await fillTwinForm(page);
  const token = await page.evaluate(() => localStorage.getItem("auth_token"));
  await page.request.post("/api/auth/logout", { headers: { authorization: `Bearer ${token}` } });
  // Whichever is first to learn of it: this call, or the page's live stream, which takes the button away.
  const click = page.getByRole("button", { name: "Создать Агента" }).click();
  await Promise.race([click.catch(() => undefined), page.waitForURL(/\/login/)]);
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(toasts).toContainEqual(expect.stringMatching(/^Сеанс завершён\s*Войдите снова, чтобы продолжить/));
  await signIn(page, email);
  await expect(page).toHaveURL("/create-twin");
  await expect(page.getByLabel("Имя двойника")).toHaveValue("Анна");
});

test("the test login of demo mode opens the demo workspace", async ({ page }) => {
  await page.goto("/login");
  await page.getByRole("button", { name: "Тестовый вход" }).click();
  await expectWholeToast(page, "Успешный вход", "Добро пожаловать, Test!");
  await expectDashboard(page);
  await expect(page).toHaveURL("/");
});

test("the way that was barred opens after the login, and again after the session has ended", async ({
  page,
  context,
  request,
}) => {
  const email = await unconfirmedAccount(request);
  await page.goto("/twins?q=tea");
  await expect(page).toHaveURL("/login?return=%2Ftwins%3Fq%3Dtea");
  await page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }).click();
  await page.getByRole("link", { name: "Войти" }).click();
  await signIn(page, email);
  await expect(page).toHaveURL("/twins?q=tea");
  await expect(page.getByRole("heading", { level: 1, name: "Цифровые двойники" })).toBeVisible();

  // Half of a session is none.
  await context.clearCookies();
  await page.goto("/analytics");
  await expect(page).toHaveURL("/login?return=%2Fanalytics");
  await signIn(page, email);
  await expect(page).toHaveURL("/analytics");

  await page.goto("/login?return=/twins");
  await expect(page).toHaveURL("/twins");
});

test("a link to another site is no way to return", async ({ page, request }) => {
  const email = await unconfirmedAccount(request);
  await page.goto("/login?return=//evil.example/twins");
  await signIn(page, email);
  await expect(page).toHaveURL("/");
});

test("signing in by email waits for nothing that the server has to say first", async ({ page }) => {
  await answering(page, {
    "GET /api/config": hangs,
    "GET /api/auth/verify": json({ message: "Войдите в систему", code: "unauthorized", requestId: "r" }, 401),
    "POST /api/auth/email/login": json({ success: false, message: "Неверный email или пароль" }),
  });
  await page.goto("/login");
  await signIn(page, "anna@example.com");
  await expect(page.getByText("Неверный email или пароль", { exact: true })).toBeVisible();
});

test("what is typed stays when the server says which other ways there are", async ({ page }) => {
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await answering(page, {
    "GET /api/config": async () => {
      await told;
      return { demo: true, letters: "mail", telegramBot: null, engine: "embedded", version: "0.1.0" };
    },
    "GET /api/auth/verify": json({ message: "Войдите в систему", code: "unauthorized", requestId: "r" }, 401),
  });
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByLabel("Email").fill("anna@example.com");
  tell();
  await expect(page.getByRole("button", { name: /тест/i }).first()).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("anna@example.com");
});
