// A key that broke is replaced on the integration's own page, and one that is connected anew is followed live, on a real server and a local bot API.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { choosePlatform } from "../support/choose-platform.ts";
import { asOwner, connectBot } from "../support/owner.ts";

test("a revoked token is replaced in place, with the keyboard alone, and the page says that it works again", async ({
  page,
  bot,
}) => {
  const owner = await asOwner(page);
  const id = await connectBot(owner, bot);
  await page.goto(`/integrations/${id}`);
  const state = page.getByRole("region", { name: "Состояние" });
  await expect(state).toContainText("Активна");
  const renewed = await bot.renew();
  await expect(state).toContainText("Нужны вы", { timeout: 20_000 });
  const replace = state.getByRole("button", { name: "Заменить ключ" });
  await page.goto("/integrations");
  await page.getByRole("link", { name: "Заменить ключ: Telegram, @tea_bot" }).click();
  await expect(page).toHaveURL(`/integrations/${id}?key=new`);
  await expect(page.getByRole("form", { name: "Новый ключ" }).getByLabel("Bot Token", { exact: true })).toBeFocused();
  await page.goto(`/integrations/${id}`);
  await replace.focus();
  await page.keyboard.press("Enter");
  const form = page.getByRole("form", { name: "Новый ключ" });
  const token = form.getByLabel("Bot Token", { exact: true });
  await expect(token).toBeFocused();
  await expect(form.getByLabel("API ID")).toHaveCount(0);
  await page.keyboard.type("123:cut");
  await expect(form.getByRole("status")).toContainText("Ключ бота — это число");
  await token.fill(bot.token);
  await page.keyboard.press("Enter");
  await expect(form.getByRole("alert")).toContainText("Telegram не принимает");
  await expectAccessibleCrosswise(page, "a key is replaced");
  await token.fill(renewed);
  await page.keyboard.press("Enter");
  await expect(form).toHaveCount(0);
  await expect(state.getByRole("status")).toHaveText("Снова работает: @tea_bot", { timeout: 15_000 });
  await expect(page.getByRole("region", { name: "События" })).toContainText("Ключ заменён: @tea_bot");
});

test("from the pasted token to the first message within a minute, live", async ({ page, bot }) => {
  test.setTimeout(60_000);
  await asOwner(page, { name: "Вера" });
  await page.goto("/add-integration");
  await choosePlatform(page, "telegram");
  await expect(page.getByRole("img", { name: "QR-код: открыть @BotFather на телефоне" })).toBeVisible();
  await page.getByLabel("Цифровой двойник").selectOption("Вера");
  await page.getByLabel("Bot Token", { exact: true }).fill(bot.token);
  await page.getByRole("button", { name: "Создать интеграцию" }).click();
  const live = page.getByRole("region", { name: "Подключение", exact: true });
  await expect(live).toContainText("Бот @tea_bot подключён");
  await expect(live).toContainText("Напишите боту «Привет» — здесь появится сообщение");
  await expect(live.getByRole("link", { name: "Открыть @tea_bot" })).toHaveAttribute("href", "https://t.me/tea_bot");
  await expectAccessibleCrosswise(page, "a bot has just been connected");
  await bot.say("Привет");
  await expect(live).toContainText("Иван: Привет", { timeout: 30_000 });
  await live.getByRole("link", { name: "Открыть диалог" }).click();
  await expect(page).toHaveURL(/\/conversations\?dialog=/);
});
