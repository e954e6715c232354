// /add-integration against answers of the test's own, and once with a real server.
import type { Page } from "@playwright/test";
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { fails, integration, json, uuid, withTwins } from "./answers.ts";
import { expect, test } from "./fixtures.ts";
import { asNewUser } from "./session.ts";
import { expectToast } from "./toast.ts";

const twinSelect = (page: Page) => page.getByLabel("Цифровой двойник");
const hash = (page: Page) => page.getByLabel("API Hash", { exact: true });
const CREATE = "POST /api/integrations/create";
const submit = (page: Page) => page.getByRole("button", { name: "Создать интеграцию" });
const platformSelect = (page: Page) => page.getByLabel("Платформа");

const shown: Record<string, string[]> = {
  telegram: ["API ID", "API Hash", "Номер телефона", "Bot Token"],
  whatsapp: ["API ключ", "Номер телефона"],
  email: ["API ключ"],
  slack: ["API ключ", "Webhook URL"],
  discord: ["API ключ"],
};

test("shows the fields of each platform; keys are masked until they are shown", async ({ page }) => {
  await withTwins(page, {});
  await page.goto("/add-integration");
  await expect(submit(page)).toBeDisabled();
  await expect(page.getByText(/Все API ключи хранятся в зашифрованном виде/)).toBeVisible();
  const all = [...new Set(Object.values(shown).flat())];
  for (const [platform, labels] of Object.entries(shown)) {
    await platformSelect(page).selectOption(platform);
    await expect(submit(page)).toBeEnabled();
    for (const label of all) {
      await expect(page.getByLabel(label, { exact: true })).toHaveCount(labels.includes(label) ? 1 : 0);
    }
  }
  await platformSelect(page).selectOption("telegram");
  await expect(page.getByText("Поддерживает Bot API или Userbot", { exact: false })).toBeVisible();
  for (const label of ["API Hash", "Bot Token"]) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute("type", "password");
    await field.locator("..").getByRole("button", { name: "Показать введённое" }).click();
    await expect(field).toHaveAttribute("type", "text");
  }
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("says in words what is wrong", async ({ page }) => {
  const calls = await withTwins(page, { [CREATE]: json({}) });
  await page.goto("/add-integration");
  await platformSelect(page).selectOption("slack");
  await page.getByLabel("Webhook URL").fill("не адрес");
  await submit(page).click();
  for (const text of ["Выберите цифрового двойника", "API ключ обязателен", "Введите корректный URL"]) {
    await expect(page.getByRole("alert").filter({ hasText: text })).toBeVisible();
  }
  await expectAccessibleCrosswise(page, "/add-integration, invalid");
  await page.getByLabel("Webhook URL").fill("");
  await submit(page).click();
  await expect(page.getByText("Введите корректный URL")).toHaveCount(0);
  expect(calls.some(({ call }) => call === CREATE)).toBe(false);
});

test("sends the payload of the specification, clears the form and reads both lists again", async ({ page }) => {
  const calls = await withTwins(page, {
    [CREATE]: json({}, 201),
    "GET /api/crm/integrations": json([integration(1)]),
  });
  await page.goto("/crm");
  await page.getByRole("link", { name: "+ Добавить интеграцию" }).click();
  await twinSelect(page).selectOption("Анна");
  await platformSelect(page).selectOption("telegram");
  await page.getByLabel("API ID").fill("123456");
  await hash(page).fill("0123456789abcdef");
  await page.getByLabel("Номер телефона").fill("+79001234567");
  // A user account has no key of its own: the form fills in what the platform implies.
  await submit(page).click();
  await expectToast(page, "Интеграция создана!");
  await expect(submit(page)).toBeDisabled();
  expect(calls.find(({ call }) => call === CREATE)?.body).toEqual({
    digitalTwinId: uuid(1),
    platform: "telegram",
    apiKey: "userbot",
    apiId: "123456",
    apiHash: "0123456789abcdef",
    phoneNumber: "+79001234567",
    settings: { phone_number: "+79001234567", webhook_url: null, success_rate: 0.95 },
    status: "active",
  });
  await page.getByRole("link", { name: "CRM интеграция" }).first().click();
  await expect.poll(() => calls.filter(({ call }) => call === "GET /api/crm/integrations").length).toBe(2);
});

test("sends of the other platforms only what they show, and keeps what was typed when it fails", async ({ page }) => {
  const calls = await withTwins(page, { [CREATE]: fails(400, "Ключ не подходит") });
  await page.goto("/add-integration");
  await twinSelect(page).selectOption("Олег");
  await platformSelect(page).selectOption("telegram");
  await page.getByLabel("API ID").fill("123456");
  await platformSelect(page).selectOption("slack");
  await page.getByLabel("API ключ", { exact: true }).fill("xoxb-1");
  await page.getByLabel("Webhook URL").fill("https://hooks.example.com/1");
  await page.getByText("Дополнительно").click();
  await page.getByLabel("App-Level Token").fill("xapp-1");
  await submit(page).click();
  await expectToast(page, "Ошибка создания интеграции", "Ключ не подходит");
  await expect(page.getByLabel("API ключ", { exact: true })).toHaveValue("xoxb-1");
  expect(calls.find(({ call }) => call === CREATE)?.body).toEqual({
    digitalTwinId: uuid(2),
    platform: "slack",
    apiKey: "xoxb-1",
    apiId: null,
    apiHash: null,
    phoneNumber: null,
    settings: {
      phone_number: null,
      webhook_url: "https://hooks.example.com/1",
      success_rate: null,
      app_token: "xapp-1",
    },
    status: "active",
  });
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  for (const secret of ["xoxb-1", "hooks.example.com", "xapp-1"]) expect(stored).not.toContain(secret);
  await page.reload();
  await expect(platformSelect(page)).toHaveValue("slack");
  await expect(page.getByLabel("API ключ", { exact: true })).toHaveValue("");
});

test.describe("on a real server", () => {
  test("lists what the form has sent, without its key", async ({ page }) => {
    const token = await asNewUser(page);
    const headers = { authorization: `Bearer ${token}` };
    const made = await page.request.post("/api/digital-twins", {
      headers,
      data: {
        name: "Вера",
        description: "Отвечает покупателям магазина",
        personality: "Внимательная, спокойная, шутит редко",
        communicationStyle: "Коротко и по делу",
        knowledgeArea: "Доставка и возврат",
      },
    });
    expect(made.ok(), await made.text()).toBe(true);
    await page.goto("/add-integration");
    await twinSelect(page).selectOption("Вера");
    await platformSelect(page).selectOption("whatsapp");
    await page.getByLabel("API ключ", { exact: true }).fill("very-secret-key");
    await page.getByLabel("Номер телефона").fill("+79001234567");
    await submit(page).click();
    await expectToast(page, "Интеграция создана!", "Пока не подключена. WhatsApp недоступен");
    await page.goto("/integrations");
    const row = page.locator("main li").filter({ hasText: "+79001234567" });
    await expect(row).toContainText("Ошибка: WhatsApp недоступен");
    const list = await page.request.get("/api/integrations", { headers });
    expect(await list.text()).not.toContain("very-secret");
  });
});
