// /crm against answers of the test's own: its cards, its samples and what its buttons send.
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { type Answer, fails, integration, json, uuid, withTwins } from "./answers.ts";
import { expect, test } from "./fixtures.ts";
import { expectToast } from "./toast.ts";

const CRM = "GET /api/crm/integrations";
const cards = (page: Page) =>
  page
    .getByRole("region", { name: "Подключенные системы" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });

test("derives cards and figures from the integrations", async ({ page }) => {
  await withTwins(page, {
    [CRM]: json([
      integration(1, { messagesHandled: 95 }),
      integration(2, { platform: "salesforce", status: "inactive", messagesHandled: 1000 }),
      integration(3, { platform: "email", status: "error", messagesHandled: 19, statusReason: "Ключ отозван" }),
    ]),
  });
  await page.goto("/crm");
  await expect(page.getByRole("heading", { level: 1, name: "CRM интеграция" })).toBeVisible();
  await expect(page.locator("main dl").filter({ hasText: "Active Deals" })).toContainText("54");
  await expect(page.locator("main dl").filter({ hasText: "Всего лидов" })).toContainText("110");
  await expect(page.locator("main dl").filter({ hasText: "Подключено CRM" })).toContainText("1");
  await expect(page.locator("main dl").filter({ hasText: "Conversion Rate" })).toContainText("23.5%");
  for (const [at, texts] of [
    ["Telegram", "Messaging", "Подключена", "Лиды9", "Сделки4"],
    ["Salesforce", "Enterprise CRM", "Отключена", "Лиды100", "Сделки50"],
    ["Email", "Integration", "Ошибка", "Лиды1", "Сделки0", "Ключ отозван"],
  ].entries()) {
    for (const text of texts) await expect(cards(page).nth(at)).toContainText(text);
  }
  await expect(cards(page).nth(1).getByRole("button", { name: "Sync Now" })).toBeDisabled();
  const available = page.getByRole("region", { name: "Available Integrations" });
  await expect(available.getByRole("link", { name: "Подключить", exact: true })).toHaveCount(6);
  await expect(available.getByRole("link").first()).toHaveAttribute("href", "/add-integration");
  await expectAccessibleCrosswise(page, "/crm");
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("is searched past ten systems", async ({ page }) => {
  const many = Array.from({ length: 11 }, (_, at) => integration(at, { digitalTwinName: at === 3 ? "Олег" : "Анна" }));
  await withTwins(page, { [CRM]: json(many) });
  await page.goto("/crm");
  await page.getByRole("searchbox", { name: "Поиск системы" }).fill("олег");
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Поиск системы" }).fill("нет такой");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(cards(page)).toHaveCount(11);
});

test("shows three marked samples when the server returns nothing", async ({ page }) => {
  let answer: Answer = json([]);
  const calls = await withTwins(page, { [CRM]: (route, request) => answer(route, request) });
  for (const nothing of [json([]), json(null), json({ error: "нет" }), fails(403, "Нет прав")]) {
    answer = nothing;
    await page.goto("/crm");
    await expect(cards(page)).toHaveCount(3);
    await expect(cards(page).getByText("Пример", { exact: true })).toHaveCount(3);
  }
  await cards(page).first().getByRole("button", { name: "Sync Now" }).click();
  await expectToast(page, "Ошибка переимпорта", "Это пример");
  await cards(page).first().getByRole("button", { name: "Configure" }).click();
  await expectAccessible(page, "the settings of a sample");
  await page.getByRole("dialog").getByRole("link", { name: "Добавить интеграцию" }).click();
  await expect(page).toHaveURL(/\/add-integration$/);
  expect(calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
});

test("is offered only where a history can be read again, and nothing is green beside trouble", async ({ page }) => {
  const trouble = "Telegram не принимает токен бота";
  const obstacle = "Новые сообщения приходят сами";
  await withTwins(page, {
    [CRM]: json([
      integration(1, { connection: "trouble", trouble }),
      integration(2, { platform: "slack", reimport: { obstacle, running: false, failure: null } }),
    ]),
  });
  await page.goto("/crm");
  const [bot, slack] = [cards(page).nth(0), cards(page).nth(1)];
  await expect(bot).toContainText("Ошибка");
  await expect(bot).toContainText(trouble);
  await expect(bot.getByText("Подключена", { exact: true })).toHaveCount(0);
  await expect(slack.getByRole("button", { name: "Sync Now" })).toBeDisabled();
  await expect(slack).toContainText(obstacle);
});

test("reads an account anew and opens its settings", async ({ page }) => {
  let answer = json({ id: uuid(101), status: "running" }, 202);
  const calls = await withTwins(page, {
    [CRM]: json([integration(1)]),
    [`POST /api/integrations/${uuid(101)}/reimport`]: (route, request) => answer(route, request),
    [`PUT /api/integrations/${uuid(101)}`]: json(integration(1)),
  });
  await page.goto("/crm");
  const sync = cards(page).getByRole("button", { name: "Sync Now" });
  await sync.click();
  await expectToast(page, "Переимпорт запущен", "Данные обновляются в фоновом режиме");
  answer = fails(409, "Интеграция приостановлена: переимпорт недоступен");
  await sync.click();
  await expectToast(page, "Ошибка переимпорта", "Интеграция приостановлена: переимпорт недоступен");
  answer = json({}, 400);
  await sync.click();
  await expectToast(page, "Ошибка переимпорта", "Не удалось запустить переимпорт");
  await cards(page).getByRole("button", { name: "Configure" }).click();
  const dialog = page.getByRole("dialog", { name: "Настройки: Telegram" });
  await dialog.getByLabel("Как отвечает двойник").selectOption("Сам, если уверен");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expectToast(page, "Настройки сохранены");
  expect(calls.find(({ call }) => call.startsWith("PUT"))?.body).toEqual({ status: "active", autonomy: "confident" });
  await expect(page.getByRole("button", { name: "Configure" })).toBeFocused();
});
