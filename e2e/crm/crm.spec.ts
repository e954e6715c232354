// Section 2, CRM integration; sections 3, 4 and 9 for what it derives. What its buttons send.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { fails, hangs, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, figure, heading, link, one, specify, text, texts } from "../support/specify.ts";
import { expectToast } from "../support/toast.ts";
import { CRM, cards } from "./crm-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });
const card = (page: Page, name: string) => cards(page).filter({ hasText: name }).first();

const inCard = (name: string, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`${name}: ${word}`, (page: Page) => card(page, name).getByText(word, { exact: true })));

const samples = [
  texts("one badge", (page) => page.locator("main").getByText("Пример", { exact: true }), ["Пример"]),
  ...inCard("Salesforce", "Enterprise CRM", /^1\s247$/, "623"),
  ...inCard("HubSpot", "Integration", "892", "446"),
  ...inCard("Telegram", "Messaging", "234", "117"),
  texts("three cards", cards, [/./, /./, /./]),
];

specify("2. CRM integration (/crm)", {
  at: "/crm",
  inSight: true,
  answers: {
    // 3. Leads are 10 % of the handled messages, deals 5 %, both rounded down.
    [CRM]: json([
      buildIntegration(1, { messagesHandled: 1259 }),
      buildIntegration(2, { platform: "whatsapp", status: "inactive", messagesHandled: 39 }),
      {
        ...buildIntegration(3, { status: "error", statusReason: "Ключ отозван", messagesHandled: 19 }),
        platform: "salesforce",
      },
      { ...buildIntegration(4, { platform: "email", messagesHandled: undefined }), status: "paused" },
    ]),
  },
  calls: [CRM],
  shows: [
    heading("CRM интеграция"),
    link("+ Добавить интеграцию", "/add-integration"),
    text("+ Добавить интеграцию"),
    figure("Подключено CRM", "1"),
    figure("Подключено CRM", "CRM-систем 0, каналов 1"),
    heading("CRM-системы"),
    heading("Каналы, из которых приходят лиды"),
    figure("Всего лидов", "129"),
    figure("Active Deals", "63"),
    figure("Conversion Rate", "23.5%"),
    ...inCard("Telegram", "Messaging", "Подключена", "125", "62"),
    ...inCard("WhatsApp", "Messaging", "Отключена", "3", "1"),
    ...inCard("Salesforce", "Enterprise CRM", "Ошибка", "Ключ отозван", "1", "0"),
    ...inCard("Email", "Integration", "Ошибка", "0"),
    button("Configure"),
    one("Sync Now of what is connected", (page) => card(page, "Telegram").getByRole("button", { name: "Sync Now" })),
    heading("Available Integrations"),
    texts(
      "six systems",
      (page) => page.getByRole("region", { name: "Available Integrations" }).getByRole("heading", { level: 3 }),
      ["amoCRM", "Битрикс24", "Salesforce", "HubSpot", "Pipedrive", "PostgreSQL"],
    ),
    texts(
      "each with its link",
      (page) => page.getByRole("region", { name: "Available Integrations" }).locator("a[href='/add-integration']"),
      Array(6).fill("Подключить"),
    ),
  ],
  states: [
    { name: "an empty list counts as nothing", answers: { [CRM]: json([]) }, shows: samples },
    { name: "null", full: true, answers: { [CRM]: json(null) }, shows: samples },
    { name: "another shape", full: true, answers: { [CRM]: json({ error: "нет" }) }, shows: samples },
    {
      name: "failed",
      answers: { [CRM]: fails(500, "Внутренняя ошибка") },
      shows: samples,
    },
    {
      name: "loading",
      answers: { [CRM]: hangs },
      shows: [one("status", (page) => page.getByRole("status").filter({ hasText: "Загружаем интеграции..." }))],
      hides: [one("badge", (page) => page.getByText("Пример", { exact: true }))],
    },
  ],
  acts: [
    {
      name: "«Подключить» leads to the form also where the CRM call fails",
      answers: { "GET /api/crm": fails(500, "Внутренняя ошибка") },
      does: async (page) => {
        await expect(page.getByText("Не удалось загрузить CRM")).toBeVisible();
        await page.getByRole("link", { name: "Подключить" }).first().click();
      },
      leadsTo: "/add-integration",
    },
    {
      name: "what is paused is not read again; the screen is accessible and fits 320 px",
      does: async (page) => {
        await expect.soft(card(page, "WhatsApp").getByRole("button", { name: "Sync Now" })).toBeDisabled();
        await expectAccessibleCrosswise(page, "/crm");
        await expectFitsNarrowPhone(page);
      },
    },
  ],
});

