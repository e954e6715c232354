// What the form of /add-integration sends, keeps and says, against answers of the test's own, and once with a real server.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { json, withTwins } from "../support/answers.ts";
import { choosePlatform, takeWay } from "../support/choose-platform.ts";
import { expect, test } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { CREATE, submit, twinSelect } from "./creating-parts.ts";

const hash = (page: Page) => page.getByLabel("API Hash", { exact: true });

test("sends a user account without a key, clears the form, and both lists that were read are read again", async ({
  page,
}) => {
  const calls = await withTwins(page, {
    [CREATE]: json({}, 201),
    "GET /api/crm/integrations": json([buildIntegration(1)]),
  });
  const count = (name: string) => calls.filter(({ call }) => call === name).length;
  const go = (name: string) =>
    page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link", { name }).click();
  await page.setViewportSize(DESKTOP);
  await page.goto("/crm");
  await expect.poll(() => count("GET /api/crm/integrations")).toBe(1);
  await go("Интеграции");
  await expect.poll(() => count("GET /api/integrations")).toBe(1);
  await page.getByRole("link", { name: "Добавить интеграцию" }).first().click();
  await twinSelect(page).selectOption("Анна");
  await choosePlatform(page, "telegram");
  await takeWay(page, "Личный аккаунт");
  await page.getByLabel("API ID", { exact: true }).fill("123456");
  await hash(page).fill("0123456789abcdef");
  await page.getByLabel("Номер телефона", { exact: true }).fill("+79001234567");
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
  await go("Интеграции");
  await expect.poll(() => count("GET /api/integrations")).toBe(2);
  await go("CRM интеграция");
  await expect.poll(() => count("GET /api/crm/integrations")).toBe(2);
});

test.describe("on a real server", () => {
  test("lists what the form has sent, without its key", async ({ page }) => {
    const { headers } = await asOwner(page, { name: "Вера" });
    await page.goto("/add-integration");
    await twinSelect(page).selectOption("Вера");
    await choosePlatform(page, "whatsapp");
    await page.getByLabel("API ключ", { exact: true }).fill("very-secret-key");
    await page.getByLabel("Номер телефона", { exact: true }).fill("+79001234567");
    await submit(page).click();
    await expectToast(page, "Интеграция создана!", "Пока не подключена. WhatsApp недоступен");
    await page.goto("/integrations");
    const row = page.locator("main li").filter({ hasText: "+79001234567" });
    await expect(row).toContainText(/Активна.*Нет связи.*WhatsApp недоступен/);
    const list = await page.request.get("/api/integrations", { headers });
    expect(await list.text()).not.toContain("very-secret");
  });
});
