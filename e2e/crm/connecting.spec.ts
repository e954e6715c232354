// Signing in to a CRM, choosing whose conversations go there, and what its trouble looks like.
import { buildCrm, buildCrmConnection } from "../factories/crm.ts";
import { uuid } from "../factories/ids.ts";
import { onOwnServer } from "../servers/demo-data.ts";
import { type Platforms, startPlatforms } from "../servers/platforms.ts";
import { freePort, type StartedServer } from "../servers/server.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

/** A server of the test's own: the shared ones know no CRM. */
const test = base.extend<{ platforms: Platforms; own: StartedServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  platforms: async ({}, use) => {
    const platforms = await startPlatforms();
    await use(platforms);
    await platforms.close();
  },
  // The CRM sends the browser back to the address that the server names: the one that the page is at.
  own: async ({ platforms }, use) => {
    const port = await freePort();
    const at = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` };
    await onOwnServer({ ...platforms.environment, ...at }, use);
  },
});

test.describe("on a real server and a local amoCRM", () => {
  test.use({ baseURL: ({ own }, use) => use(own.url) });

  test("signed in, chosen, answered: one deal with a link to the conversation; then disconnected", async ({
    page,
    own,
    platforms,
  }) => {
    test.slow();
    platforms.write("amocrm", `${own.url}/crm`);
    const owner = await asOwner(page, { name: "Вера" }, own);
    await page.goto("/crm");
    const crm = page.getByRole("region", { name: "Передача в CRM" });
    await crm.getByRole("listitem").filter({ hasText: "amoCRM" }).getByRole("button", { name: "Войти" }).click();
    const dialog = page.getByRole("dialog", { name: "Войти в amoCRM" });
    await dialog.getByLabel("Адрес аккаунта").fill("evil.example");
    await dialog.getByRole("button", { name: "Перейти в amoCRM" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Адрес вида company.amocrm.ru");
    await dialog.getByLabel("Адрес аккаунта").fill("https://company.amocrm.ru/leads");
    await dialog.getByRole("button", { name: "Перейти в amoCRM" }).click();
    await expectToast(page, "amoCRM подключена", "company.amocrm.ru");
    await expect(page).toHaveURL(/\/crm\??$/);
    await expect(crm).toContainText("Подключена");
    await crm.getByLabel("Вера").selectOption("amoCRM");
    await expect(crm.getByRole("checkbox", { name: "С текстом диалога" })).not.toBeChecked();
    await expectAccessibleCrosswise(page, "a CRM is connected");
    await expectFitsNarrowPhone(page);

    const made = await owner.post("/api/integrations/create", {
      digitalTwinId: owner.id,
      platform: "discord",
      apiKey: "good.form.key",
    });
    await owner.put(`/api/integrations/${made.id}`, { autonomy: "auto" });
    platforms.write("discord", "Здравствуйте!");
    await expect.poll(async () => (await platforms.delivered()).amocrm, { timeout: 60_000 }).toHaveLength(1);
    const [deal] = (await platforms.delivered()).amocrm!;
    expect(deal).toMatch(/^Иван · Discord · DT-/);
    await expect(crm).toContainText("Создано сделок: 1", { timeout: 30_000 });
    await crm.getByRole("button", { name: "Отключить" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Отключить" }).click();
    await expectToast(page, "CRM отключена", "Её ключи уничтожены");
    await expect(crm.getByText("Подключена")).toHaveCount(0);
  });
});

test("without an application of the installation the dialog says how one is made and asks for its keys", async ({
  page,
}) => {
  const SIGN_IN = "POST /api/crm/sign-in";
  const calls = await withTwins(page, { [SIGN_IN]: fails(422, "Введите ключ и секрет приложения Битрикс24") });
  await page.goto("/crm");
  const row = page
    .getByRole("region", { name: "Передача в CRM" })
    .getByRole("listitem")
    .filter({ hasText: "Битрикс24" });
  await row.getByRole("button", { name: "Войти" }).click();
  const dialog = page.getByRole("dialog", { name: "Войти в Битрикс24" });
  await expect(dialog.getByRole("textbox", { name: "Адрес перенаправления" })).toHaveValue(
    "https://twins.example.ru/crm",
  );
  await expectAccessibleCrosswise(page, "signing in to a CRM");
  await dialog.getByLabel("Адрес аккаунта").fill("company.bitrix24.ru");
  await dialog.getByRole("button", { name: "Перейти в Битрикс24" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Введите ключ и секрет приложения Битрикс24");
  expect(calls.find(({ call }) => call === SIGN_IN)?.body).toMatchObject({ host: "company.bitrix24.ru" });
  await page.keyboard.press("Escape");
  await expect(row.getByRole("button", { name: "Войти" })).toBeFocused();
});

test("refused access asks for signing in again; refused cards and a denied consent are told", async ({ page }) => {
  const broken = buildCrmConnection({
    state: "broken",
    reason: "amoCRM больше не принимает доступ. Подключите заново.",
    cards: { made: 12, waiting: 3, failed: 1 },
  });
  await withTwins(page, {
    "GET /api/crm": json(buildCrm({ connections: [broken], choices: [] })),
    [`PUT /api/digital-twins/${uuid(1)}/crm`]: fails(404, "CRM не найдена"),
  });
  await page.goto("/crm?error=access_denied&state=s");
  await expectToast(page, "CRM не подключена", "Доступ не разрешён");
  await expect(page).toHaveURL(/\/crm\??$/);
  const crm = page.getByRole("region", { name: "Передача в CRM" });
  await expect(crm).toContainText("Создано сделок: 12 · в очереди: 3 · не приняты: 1");
  await expect(crm).toContainText("amoCRM больше не принимает доступ");
  await expect(crm.getByRole("button", { name: "Подключить заново" })).toBeVisible();
  await page.getByRole("button", { name: "Закрыть уведомление" }).click();
  await crm.getByLabel("Анна").selectOption("amoCRM");
  await expectToast(page, "Выбор не сохранён", "CRM не найдена");
  await expect(crm.getByLabel("Анна")).toHaveValue("");
});