test("is offered only where a history can be read again, and nothing is green beside trouble", async ({ page }) => {
  const trouble = "Telegram не принимает ключ бота";
  const obstacle = "Новые сообщения приходят сами";
  await withTwins(page, {
    [CRM]: json([
      buildIntegration(1, { connection: "trouble", trouble }),
      buildIntegration(2, { platform: "slack", reimport: { obstacle, running: false, failure: null } }),
      buildIntegration(3, { isBot: true, reimport: { obstacle: "У бота нет истории", running: false, failure: null } }),
    ]),
  });
  await page.goto("/crm");
  const [bot, slack, historyless] = [cards(page).nth(0), cards(page).nth(1), cards(page).nth(2)];
  await expect(bot).toContainText(`${trouble}. Сервер пробует снова сам, обычно раз в минуту.`);
  await expect(bot.getByRole("link", { name: "Проверить соединение" })).toHaveAttribute(
    "href",
    `/integrations/${uuid(101)}`,
  );
  const sync = historyless.getByRole("button", { name: "Sync Now" });
  await expect(sync).toHaveAccessibleDescription(/Sync Now недоступна: у\sбота нет истории сообщений/);
  await expect(historyless.getByRole("link", { name: "Подключить личный аккаунт" })).toHaveAttribute(
    "href",
    "/integrations?connect=account",
  );
  await expect(page.getByText(/^Лиды и\sсделки — оценка: 10 и\s5 на\sкаждые 100\sсообщений\.$/)).toBeVisible();
  await expect(bot).toContainText("Нет связи");
  await expect(bot).toContainText(trouble);
  // Its status is what the specification derives; what is wrong stands beside it.
  await expect(bot.getByText("Подключена", { exact: true })).toBeVisible();
  await expect(slack.getByRole("button", { name: "Sync Now" })).toBeDisabled();
  await expect(slack).toContainText(obstacle);
});

test("reads an account anew and opens its settings", async ({ page }) => {
  const REIMPORT = `POST /api/integrations/${uuid(101)}/reimport`;
  let answer = json({ id: uuid(101), status: "running" }, 202);
  const calls = await withTwins(page, {
    [CRM]: json([buildIntegration(1)]),
    [REIMPORT]: (route, request) => answer(route, request),
    [`PUT /api/integrations/${uuid(101)}`]: json(buildIntegration(1)),
  });
  await page.goto("/crm");
  const sync = cards(page).getByRole("button", { name: "Sync Now" });
  await sync.click();
  await expectToast(page, "Переимпорт запущен", "Данные обновляются в фоновом режиме");
  expect(calls.map(({ call }) => call)).toContain(REIMPORT);
  answer = fails(409, "Интеграция приостановлена: переимпорт недоступен");
  await sync.click();
  await expectToast(page, "Ошибка переимпорта", "Интеграция приостановлена: переимпорт недоступен");
  answer = json({}, 400);
  await sync.click();
  await expectToast(page, "Ошибка переимпорта", "Не удалось запустить переимпорт");
  await cards(page).getByRole("button", { name: "Configure" }).click();
  const dialog = page.getByRole("dialog", { name: "Настройки: Telegram" });
  await expect(dialog.getByRole("heading", { name: "Настройки: Telegram" })).toBeVisible();
  await dialog.getByLabel("Как отвечает двойник").selectOption("Сам, если уверен");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expectToast(page, "Настройки сохранены");
  expect(calls.find(({ call }) => call.startsWith("PUT"))?.body).toEqual({ status: "active", autonomy: "confident" });
  await expect(page.getByRole("button", { name: "Configure" })).toBeFocused();
});
