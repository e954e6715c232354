// Signing in to a CRM, choosing whose conversations go there, and what its trouble looks like.
import { buildCrm, buildCrmConnection } from "../factories/crm.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";
import { available, connected, test } from "./connecting-parts.ts";

test("without an application of the installation the dialog leads to its keys step by step, each beside its field", async ({
  page,
}) => {
  const SIGN_IN = "POST /api/crm/sign-in";
  const calls = await withTwins(page, {
    [SIGN_IN]: fails(422, "Введите ключ и секрет приложения Битрикс24", "crm_app_missing"),
  });
  await page.goto("/crm");
  const connect = available(page, "Битрикс24").getByRole("link", { name: "Подключить" });
  await connect.click();
  await expect(page).toHaveURL(/\/crm$/);
  const dialog = page.getByRole("dialog", { name: "Войти в Битрикс24" });
  const steps = dialog.getByRole("listitem");
  await expect(steps).toHaveCount(5);
  await expect(steps.nth(1)).toContainText("Ссылка на нужную страницу появится здесь после шага 1.");
  await expect(steps.nth(2).getByRole("textbox", { name: "Адрес перенаправления" })).toHaveValue(
    "https://twins.example.ru/crm",
  );
  await expect(steps.nth(2).getByRole("button", { name: "Копировать: Адрес перенаправления" })).toBeVisible();
  await expectAccessibleCrosswise(page, "signing in to a CRM");
  await steps.nth(0).getByLabel("Адрес аккаунта").fill("https://company.bitrix24.ru/company/");
  await expect(steps.nth(1).getByRole("link", { name: "Открыть «Разработчикам»" })).toHaveAttribute(
    "href",
    "https://company.bitrix24.ru/devops/",
  );
  await dialog.getByRole("button", { name: "Перейти в Битрикс24" }).click();
  await expect(steps.nth(3).getByRole("alert")).toHaveText("Введите ключ и секрет приложения Битрикс24");
  expect(calls.find(({ call }) => call === SIGN_IN)?.body).toMatchObject({
    host: "https://company.bitrix24.ru/company/",
  });
  await page.keyboard.press("Escape");
  await expect(connect).toBeFocused();
});

test("who has lost access signs in again without keys; broken keys are replaced in the same place", async ({
  page,
}) => {
  const broken = buildCrmConnection({
    system: "bitrix24",
    host: "company.bitrix24.ru",
    state: "broken",
    reason: "Битрикс24 больше не принимает доступ. Подключите заново.",
  });
  await withTwins(page, {
    "GET /api/crm": json(buildCrm({ connections: [broken] })),
    "POST /api/crm/complete": fails(422, "Битрикс24 не приняла вход. Проверьте ключ.", "credentials_refused"),
  });
  await page.goto("/crm");
  await expect(page.locator("dl").filter({ hasText: "Подключено CRM" })).toContainText("0");
  await connected(page, "Битрикс24").getByRole("button", { name: "Подключить заново" }).click();
  const dialog = page.getByRole("dialog", { name: "Войти в Битрикс24" });
  await expect(dialog.getByLabel("Адрес аккаунта")).toHaveValue("company.bitrix24.ru");
  await expect(dialog).toContainText("Ключи приложения уже есть");
  await expect(dialog.getByLabel("Ключ приложения")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Заменить ключи" }).click();
  await expect(dialog.getByLabel("Ключ приложения")).toBeVisible();
  await page.keyboard.press("Escape");

  // The CRM has sent the browser back, and the keys turn out to be wrong.
  await page.goto("/crm?code=c&state=s&domain=company.bitrix24.ru");
  await expect(dialog.getByRole("alert")).toContainText("Битрикс24 не приняла вход. Проверьте ключ.");
  await expect(dialog.getByLabel("Адрес аккаунта")).toHaveValue("company.bitrix24.ru");
  await expect(dialog.getByLabel("Ключ приложения")).toBeVisible();
  await expect(page).toHaveURL(/\/crm\??$/);
});
