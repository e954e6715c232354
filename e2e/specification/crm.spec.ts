// Section 2, CRM integration; sections 3, 4 and 9 for what it derives.
import type { Page } from "@playwright/test";
import { fails, hangs, json, uuid } from "../answers.ts";
import { test } from "../fixtures.ts";
import { button, heading, link, one, specify, text, texts } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const integration = (n: number, platform: string, status: string, messagesHandled?: number) => ({
  id: uuid(n),
  platform,
  status,
  digitalTwinName: "Анна",
  digitalTwinId: uuid(100),
  messagesImported: 0,
  messagesHandled,
  updatedAt: "2025-11-20T10:00:00.000Z",
});
const figure = (label: string, value: string | RegExp) =>
  one(`${label}: ${value}`, (page: Page) =>
    page.locator("main dl").filter({ hasText: label }).first().getByText(value, { exact: true }),
  );
const card = (page: Page, name: string) => page.locator("main li").filter({ hasText: name }).first();
const inCard = (name: string, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`${name}: ${word}`, (page: Page) => card(page, name).getByText(word, { exact: true })));
const samples = [
  text("Пример"),
  ...inCard("Salesforce", "Enterprise CRM", /^1\s247$/, "623"),
  ...inCard("HubSpot", "Integration", "892", "446"),
  ...inCard("Telegram", "Messaging", "234", "117"),
];

specify("2. CRM integration (/crm)", {
  at: "/crm",
  answers: {
    // 3. Leads are 10 % of the handled messages, deals 5 %, both rounded down.
    "GET /api/crm/integrations": json([
      integration(1, "telegram", "active", 1259),
      integration(2, "whatsapp", "inactive", 39),
      integration(3, "salesforce", "error", 19),
      integration(4, "email", "paused"),
    ]),
  },
  calls: ["GET /api/crm/integrations"],
  shows: [
    heading("CRM интеграция"),
    link("+ Добавить интеграцию", "/add-integration"),
    figure("Подключено CRM", "1"),
    figure("Всего лидов", "129"),
    figure("Active Deals", "63"),
    figure("Conversion Rate", "23.5%"),
    ...inCard("Telegram", "Messaging", "Подключена", "125", "62"),
    ...inCard("WhatsApp", "Messaging", "Отключена", "3", "1"),
    ...inCard("Salesforce", "Enterprise CRM", "Ошибка", "1", "0"),
    ...inCard("Email", "Integration", "Ошибка", "0"),
    button("Configure"),
    button("Sync Now"),
    heading("Available Integrations"),
    texts(
      "six systems",
      (page) => page.getByRole("region", { name: "Available Integrations" }).getByRole("heading", { level: 3 }),
      ["Salesforce", "HubSpot", "Pipedrive", "amoCRM", "Битрикс24", "PostgreSQL"],
    ),
    texts(
      "each with its link",
      (page) => page.getByRole("region", { name: "Available Integrations" }).locator("a[href='/add-integration']"),
      Array(6).fill("Подключить"),
    ),
  ],
  states: [
    { name: "an empty list counts as nothing", answers: { "GET /api/crm/integrations": json([]) }, shows: samples },
    { name: "null", answers: { "GET /api/crm/integrations": json(null) }, shows: samples },
    {
      name: "failed",
      answers: { "GET /api/crm/integrations": fails(500, "Внутренняя ошибка") },
      shows: samples,
    },
    {
      name: "loading",
      answers: { "GET /api/crm/integrations": hangs },
      shows: [one("status", (page) => page.getByRole("status").filter({ hasText: "Загружаем интеграции..." }))],
      hides: [text("Пример")],
    },
  ],
  acts: [
    {
      name: "Sync Now reads an active source again",
      answers: { [`POST /api/integrations/${uuid(1)}/reimport`]: json({ id: uuid(1), status: "running" }, 202) },
      does: (page) => card(page, "Telegram").getByRole("button", { name: "Sync Now" }).click(),
      sends: { call: `POST /api/integrations/${uuid(1)}/reimport` },
      toast: ["Переимпорт запущен", "Данные обновляются в фоновом режиме"],
    },
    {
      name: "Configure opens the settings",
      here: true,
      does: (page) => card(page, "Telegram").getByRole("button", { name: "Configure" }).click(),
      shows: [heading("Настройки: Telegram")],
    },
  ],
});
