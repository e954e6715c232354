// What a visitor meets first: the email form at once, whatever else the server still has to say, and a registration that leads on.
import { answering, hangs, json } from "../answers.ts";
import { expect, test } from "../fixtures.ts";

test("signing in by email waits for nothing that the server has to say first", async ({ page }) => {
  await answering(page, {
    "GET /api/config": hangs,
    "GET /api/auth/verify": json({ message: "Войдите в систему", code: "unauthorized", requestId: "r" }, 401),
    "POST /api/auth/email/login": json({ success: false, message: "Неверный email или пароль" }),
  });
  await page.goto("/login");
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByLabel("Email").fill("anna@example.com");
  await page.getByLabel("Пароль", { exact: true }).fill("copper and patina");
  await page.getByRole("button", { name: "Войти", exact: true }).click();
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
