// Section 2, Integrations; sections 4, 5, 7, 8 and 9 for its wizard.
import type { Page } from "@playwright/test";
import { type Answers, fails, hangs, json, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, field, heading, link, one, placeholder, specify, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const SEND = "POST /api/integrations/telegram/send-code";
const VERIFY = "POST /api/integrations/telegram/verify-code";
const IMPORT = `POST /api/integrations/telegram/${uuid(7)}/import-data`;

const rowOf = (phone: string) => (page: Page) => page.locator("main li").filter({ hasText: phone });
const inRow = (phone: string, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`${phone}: ${word}`, (page: Page) => rowOf(phone)(page).getByText(word)));
const account = { apiId: "12345", apiHash: "hash", phoneNumber: "+79001234567", twinId: uuid(1) };
async function fillCredentials(page: Page, without: string[] = []) {
  for (const [label, value] of Object.entries({
    "API ID": account.apiId,
    "API Hash": account.apiHash,
    "Номер телефона": account.phoneNumber,
  })) {
    if (!without.includes(label)) await page.getByLabel(label, { exact: true }).fill(value);
  }
  if (!without.includes("Цифровой двойник")) await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
}
const sendCode = async (page: Page) => {
  await fillCredentials(page);
  await page.getByRole("button", { name: "Отправить код" }).click();
};
const enterCode = async (page: Page) => {
  await page.getByLabel("Код подтверждения").fill("54321");
  await page.getByRole("button", { name: "Подтвердить" }).click();
};
const verify = async (page: Page) => {
  await sendCode(page);
  await enterCode(page);
};
const startAnew = (page: Page) => page.getByRole("button", { name: "Настроить еще один аккаунт" }).click();
const sent: Answers = { [SEND]: json({ phoneCodeHash: "hash-of-code", sessionId: "session-1" }) };
const verified: Answers = { ...sent, [VERIFY]: json({ success: true, integration: { id: uuid(7) } }) };
const importStats = {
  dialogsProcessed: 10,
  totalMessages: 1234,
  analysis: { communicationStyle: "Коротко", personality: "Спокойная", expertise: ["Чай", "Кофе"] },
};

specify("2. Integrations (/integrations): the list", {
  at: "/integrations",
  answers: {
    "GET /api/digital-twins": json([twin(1, { name: "Анна" })]),
    "GET /api/integrations": json([
      {
        id: uuid(1),
        platform: "telegram",
        status: "active",
        digitalTwinName: "Анна",
        messagesImported: 21,
        lastSync: "2025-11-20T10:00:00.000Z",
        config: { phoneNumber: "+7 900 111-11-11" },
      },
      {
        id: uuid(2),
        platform: "whatsapp",
        status: "inactive",
        digitalTwinId: uuid(99),
        phoneNumber: "+7 900 222-22-22",
      },
      { id: uuid(3), platform: "telegram", status: "other" },
    ]),
  },
  calls: ["GET /api/integrations", "GET /api/digital-twins"],
  shows: [
    heading("Интеграции"),
    text("Активные интеграции (3)"),
    ...inRow("+7 900 111-11-11", "Анна", /21\sсообщение/, "Активна", /20 ноября 2025/),
    ...inRow("+7 900 222-22-22", "Неизвестный агент", "Неактивна", "Не указана"),
    ...inRow("Номер скрыт", "Не указан", "Неактивна"),
  ],
  states: [
    {
      name: "what is no list: samples",
      answers: { "GET /api/integrations": json({ integrations: [] }) },
      shows: [text("Пример"), text(/^Активные интеграции \(2\)$/), ...inRow("+7 900 123-45-67", "Анна Петрова")],
    },
    {
      name: "failed: samples",
      answers: { "GET /api/integrations": fails(500, "Внутренняя ошибка") },
      shows: [text("Пример")],
    },
    {
      name: "an empty list is a list",
      answers: { "GET /api/integrations": json([]) },
      shows: [text("Активные интеграции (0)"), text("Пока нет интеграций")],
      hides: [text("Пример")],
    },
  ],
});

