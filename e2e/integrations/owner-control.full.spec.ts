// What an owner holds in his hand: the switch that stops all, and one integration's page with its state, levels, hours and log.
// What owner-control.spec.ts leaves to test:full.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";

test("an integration's page shows who wrote last there, once somebody has", async ({ page, bot }) => {
  const id = await connectBot(await asOwner(page), bot);
  await page.goto(`/integrations/${id}`);
  const latest = page.getByRole("region", { name: "Последние диалоги" });
  await expect(latest).toContainText("Пока никто не написал");
  await expect(page.getByRole("region", { name: "Состояние" })).toContainText("Активна", { timeout: 30_000 });
  await bot.say("Привет");
  await expect(latest.getByRole("listitem")).toContainText("Иван", { timeout: 30_000 });
  await expect(latest.getByRole("link", { name: "Иван" })).toHaveAttribute("href", /\/conversations\?dialog=/);
  await expectAccessibleCrosswise(page, "an integration's page with a conversation");
});

test("an integration is checked, given a level and hours, paused and disconnected, and its log tells", async ({
  page,
  bot,
}) => {
  await connectBot(await asOwner(page), bot);
  await page.goto("/integrations");
  const row = page.getByRole("listitem").filter({ hasText: "@tea_bot" });
  await row.getByRole("link", { name: "@tea_bot", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Telegram · @tea_bot" })).toBeFocused();
  const state = page.getByRole("region", { name: "Состояние" });
  await state.getByRole("button", { name: "Проверить соединение" }).click();
  await expect(state.getByRole("status")).toContainText("Соединение есть: @tea_bot");
  await expect(page.getByRole("region", { name: "События" })).toContainText("Проверка: соединение есть, @tea_bot");
  await page.getByRole("radio", { name: /^Сам, если уверен/ }).check();

  const hours = page.getByRole("region", { name: "Рабочие часы" });
  await hours.getByLabel("Когда двойник отвечает").selectOption("В рабочие часы");
  await hours.getByLabel("В остальное время").selectOption("Отвечать одной фразой");
  await hours.getByRole("button", { name: "Сохранить часы" }).click();
  await expect(hours.getByRole("alert")).toHaveText("Напишите, что ответить вне рабочих часов");
  await hours.getByLabel("Что ответить").fill("Ответим в понедельник.");
  await hours.getByLabel("Пятница, до").fill("16:00");
  await expect(page.getByRole("region", { name: "Ответы от вашего имени" })).toContainText("добавьте @tea_bot");
  const chat = page.getByRole("region", { name: "Решения в Telegram" });
  await chat.getByRole("button", { name: "Связать мой чат" }).click();
  const link = chat.getByRole("link", { name: "Открыть @tea_bot" });
  await expect(link).toHaveAttribute("href", /^https:\/\/t\.me\/tea_bot\?start=owner_[\w-]{43}$/);
  await expectAccessibleCrosswise(page, "an integration");
  await bot.say(`/start ${new URL((await link.getAttribute("href"))!).searchParams.get("start")}`, 9);
  await expect(chat).toContainText("Чат связан", { timeout: 15_000 });
  expect((await bot.sent()).at(-1)).toMatch(/^Готово\. Сюда приходят черновики/);
  await chat.getByRole("button", { name: "Отвязать" }).click();
  await page.getByRole("alertdialog", { name: "Отвязать чат?" }).getByRole("button", { name: "Отвязать" }).click();
  await expect(chat).toContainText("Не связан");
  await hours.getByRole("button", { name: "Сохранить часы" }).click();
  await expect(page.getByRole("region", { name: /^Уведомления/ })).toContainText("Рабочие часы сохранены");
  await page.reload();
  await expect(hours.getByLabel("Пятница, до")).toHaveValue("16:00");
  await expect(hours.getByRole("checkbox", { name: "Суббота" })).not.toBeChecked();
  await expect(page.getByRole("radio", { name: /^Сам, если уверен/ })).toBeChecked();

  await state.getByRole("button", { name: "Приостановить" }).click();
  await expect(state).toContainText("Неактивна");
  await state.getByRole("button", { name: "Отключить" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отключить" }).click();
  await expect(page).toHaveURL(/\/integrations$/);
  await expect(page.getByText("Пока нет интеграций")).toBeVisible();
});
