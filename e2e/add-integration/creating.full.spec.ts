// What the form of /add-integration sends, keeps and says, against answers of the test's own, and once with a real server.
// What creating.spec.ts leaves to test:full.
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { choosePlatform, platformRadio, takeWay } from "../support/choose-platform.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { CREATE, submit, twinSelect } from "./creating-parts.ts";

test("says in words what is wrong", async ({ page }) => {
  const calls = await withTwins(page, { [CREATE]: json({}) });
  await page.goto("/add-integration");
  await choosePlatform(page, "slack");
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

test("sends of the other platforms only what they show, and keeps what was typed when it fails", async ({ page }) => {
  const calls = await withTwins(page, { [CREATE]: fails(400, "Ключ не подходит") });
  await page.goto("/add-integration");
  await twinSelect(page).selectOption("Олег");
  await choosePlatform(page, "telegram");
  await takeWay(page, "Личный аккаунт");
  await page.getByLabel("API ID", { exact: true }).fill("123456");
  await choosePlatform(page, "slack");
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
  await expect(platformRadio(page, "slack")).toBeChecked();
  await expect(page.getByLabel("API ключ", { exact: true })).toHaveValue("");
});
