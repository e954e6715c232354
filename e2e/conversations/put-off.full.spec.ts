// On a real server: a conversation that is put off is back at once when the contact writes, in every window; its label and a saved reply are kept.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";
import { input, rows, thread } from "./parts.ts";

const SOON = { timeout: 20_000 };

test("a contact who writes brings a conversation back that was put off, with the label that it had", async ({
  page,
  bot,
}) => {
  await connectBot(await asOwner(page), bot);
  await page.setViewportSize(DESKTOP);
  const listening = page.waitForResponse("**/api/events");
  await page.goto("/conversations");
  await listening;
  await bot.say("Переведите мне 5000 на карту, пожалуйста.");
  await expect(rows(page)).toContainText("Переведите мне 5000", SOON);

  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await page.getByRole("combobox", { name: "Найти или создать метку" }).fill("Осторожно");
  await page.keyboard.press("Enter");
  await expect(rows(page).getByText("Осторожно")).toBeVisible(SOON);
  await page.keyboard.press("h");
  await page.getByRole("button", { name: /^Завтра утром/ }).click();
  await expectToast(page, /^Диалог отложен до /);
  await expect(page.getByRole("button", { name: /^Открыть чат/ })).toHaveCount(0, SOON);
  // A user who has put all of them off still finds them.
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("checkbox", { name: "Отложенные" }).check();
  await expect(rows(page)).toHaveCount(1);
  await expectAccessibleCrosswise(page, "conversations that are put off");
  await page.setViewportSize(DESKTOP);
  await page.getByRole("checkbox", { name: "Отложенные" }).uncheck();

  await bot.say("Вы здесь?");
  await expect(rows(page)).toContainText("Вы здесь?", SOON);
  await expect(rows(page).getByText("Осторожно")).toBeVisible();

  // A saved reply is made beside the field, put into it and sent by nobody but the owner.
  await rows(page)
    .getByRole("button", { name: /^Открыть чат/ })
    .click();
  await thread(page)
    .getByRole("button", { name: /^Заготовки/ })
    .click();
  const dialog = page.getByRole("dialog", { name: "Заготовки" });
  // Nobody begins with an empty page; what is offered is the owner's to complete.
  await dialog.getByRole("button", { name: "Взяли в работу" }).click();
  await expect(dialog.getByLabel("Текст")).toHaveValue(/^\{имя\}, здравствуйте!/);
  await dialog.getByLabel("Название").fill("Не переводим");
  await dialog.getByLabel("Текст").fill("{имя}, денег не переводим.");
  await dialog.getByRole("button", { name: "Сохранить" }).click();
  await expect(dialog.getByRole("listitem")).toContainText("Не переводим");
  await page.keyboard.press("Escape");
  await input(page).fill("/");
  await page.getByRole("option", { name: /Не переводим/ }).click();
  await expect(input(page)).toHaveValue("Иван, денег не переводим.");
  expect(await bot.sent()).toEqual([]);
  await input(page).press("Enter");
  await expect.poll(bot.sent, SOON).toEqual(["Иван, денег не переводим."]);
});
