// Signing in to a CRM, choosing whose conversations go there, and what its trouble looks like.

import { buildCrm, buildCrmConnection } from "../factories/crm.ts";
import { uuid } from "../factories/ids.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { fails, json, withTwins } from "../support/answers.ts";
import { expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { available, connected, test } from "./connecting-parts.ts";

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
    const choices = page.getByRole("region", { name: "Передача в CRM" });
    const crm = connected(page, "amoCRM");
    await available(page, "amoCRM").getByRole("link", { name: "Подключить" }).click();
    const dialog = page.getByRole("dialog", { name: "Войти в amoCRM" });
    await dialog.getByLabel("Адрес аккаунта").fill("evil.example");
    await dialog.getByRole("button", { name: "Перейти в amoCRM" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Адрес вида company.amocrm.ru");
    await dialog.getByLabel("Адрес аккаунта").fill("https://company.amocrm.ru/leads");
    await dialog.getByRole("button", { name: "Перейти в amoCRM" }).click();
    await expectToast(page, "amoCRM подключена", "company.amocrm.ru");
    await expect(page).toHaveURL(/\/crm\??$/);
    await expect(crm).toContainText("Подключена");
    // It counts, and the grid has all six systems as before.
    await expect(available(page, "amoCRM")).toBeVisible();
    await expect(page.locator("dl").filter({ hasText: "Подключено CRM" })).toContainText("1");
    await choices.getByLabel("Вера").selectOption("amoCRM");
    await expect(choices.getByRole("checkbox", { name: "С текстом диалога" })).not.toBeChecked();
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
    await expect(crm).toContainText("Создано сделок1", { timeout: 30_000 });
    await crm.getByRole("button", { name: "Отключить" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Отключить" }).click();
    await expectToast(page, "CRM отключена", "Её ключи уничтожены");
    await expect(crm).toHaveCount(0);
    await expect(available(page, "amoCRM")).toBeVisible();
  });
});

test("refused access asks for signing in again; refused cards and a denied consent are shown", async ({ page }) => {
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
  await page.setViewportSize(DESKTOP);
  await page.goto("/crm");
  // The specified parts come first, what is added after them.
  await expect(page.locator("main h2")).toHaveText([
    "Подключенные системы",
    "Available Integrations",
    "Сделки появятся в вашей CRM сами",
  ]);
  await page.getByRole("listitem").filter({ hasText: "Битрикс24" }).getByRole("link", { name: "Подключить" }).click();
  // The last button is in sight however long the steps are.
  await expect(page.getByRole("dialog").getByRole("button", { name: "Перейти в Битрикс24" })).toBeInViewport({
    ratio: 1,
  });
  shown = overviews[1]!;
  await page.goto("/crm");
  await expect(page.getByRole("region", { name: "Сделок пока не будет" })).toContainText("Ни один двойник не передаёт");
  await expect(page.locator("main h2").last()).toHaveText("Сделок пока не будет");
  await expect(connected(page, "amoCRM").getByRole("link", { name: "Открыть amoCRM" })).toHaveAttribute(
    "href",
    "https://company.amocrm.ru",
  );
  await expectAccessibleCrosswise(page, "a CRM that no twin sends to");
  shown = overviews[2]!;
  await page.goto("/crm");
  await expect(page.locator("main h2").last()).toHaveText(/^Передают сделки в CRM: 1\sдвойник$/);
});
