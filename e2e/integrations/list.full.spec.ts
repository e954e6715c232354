// Section 2, Integrations: the list of what is connected, its samples, and what is done to one of its rows.
// What list.spec.ts leaves to test:full.
import { NOW, uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { watchClipboard } from "../support/clipboard.ts";
import { expect, test } from "../support/fixtures.ts";
import { LIST, rows } from "./list-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test.describe("the list of integrations", () => {
  const chat = {
    twinId: uuid(1),
    twinName: "Анна",
    title: "Напишите нам",
    sites: ["https://shop.test"],
    lately: null,
    messagesHandled: 7,
  };

  test("counts the chats on sites among the rest", async ({ page }) => {
    await withTwins(page, {
      [LIST]: json([
        buildIntegration(1, { isBot: true, account: null, phoneNumber: null, config: { phoneNumber: null } }),
      ]),
      "GET /api/widgets": json([
        { ...chat, autonomy: "auto", lately: { conversations: 4, lastAt: NOW, decidedByOwner: 2 } },
        { ...chat, twinId: uuid(2), twinName: "Олег", sites: [], autonomy: "draft" },
      ]),
    });
    await page.goto("/integrations");
    await expect(page.getByRole("heading", { name: "Активные интеграции (3)" })).toBeVisible();
    await expect(rows(page)).toContainText([/^Бот\sот\s20\sноября/, /shop\.test.*Активна.*Анна/, /Напишите нам.*Олег/]);
    await expect(rows(page).nth(1)).toContainText(
      /Номер скрыт\s*7\sсообщений.*Синхронизация: 20 ноября 2025.*4\sдиалога за\sнеделю.*Ответы: всегда сам, кроме 2\sдиалогов: там решаете вы/,
    );
    await expect(rows(page).nth(1).getByRole("link", { name: "Настроить чат на сайте: shop.test" })).toHaveAttribute(
      "href",
      `/twin-access/${uuid(1)}?tab=widget`,
    );
    await expect(rows(page).nth(2)).toContainText(/Номер скрыт\s*7\sсообщений.*Синхронизация: Не указана/);
    await expect(rows(page).nth(2)).toContainText("Сайт ещё не указан");
    await expect(rows(page).nth(2).getByRole("link", { name: "Указать сайт: Олег" })).toHaveText("Указать сайт");
    await expectAccessibleCrosswise(page, "/integrations with a chat on a site");
  });

  test("says that there are no integrations only where there is no chat on a site either", async ({ page }) => {
    await withTwins(page, { [LIST]: json([]), "GET /api/widgets": json([{ ...chat, autonomy: "auto" }]) });
    await page.goto("/integrations");
    await expect(page.getByRole("heading", { name: "Активные интеграции (1)" })).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await expect(page.getByText("Пока нет интеграций")).toHaveCount(0);
  });

  test("gives the owner the address and the token that Meta's console asks for, and says what does not work", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-write"]);
    const url = `https://twins.test/hooks/${"x".repeat(43)}`;
    await withTwins(page, {
      [LIST]: json([
        buildIntegration(1, {
          platform: "whatsapp",
          account: "+7 999 000-00-01",
          connection: "trouble",
          trouble: "WhatsApp недоступен",
          lastEvent: null,
          webhook: { url, verifyToken: "verify-me" },
        }),
      ]),
    });
    await page.goto("/integrations");
    await expect(rows(page)).toContainText([/Активна.*Нет связи.*WhatsApp недоступен/]);
    await page.getByRole("button", { name: /^Действия/ }).click();
    await page.getByRole("menuitem", { name: "Настроить" }).click();
    const dialog = page.getByRole("dialog", { name: "Настройки: WhatsApp" });
    await expect(dialog.getByLabel("Адрес вебхука", { exact: true })).toHaveValue(url);
    await expect(dialog.getByLabel("Токен подтверждения", { exact: true })).toHaveValue("verify-me");
    const copied = await watchClipboard(page);
    await dialog.getByRole("button", { name: "Копировать: Токен подтверждения" }).click();
    await expect(dialog.getByText("Скопировано")).toBeVisible();
    expect(await copied()).toBe("verify-me");
    await expectAccessibleCrosswise(page, "/integrations, an address to enter");
  });

  test("is searched past ten entries, the words in the address", async ({ page }) => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      ...buildIntegration(at, { phoneNumber: `+7999${at}`, digitalTwinName: at === 5 ? "Олег" : "Анна" }),
      config: null,
    }));
    await withTwins(page, { [LIST]: json(many) });
    await page.goto("/integrations");
    const search = page.getByRole("searchbox", { name: "Поиск интеграции" });
    await search.fill("олег telegram");
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\?q=/);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await search.fill("нет такой");
    await page.getByRole("button", { name: "Сбросить поиск" }).click();
    await expect(rows(page)).toHaveCount(12);
  });
});
