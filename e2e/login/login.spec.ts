// Section 2, Login; sections 5 and 8 for its fields and what it says when a call fails.
import type { Page } from "@playwright/test";
import { cut, fails, hangs, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, field, heading, link, one, specify, text, texts } from "../support/specify.ts";

// Section 2, Login and 404; sections 5 and 8 for them.

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const TELEGRAM = "POST /api/auth/telegram";

const config = (demo: boolean) =>
  json({ demo, letters: "mail", telegramBot: null, engine: "embedded", version: "0.1.0" });

specify("2. Login (/login)", {
  at: "/login",
  inSight: true,
  signedIn: false,
  answers: { "GET /api/config": config(true) },
  calls: ["GET /api/config"],
  shows: [
    heading("Цифровые двойники"),
    text("Войти в систему"),
    text("Выберите способ авторизации"),
    // Three feature cards: security, twins, integrations.
    heading("Безопасность"),
    heading("ИИ-двойники"),
    heading("Интеграции"),
    button("Тестовый вход"),
    button("Войти с тестовым токеном"),
    text("или"),
    button("Войти по email"),
    link("Нет аккаунта? Зарегистрироваться", "/register"),
    texts("three feature cards", (page) => page.locator("main li").filter({ has: page.getByRole("heading") }), [
      "БезопасностьВход через Telegram, данные отделены от чужих",
      "ИИ-двойникиЛичные помощники в вашем стиле",
      "ИнтеграцииTelegram, WhatsApp и email: там, где вам пишут",
    ]),
    // No bot is set up here.
    one("the widget's container", (page) => page.locator("#telegram-login-container")),
    text("2025"),
  ],
  states: [
    {
      // Decision 9: the debug buttons are demo mode's. The widget is driven in telegram.spec.ts.
      name: "no debug buttons without demo mode",
      answers: { "GET /api/config": config(false) },
      shows: [button("Войти по email")],
      hides: [button("Тестовый вход"), button("Войти с тестовым токеном")],
    },
  ],
  acts: [
    {
      name: "in the specified order: the widget, the debug buttons, «или», the e-mail",
      does: async (page) => {
        const order = [
          page.locator("#telegram-login-container"),
          page.getByRole("button", { name: "Тестовый вход" }),
          page.getByRole("button", { name: "Войти с тестовым токеном" }),
          page.getByText("или", { exact: true }),
          page.getByRole("button", { name: "Войти по email" }),
        ];
        const tops: number[] = [];
        for (const part of order) {
          await expect(part).toBeVisible();
          tops.push((await part.boundingBox())?.y ?? 0);
        }
        expect.soft(tops).toEqual(tops.toSorted((one, other) => one - other));
      },
    },
    {
      name: "the messenger login sends the widget's fields and says that it is busy",
      answers: { [TELEGRAM]: hangs },
      does: signInByMessenger,
      sends: {
        call: TELEGRAM,
        body: { id: 123456789, first_name: "Test", last_name: "User", username: "testuser", photo_url: "" },
      },
      shows: [text("Авторизация через Telegram..."), button("Войти по email", { disabled: true })],
    },
    {
      name: "messenger login failure: the server's message",
      answers: { [TELEGRAM]: fails(401, "Данные Telegram не прошли проверку") },
      does: signInByMessenger,
      toast: ["Ошибка", "Данные Telegram не прошли проверку"],
    },
    {
      name: "messenger login failure: the answer's error",
      here: true,
      answers: { [TELEGRAM]: json({ success: false, error: "Бот не отвечает" }, 401) },
      does: signInByMessenger,
      toast: ["Ошибка", "Бот не отвечает"],
    },
    {
      name: "messenger login: success is false",
      here: true,
      answers: { [TELEGRAM]: json({ success: false, message: "Вход отменён" }) },
      does: signInByMessenger,
      toast: ["Ошибка", "Вход отменён"],
    },
    {
      name: "messenger login failure without a sentence",
      here: true,
      answers: { [TELEGRAM]: (route) => route.fulfill({ status: 500, body: "" }) },
      does: signInByMessenger,
      toast: ["Ошибка", "Неизвестная ошибка"],
    },
    {
      name: "messenger login network failure: the error's message",
      here: true,
      answers: { [TELEGRAM]: cut },
      does: signInByMessenger,
      toast: ["Ошибка сети", "Failed to fetch"],
    },
    {
      name: "«Войти по email» opens the form",
      does: (page) => page.getByRole("button", { name: "Войти по email" }).click(),
      shows: [text("Выберите способ авторизации"), field("Email"), field("Пароль"), button("Войти"), button("Отмена")],
    },
    {
      name: "«Отмена» closes the form",
      here: true,
      does: async (page) => {
        await page.getByRole("button", { name: "Отмена" }).click();
        await expect.soft(page.getByLabel("Email")).toHaveCount(0);
      },
      shows: [button("Войти по email")],
    },
    {
      name: "5. both fields are required",
      here: true,
      does: async (page) => {
        await page.getByRole("button", { name: "Войти по email" }).click();
        await page.getByRole("button", { name: "Войти", exact: true }).click();
      },
      shows: [
        text("Введите email"),
        text("Введите пароль"),
        one("e-mail type", (page) => page.getByLabel("Email"), { type: "email" }),
      ],
    },
    {
      name: "the e-mail login is busy while it waits",
      answers: { "POST /api/auth/email/login": hangs },
      does: signInByEmail,
      sends: { call: "POST /api/auth/email/login", body: { email: "anna@example.com", password: "пароль" } },
      shows: [button("Вход...", { disabled: true })],
    },
    {
      name: "e-mail login: success is false",
      answers: { "POST /api/auth/email/login": json({ success: false, message: "Аккаунт заблокирован" }) },
      does: signInByEmail,
      toast: ["Ошибка входа", "Аккаунт заблокирован"],
    },
    {
      name: "e-mail login failure without a sentence",
      here: true,
      answers: { "POST /api/auth/email/login": (route) => route.fulfill({ status: 500, body: "" }) },
      does: sendEmailAgain,
      toast: ["Ошибка входа", "Неверный email или пароль"],
    },
  ],
});

specify("2. Login: who is signed in already goes to /", {
  at: "/login",
  inSight: true,
  shows: [heading("Панель управления")],
});

async function signInByMessenger(page: Page) {
  await page.getByRole("button", { name: "Тестовый вход" }).click();
}

async function signInByEmail(page: Page) {
  await page.getByRole("button", { name: "Войти по email" }).click();
  await page.getByLabel("Email").fill("anna@example.com");
  await page.getByLabel("Пароль").first().fill("пароль");
  await page.keyboard.press("Enter");
}

async function sendEmailAgain(page: Page) {
  await page.getByRole("button", { name: "Войти", exact: true }).click();
}
