// A contact writes to a bot that was connected by the form: the draft is seen, changed and sent; the owner takes the talk over and gives it back.
// What approvals.spec.ts leaves to test:full.
import { expect, test } from "../servers/bot.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { choosePlatform } from "../support/choose-platform.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

// A contact writes to a bot that was connected by the form: the draft is seen, changed and sent; the owner takes the talk over and gives it back.

test.use({ allowedConsoleErrors: [/status of 50\d/] });

test("a draft is approved in the owner's words, a talk is taken over and given back", async ({ page, bot }) => {
  await asOwner(page);
  await page.goto("/add-integration");
  await page.getByLabel("Цифровой двойник").selectOption("Анна Чайникова");
  await choosePlatform(page, "telegram");
  await page.getByLabel("Bot Token", { exact: true }).fill(bot.token);
  await page.getByRole("button", { name: "Создать интеграцию" }).click();
  await expectToast(page, "Интеграция создана!");

  await bot.say("Сколько стоит доставка?");
  await page.goto("/conversations?tab=approval");
  const queue = page.getByRole("list", { name: "Ответы, которые ждут решения" });
  const card = queue.getByRole("article", { name: "Иван" });
  await expect(card).toContainText("Сколько стоит доставка?", { timeout: 15_000 });
  await expect(card).toContainText("Каждый ответ ждёт вашего одобренияУверенность");
  await expectAccessible(page, "approvals");
  await card.getByRole("button", { name: "Изменить" }).click();
  await card.getByRole("textbox", { name: "Ваш ответ" }).fill("Триста рублей, привезём завтра.");
  await card.getByRole("button", { name: "Отправить" }).click();
  await expect.poll(bot.sent, { timeout: 15_000 }).toHaveLength(1);
  expect((await bot.sent())[0]).toBe(
    "Отвечает ИИ-помощник: цифровой двойник «Анна Чайникова».\n\nТриста рублей, привезём завтра.",
  );
  await expect(page.getByRole("tabpanel")).toContainText("Ничто не ждёт одобрения");

  await bot.say("А послезавтра?");
  await expect(card).toContainText("А послезавтра?", { timeout: 15_000 });
  await card.getByRole("button", { name: "Отклонить" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("Ничто не ждёт одобрения");

  await page.getByRole("tab", { name: "Все" }).click();
  await page.getByRole("button", { name: /^Открыть чат/ }).click();
  const thread = page.getByRole("region", { name: "Диалог: Иван" });
  await expect(thread).toContainText("Собеседнику отвечает двойник");
  await expect(thread).toContainText("Триста рублей, привезём завтра.");
  await thread.getByRole("button", { name: "Вести самому" }).click();
  await expect(thread).toContainText("Двойник молчит");
  await page.getByRole("tab", { name: "Веду я" }).click();
  await expect(page.getByRole("list", { name: "Диалоги" }).getByRole("listitem")).toHaveCount(1);
  await expectAccessible(page, "approvals");
  await thread.getByRole("button", { name: "Вернуть двойнику" }).click();
  await expect(thread).toContainText("Собеседнику отвечает двойник");
  expect(await bot.sent()).toHaveLength(1);
});