specify("4. The wizard of /integrations", {
  at: "/integrations",
  answers: { "GET /api/digital-twins": json([twin(1), twin(2)]) },
  shows: [
    texts("four steps", (page) => page.getByRole("list", { name: "Шаги подключения" }).getByRole("listitem"), [
      /Учетные данные/,
      /Подтверждение/,
      /Импорт/,
      /Готово/,
    ]),
    field("Цифровой двойник"),
    field("API ID"),
    field("API Hash"),
    placeholder("+7XXXXXXXXXX"),
    button("Отправить код"),
  ],
  acts: [
    {
      name: "5. every field is required",
      does: async (page) => {
        await fillCredentials(page);
        for (const [label, value] of [
          ["API ID", account.apiId],
          ["API Hash", account.apiHash],
          ["Номер телефона", account.phoneNumber],
        ] as const) {
          const input = page.getByLabel(label, { exact: true });
          await input.fill("");
          await page.getByRole("button", { name: "Отправить код" }).click();
          await expect.soft(input, label).toHaveAccessibleDescription(/Заполните это поле/);
          await input.fill(value);
        }
        await page.getByLabel("Цифровой двойник").selectOption("");
        await page.getByRole("button", { name: "Отправить код" }).click();
      },
      toast: ["Заполните все поля", "Все поля обязательны для подключения"],
    },
    {
      name: "5. at least one twin must exist",
      answers: { "GET /api/digital-twins": json([]) },
      does: async (page) => {
        await fillCredentials(page, ["Цифровой двойник"]);
        await page.getByRole("button", { name: "Отправить код" }).click();
      },
      toast: ["Нет Digital Twins", "Сначала создайте Digital Twin"],
    },
    {
      name: "5. the selected twin must be among the available ones",
      does: async (page) => {
        await fillCredentials(page, ["Цифровой двойник"]);
        // As when it was chosen and then deleted in another tab.
        await page.getByLabel("Цифровой двойник").evaluate((select: HTMLSelectElement, id) => {
          select.add(new Option("Удалённый", id));
          select.value = id;
          select.dispatchEvent(new Event("change", { bubbles: true }));
        }, uuid(99));
        await page.getByRole("button", { name: "Отправить код" }).click();
      },
      toast: ["Ошибка выбора Digital Twin", "Выбранный Digital Twin не найден"],
    },
    {
      name: "send-code failure",
      here: true,
      answers: { [SEND]: fails(503, "Подключение аккаунта временно недоступно") },
      does: sendCode,
      toast: ["Ошибка", "Подключение аккаунта временно недоступно"],
      shows: [button("Отправить код")],
    },
    {
      name: "send-code failure without a sentence",
      here: true,
      answers: { [SEND]: (route) => route.fulfill({ status: 500, body: "" }) },
      does: sendCode,
      toast: ["Ошибка", "Не удалось отправить код"],
    },
    {
      name: "send-code success leads to the verification",
      here: true,
      answers: sent,
      does: sendCode,
      sends: { call: SEND, body: account },
      toast: ["Код отправлен"],
      shows: [field("Код подтверждения"), placeholder("12345"), button("Подтвердить"), button("Назад")],
    },
    {
      name: "«Назад» returns to the credentials",
      here: true,
      does: (page) => page.getByRole("button", { name: "Назад" }).click(),
      shows: [button("Отправить код")],
    },
    {
      name: "5. the code is required",
      here: true,
      answers: sent,
      does: async (page) => {
        await sendCode(page);
        await page.getByRole("button", { name: "Подтвердить" }).click();
      },
      toast: ["Введите код", "Код подтверждения обязателен"],
    },
    {
      name: "verify failure",
      here: true,
      answers: { ...sent, [VERIFY]: fails(400, "Код устарел") },
      does: enterCode,
      toast: ["Ошибка верификации", "Код устарел"],
      shows: [field("Код подтверждения")],
    },
    {
      name: "verify failure without a sentence",
      here: true,
      answers: { ...sent, [VERIFY]: (route) => route.fulfill({ status: 500, body: "" }) },
      does: enterCode,
      toast: ["Ошибка верификации", "Неверный код подтверждения"],
    },
    {
      name: "success is false: the answer's error, and the step stays",
      here: true,
      answers: { ...sent, [VERIFY]: json({ success: false, error: "Нужен пароль" }) },
      does: enterCode,
      toast: ["Ошибка верификации", "Нужен пароль"],
      shows: [field("Код подтверждения")],
    },
    {
      name: "success is false without an error",
      here: true,
      answers: { ...sent, [VERIFY]: json({ success: false }) },
      does: enterCode,
      toast: ["Ошибка верификации", "Проверьте правильность SMS кода"],
      shows: [field("Код подтверждения")],
    },
    {
      name: "verify success without an integration id goes straight to complete",
      here: true,
      answers: { ...sent, [VERIFY]: json({ success: true }) },
      does: enterCode,
      toast: ["Telegram интеграция создана!"],
      shows: [button("Настроить еще один аккаунт"), link("Протестировать ИИ двойника", "/conversations")],
    },
    {
      name: "«Настроить еще один аккаунт» leads back to the credentials",
      here: true,
      does: startAnew,
      shows: [button("Отправить код")],
    },
    {
      name: "import failure leads to complete all the same",
      here: true,
      answers: { ...verified, [IMPORT]: fails(502, "Telegram не ответил") },
      does: verify,
      toast: ["Ошибка импорта", "Telegram не ответил"],
      shows: [button("Настроить еще один аккаунт")],
    },
    {
      name: "import failure without a sentence",
      here: true,
      answers: { ...verified, [IMPORT]: (route) => route.fulfill({ status: 500, body: "" }) },
      does: async (page) => {
        await startAnew(page);
        await verify(page);
      },
      toast: ["Ошибка импорта", "Не удалось импортировать данные"],
    },
    {
      name: "import success without figures",
      here: true,
      answers: { ...verified, [IMPORT]: json({}) },
      does: async (page) => {
        await startAnew(page);
        await verify(page);
      },
      toast: ["Обучение завершено!", "Импорт завершен!"],
    },
    {
      name: "«Протестировать ИИ двойника» leads to the conversations",
      here: true,
      does: (page) => page.getByRole("link", { name: "Протестировать ИИ двойника" }).click(),
      leadsTo: "/conversations",
    },
    {
      name: "an integration id in place of the session id is taken too",
      answers: { ...verified, [SEND]: json({ phoneCodeHash: "h", integrationId: "i-1" }), [IMPORT]: hangs },
      does: verify,
      sends: { call: VERIFY, body: { phoneCodeHash: "h", sessionId: "i-1" } },
    },
    {
      name: "verify success: created, and importing asks for 10 dialogs of 500 messages",
      answers: { ...verified, [IMPORT]: hangs },
      does: verify,
      sends: {
        call: VERIFY,
        body: { ...account, verificationCode: "54321", phoneCodeHash: "hash-of-code", sessionId: "session-1" },
      },
      toast: ["Telegram интеграция создана!"],
      shows: [text("Импортируем переписку и обучаем двойника...")],
    },
    {
      name: "import success: its figures, and the integrations are read anew",
      answers: { ...verified, [IMPORT]: json({ stats: importStats }) },
      does: verify,
      sends: { call: IMPORT, body: { dialogsLimit: 10, messagesPerDialog: 500 } },
      toast: ["Обучение завершено!", /1\s234/],
      refreshes: ["GET /api/integrations"],
      shows: [
        one("dialogs", (page) => page.locator("main dd").getByText("10", { exact: true })),
        one("style", (page) => page.locator("main dd").getByText("Коротко")),
        one("personality", (page) => page.locator("main dd").getByText("Спокойная")),
        one("expertise", (page) => page.locator("main dd").getByText("Чай, Кофе")),
        button("Настроить еще один аккаунт"),
        link("Протестировать ИИ двойника", "/conversations"),
      ],
    },
  ],
});
