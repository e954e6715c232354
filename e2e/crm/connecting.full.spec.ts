// Signing in to a CRM, choosing whose conversations go there, and what its trouble looks like.
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
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
