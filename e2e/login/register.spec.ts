// Section 2, /register, and the screens around it that the specification leaves open (decisions: one-time links by letter).
import type { Page } from "@playwright/test";
import { user } from "../factories/people.ts";
import { cut, fails, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { button, field, heading, link, specify, text } from "../support/specify.ts";

// Section 2, /register, and the screens around it that the specification leaves open (decisions: one-time links by letter).

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

async function register(page: Page) {
  await page.getByLabel("Имя", { exact: true }).fill("Анна");
  await page.getByLabel("Фамилия").fill("Петрова");
  await page.getByLabel("Email").fill("anna@example.com");
  await page.getByLabel("Пароль").first().fill(PASSWORD);
  await page.getByRole("checkbox", { name: /Даю согласие/ }).check();
  await page.getByLabel("Пароль").first().focus();
  await page.keyboard.press("Enter");
}

specify("2. Registration (/register)", {
  at: "/register",
  signedIn: false,
  shows: [
    heading("Регистрация"),
    field("Имя"),
    field("Фамилия"),
    field("Email"),
    field("Пароль"),
    button("Зарегистрироваться"),
    link("Войти", "/login"),
  ],
  acts: [
    {
      name: "nothing is sent before the fields are right",
      does: (page) => page.getByRole("button", { name: "Зарегистрироваться" }).click(),
      shows: [text("Введите email"), text("Пароль должен содержать минимум 8 символов")],
    },
    {
      name: "refused",
      here: true,
      answers: { "POST /api/auth/email/register": fails(429, "Слишком много попыток") },
      does: register,
      toast: ["Ошибка регистрации", "Слишком много попыток"],
    },
    {
      name: "without network",
      here: true,
      answers: { "POST /api/auth/email/register": cut },
      does: register,
      toast: ["Ошибка сети", "Проверьте подключение к интернету"],
    },
    {
      name: "registration signs in",
      here: true,
      answers: {
        "POST /api/auth/email/register": json({ success: true, token: "t", user, letter: "mail" }, 201),
      },
      does: register,
      sends: {
        call: "POST /api/auth/email/register",
        body: {
          email: "anna@example.com",
          password: PASSWORD,
          firstName: "Анна",
          lastName: "Петрова",
          consent: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        },
      },
      leadsTo: "/",
    },
    {
      name: "busy",
      answers: { "POST /api/auth/email/register": hangs },
      does: register,
      shows: [button("Регистрация...", { disabled: true })],
    },
  ],
});

specify("2. Registration: who is signed in already goes to /", {
  at: "/register",
  shows: [heading("Панель управления")],
});

async function forget(page: Page) {
  await page.getByLabel("Email").fill("anna@example.com");
  await page.keyboard.press("Enter");
}

specify("A forgotten password (/forgot-password)", {
  at: "/forgot-password",
  signedIn: false,
  shows: [heading("Восстановление пароля"), field("Email"), link("Вернуться ко входу", "/login")],
  acts: [
    {
      name: "the same answer whether there is such an account or not",
      answers: { "POST /api/auth/email/forgot": json({ success: true, letter: "mail" }) },
      does: forget,
      sends: { call: "POST /api/auth/email/forgot", body: { email: "anna@example.com" } },
      shows: [text(/Если аккаунт с адресом/)],
    },
    {
      name: "no mail server is configured",
      answers: { "POST /api/auth/email/forgot": json({ success: true, letter: "log" }) },
      does: forget,
      shows: [text(/Письмо сейчас отправить нельзя/)],
    },
  ],
});

async function replace(page: Page) {
  await page.getByLabel("Новый пароль").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

specify("A new password (/reset-password)", {
  at: `/reset-password?token=${"a".repeat(43)}`,
  signedIn: false,
  shows: [heading("Новый пароль"), field("Новый пароль"), button("Сохранить пароль")],
  acts: [
    {
      name: "stored",
      answers: { "POST /api/auth/email/reset": json({ success: true }) },
      does: replace,
      sends: { call: "POST /api/auth/email/reset", body: { token: "a".repeat(43), password: PASSWORD } },
      toast: ["Пароль изменён", "Войдите с новым паролем"],
      leadsTo: "/login",
    },
  ],
});
