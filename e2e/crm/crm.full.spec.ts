// Section 2, CRM integration; sections 3, 4 and 9 for what it derives. What its buttons send.
// What crm.spec.ts leaves to test:full.
import { buildIntegration } from "../factories/integration.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import { CRM, cards } from "./crm-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("is searched past ten systems", async ({ page }) => {
  const many = Array.from({ length: 11 }, (_, at) =>
    buildIntegration(at, { digitalTwinName: at === 3 ? "Олег" : "Анна" }),
  );
  await withTwins(page, { [CRM]: json(many) });
  await page.goto("/crm");
  await page.getByRole("searchbox", { name: "Поиск системы" }).fill("олег");
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Поиск системы" }).fill("нет такой");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(cards(page)).toHaveCount(11);
});

test("a sample is read by no button, and leads to connecting a system", async ({ page }) => {
  const calls = await withTwins(page, { [CRM]: json([]) });
  await page.goto("/crm");
  await cards(page).first().getByRole("button", { name: "Sync Now" }).click();
  await expectToast(page, "Ошибка переимпорта", "Это пример");
  await cards(page).first().getByRole("button", { name: "Configure" }).click();
  await expectAccessible(page, "the settings of a sample");
  await page.getByRole("dialog").getByRole("link", { name: "Добавить интеграцию" }).click();
  await expect(page).toHaveURL(/\/add-integration$/);
  expect(calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
});
