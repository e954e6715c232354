// From nothing to a good reply in one sitting, by a person who has only his export: how long that takes is printed, not judged.
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { platformRadio } from "../support/choose-platform.ts";
import { expect, test } from "../support/fixtures.ts";
import { tokenTo } from "../support/letters.ts";
import { telegramExport } from "../support/telegram-export.ts";
import { atStep, buttonOf, CONSENT, NAME, stepCard } from "./wizard.ts";

test("sign-up, the export, the portrait of one's speech, a good reply, a lesson and Telegram follow each other", async ({
  page,
  server,
}) => {
  const exported = await telegramExport();
  const email = `${randomUUID()}@example.com`;
  const began = Date.now();

  await page.goto("/landing");
  await page.getByRole("link", { name: "Создать двойника" }).first().click();
  await page.getByLabel("Имя").fill("Лёша");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Пароль", { exact: true }).fill("copper and patina");
  await page.getByRole("checkbox", { name: /согласие на обработку/ }).check();
  await buttonOf(page, "Зарегистрироваться").click();
  await expect(page).toHaveURL(/\/create-twin/);
  await page.goto(`/confirm-email?token=${await tokenTo(server, email)}`);
  await expect(page.getByText("Адрес подтверждён")).toBeVisible();
  await page.goto("/onboarding");

  await atStep(page, "Импорт данных");
  await page.locator("input[type=file]").first().setInputFiles(exported.file);
  await expect(stepCard(page).getByRole("status")).toContainText("Осталось назвать двойника");
  await expect(page.getByLabel("Имя двойника")).toBeFocused();
  await page.getByLabel("Имя двойника").fill(NAME);
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Анализ");
  await page.getByRole("checkbox", { name: CONSENT }).check();
  await buttonOf(page, "Начать импорт").click();
  const portrait = page.getByRole("region", { name: "Портрет вашей речи" });
  await expect(portrait).toBeVisible({ timeout: 60_000 });
  for (const title of ["Длина", "Улыбки", "Любимые слова", "Часы"]) {
    await expect(portrait.getByText(title, { exact: true })).toBeVisible();
  }
  const download = page.waitForEvent("download");
  await buttonOf(page, "Сохранить как картинку").click();
  const picture = await readFile(await (await download).path());
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
  await page.reload();
  await atStep(page, "Анализ");
  await expect(portrait).toBeVisible();
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Первый ответ");
  const twins = page.getByRole("region", { name: `Ответ двойника «${NAME}»` });
  await expect(twins.locator("p").first()).not.toBeEmpty();
  process.stdout.write(`bench: sign-up → first good reply: ${((Date.now() - began) / 1000).toFixed(1)} s\n`);

  const first = await stepCard(page).locator("blockquote").textContent();
  await buttonOf(page, "Продолжить").click();
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(first!);
  await page.goBack();
  await expect(stepCard(page).locator("blockquote")).toHaveText(first!);
  await page.goForward();
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(first!);
  await expect(page.getByLabel("Двойник ответит")).not.toHaveValue("");
  await buttonOf(page, "Научить").click();
  await expect(stepCard(page).getByRole("status").last()).toContainText("Двойник запомнил");
  await buttonOf(page, "Продолжить").click();

  await atStep(page, "Обратная связь");
  await page.getByRole("link", { name: "Подключить Telegram" }).click();
  await expect(page).toHaveURL(/\/add-integration\?twin=.*platform=telegram/);
  await expect(page.getByLabel("Цифровой двойник").locator("option:checked")).toHaveText(NAME);
  await expect(platformRadio(page, "telegram")).toBeChecked();
});
