// Section 2, Knowledge base; sections 7 to 9 for it.
import type { Page } from "@playwright/test";
import { fails, hangs, json, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, heading, one, options, placeholder, specify, tab, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const NOW = "2025-11-20T10:00:00.000Z";
const source = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(n),
  name: `Источник ${n}`,
  platform: "telegram",
  status: "active",
  digitalTwinName: "Анна",
  messagesCount: 21,
  lastImport: NOW,
  ...own,
});
const message = (n: number, own: Record<string, unknown> = {}) => ({
  id: String(n),
  platform: "telegram",
  content: `Сообщение ${n}`,
  timestamp: NOW,
  isTrainingData: false,
  ...own,
});
const card = (label: string, figure: RegExp) =>
  one(`card ${label}`, (page: Page) => page.locator("main dl").filter({ hasText: label }).getByText(figure));
const row = (name: string) => (page: Page) => page.getByRole("listitem").filter({ hasText: name });
const inRow = (name: string, words: string | RegExp) =>
  one(`${name}: ${words}`, (page: Page) => row(name)(page).getByText(words));

const base = {
  "GET /api/digital-twins": json([twin(1, { name: "Анна" }), twin(2, { name: "Олег" })]),
  "GET /api/knowledge-base/stats": json({
    totalMessages: 12_345,
    telegramMessages: 12_000,
    emailMessages: 300,
    whatsappMessages: 45,
    lastUpdate: NOW,
  }),
};
const reimport = (page: Page) =>
  page
    .getByRole("button", { name: /^Переимпорт/ })
    .first()
    .click();
const path = `POST /api/integrations/${uuid(1)}/reimport`;

specify("2. Knowledge base (/knowledge)", {
  at: "/knowledge",
  answers: {
    ...base,
    "GET /api/knowledge-base/sources": json([
      source(1),
      source(2, { platform: "email", status: "paused", lastImport: null }),
    ]),
  },
  calls: ["GET /api/knowledge-base/stats", "GET /api/knowledge-base/sources"],
  shows: [
    heading("База знаний"),
    card("Всего сообщений", /^12\s345$/),
    card("Сообщения Telegram", /^12\s000$/),
    card("Сообщения Email", /^300$/),
    card("Сообщения WhatsApp", /^45$/),
    one("the first tab", (page) => page.getByRole("tab", { name: "Источники данных" }), { "aria-selected": "true" }),
    tab("Обучающие данные"),
    inRow("Источник 1", "Анна"),
    inRow("Источник 1", /^21\sсообщение$/),
    inRow("Источник 1", /20 ноября 2025/),
    inRow("Источник 1", "Telegram"),
    inRow("Источник 1", "Активен"),
    inRow("Источник 2", "Email"),
    inRow("Источник 2", "Неактивен"),
    inRow("Источник 2", "Никогда"),
    button(/^Переимпорт.*1$/),
    button(/^Переимпорт.*2$/, { disabled: true }),
    text(/^Последнее обновление/),
  ],
  states: [
    {
      name: "empty; no last update",
      answers: {
        "GET /api/knowledge-base/sources": json([]),
        "GET /api/knowledge-base/stats": json({
          totalMessages: 0,
          telegramMessages: 0,
          emailMessages: 0,
          whatsappMessages: 0,
        }),
      },
      shows: [text("Источники данных не найдены")],
      hides: [text(/Последнее обновление/)],
    },
    {
      name: "failed",
      answers: { "GET /api/knowledge-base/sources": fails(500, "Внутренняя ошибка") },
      shows: [text("Не удалось загрузить источники данных"), button("Повторить")],
    },
  ],
  acts: [
    {
      name: "reimport success: statistics and sources are read anew",
      answers: { [path]: json({ id: uuid(1), status: "running" }, 202) },
      does: reimport,
      sends: { call: path },
      toast: ["Переимпорт запущен", "Данные обновляются в фоновом режиме"],
      refreshes: ["GET /api/knowledge-base/stats", "GET /api/knowledge-base/sources"],
    },
    {
      name: "reimport failure",
      here: true,
      answers: { [path]: fails(409, "Источник уже читается") },
      does: reimport,
      toast: ["Ошибка переимпорта", "Источник уже читается"],
    },
    {
      name: "reimport failure without a sentence of the server",
      here: true,
      answers: { [path]: (route) => route.fulfill({ status: 500, body: "" }) },
      does: reimport,
      toast: ["Ошибка переимпорта", "Не удалось запустить переимпорт"],
    },
  ],
});

const messages = (page: Page) => page.getByRole("region", { name: "Сообщения", exact: true });

specify("2. Knowledge base, «Обучающие данные»", {
  at: "/knowledge?tab=messages",
  answers: {
    ...base,
    "GET /api/knowledge-base/messages": json([
      message(1, { isTrainingData: true }),
      ...Array.from({ length: 40 }, (_, n) => message(n + 2, { platform: "email" })),
    ]),
  },
  calls: ["GET /api/knowledge-base/messages"],
  shows: [
    placeholder("Поиск по сообщениям..."),
    options("Платформа", ["Все платформы", "Telegram", "Email", "WhatsApp"]),
    options("Двойник", ["Все двойники", "Анна", "Олег"]),
    inRow("Сообщение 1", "Telegram"),
    inRow("Сообщение 1", "Обучающие данные"),
    inRow("Сообщение 1", /20 ноября 2025/),
    inRow("Сообщение 2", "Email"),
  ],
  states: [
    {
      name: "9. ten skeletons while it loads",
      answers: { "GET /api/knowledge-base/messages": hangs },
      shows: [texts("ten rows", (page) => page.locator("[data-skeleton=message]"), Array(10).fill(""))],
    },
    {
      name: "empty",
      answers: { "GET /api/knowledge-base/messages": json([]) },
      shows: [text("Сообщения не найдены")],
    },
    {
      name: "failed",
      answers: { "GET /api/knowledge-base/messages": fails(500, "Внутренняя ошибка") },
      shows: [text("Не удалось загрузить сообщения")],
    },
  ],
  acts: [
    {
      name: "a message that is no training data has no such badge; 9. the list is 600 px high, its thumb 18 px at least",
      does: async (page) => {
        await expect.soft(row("Сообщение 2")(page).first().getByText("Обучающие данные")).toHaveCount(0);
        await expect.poll(async () => (await messages(page).boundingBox())?.height).toBe(600);
        const thumb = messages(page).evaluate((list) => getComputedStyle(list, "::-webkit-scrollbar-thumb").minHeight);
        expect.soft(await thumb).toBe("18px");
      },
    },
    {
      name: "7. search, platform and twin go to the server; «all» is left out",
      here: true,
      does: async (page) => {
        await page.getByLabel("Платформа").selectOption("email");
        await page.getByLabel("Двойник", { exact: true }).selectOption(uuid(2));
        await page.getByPlaceholder("Поиск по сообщениям...").fill("чай");
      },
      asks: [
        "GET /api/knowledge-base/messages?platform=email",
        `GET /api/knowledge-base/messages?platform=email&twinId=${uuid(2)}`,
        `GET /api/knowledge-base/messages?search=чай&platform=email&twinId=${uuid(2)}`,
      ],
    },
  ],
});
