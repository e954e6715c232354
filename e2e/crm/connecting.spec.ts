// Signing in to a CRM, choosing whose conversations go there, and what its trouble looks like.
import { buildCrm, buildCrmConnection } from "../factories/crm.ts";
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
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
  const crm = connected(page, "amoCRM");
  await expect(crm).toContainText("Создано сделок12В очереди3Не приняты1");
  await expect(crm).toContainText("amoCRM больше не принимает доступ");
  await expect(crm.getByRole("button", { name: "Подключить заново" })).toBeVisible();
  await page.getByRole("button", { name: "Закрыть уведомление" }).click();
  const choices = page.getByRole("region", { name: "Передача в CRM" });
  await choices.getByLabel("Анна").selectOption("amoCRM");
  await expectToast(page, "Выбор не сохранён", "CRM не найдена");
  await expect(choices.getByLabel("Анна")).toHaveValue("");
});

test("the real systems are offered first, then it is said whether deals come, and a healthy CRM is opened, not connected anew", async ({
  page,
}) => {
  const sending = { twinId: uuid(1), connectionId: uuid(700), includeTexts: false };
  const overviews = [
    buildCrm(),
    buildCrm({ connections: [buildCrmConnection()] }),
    buildCrm({ connections: [buildCrmConnection()], choices: [sending] }),
  ];
  let shown = overviews[0]!;
  await withTwins(page, { "GET /api/crm": (route, request) => json(shown)(route, request) });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/crm");
  await expect(page.locator("main h2").first()).toHaveText("Сделки появятся в вашей CRM сами");
  // What is invented stands last.
  await expect(page.locator("main h2").nth(1)).toHaveText("Available Integrations");
  await expect(page.locator("main h2").last()).toHaveText("Подключенные системы");
  await page.getByRole("listitem").filter({ hasText: "Битрикс24" }).getByRole("link", { name: "Подключить" }).click();
  // The last button is in sight however long the steps are.
  await expect(page.getByRole("dialog").getByRole("button", { name: "Перейти в Битрикс24" })).toBeInViewport({
    ratio: 1,
  });
  shown = overviews[1]!;
  await page.goto("/crm");
  await expect(page.getByRole("region", { name: "Сделок пока не будет" })).toContainText("Ни один двойник не передаёт");
  // One's own CRM comes before what else could be connected.
  await expect(page.locator("main h2").last()).toHaveText("Available Integrations");
  await expect(connected(page, "amoCRM").getByRole("link", { name: "Открыть amoCRM" })).toHaveAttribute(
    "href",
    "https://company.amocrm.ru",
  );
  await expectAccessibleCrosswise(page, "a CRM that no twin sends to");
  shown = overviews[2]!;
  await page.goto("/crm");
  await expect(page.locator("main h2").first()).toHaveText(/^Передают сделки в CRM: 1\sдвойник$/);
});
