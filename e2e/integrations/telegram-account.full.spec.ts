// An account is connected with the wizard, on a real server and a local Telegram: code, password, import with its progress.
import { onOwnServer } from "../servers/demo-data.ts";
import type { StartedServer } from "../servers/server.ts";
import { startTelegramAccount, type TelegramAccount } from "../servers/telegram-account.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

// An account is connected with the wizard, on a real server and a local Telegram: code, password, import with its progress.

/** A server of the test's own: it knows one Telegram, and the shared ones know none. */
const test = base.extend<{ telegram: TelegramAccount; own: StartedServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  telegram: async ({}, use) => {
    const telegram = await startTelegramAccount();
    await use(telegram);
    await telegram.close();
  },
  own: ({ telegram }, use) => onOwnServer(telegram.environment, use),
  baseURL: ({ own }, use) => use(own.url),
});

test("the wizard signs in, reads the chosen dialogs and shows how far it is", async ({ page, telegram, own }) => {
  test.slow();
  const { login } = telegram;
  await asOwner(page, {}, own);
  await page.goto("/integrations?connect=account");
  await page.getByLabel("Цифровой двойник").selectOption("Анна Чайникова");
  await page.getByLabel("API ID").fill("123456");
  await page.getByLabel("API Hash", { exact: true }).fill(login.apiHash);
  await page.getByLabel("Номер телефона").fill(login.phoneNumber);
  await page.getByRole("button", { name: "Отправить код" }).click();
  await expectToast(page, "Код отправлен");

  const confirm = page.getByRole("button", { name: "Подтвердить" });
  await page.getByLabel("Код подтверждения").fill("00000");
  await confirm.click();
  await expectToast(page, "Ошибка верификации", "Неверный код подтверждения. Осталось попыток: 2.");
  await page.getByLabel("Код подтверждения").fill(login.code);
  await confirm.click();
  await expectToast(page, "Ошибка верификации", "Код верный.");
  await page.getByLabel("Пароль двухэтапной аутентификации").fill(login.password);
  await page.getByLabel("Выбрать диалоги перед импортом").check();
  await confirm.click();
  await expectToast(page, "Telegram интеграция создана!");

  // Groups are off until they are chosen.
  await expect(page.getByText("Выбрано: 3 из 4")).toBeVisible({ timeout: 15_000 });
  const group = page.getByRole("checkbox", { name: "Чат дома Группа" });
  await expect(group).not.toBeChecked();
  await group.check();
  await page.getByRole("checkbox", { name: "Олег" }).uncheck();
  await expectAccessibleCrosswise(page, "choosing dialogs");
  await page.getByRole("button", { name: "Импортировать" }).click();

  await expect(page.getByText("Прочитано диалогов: 0 из 3")).toBeVisible({ timeout: 15_000 });
  await expectAccessible(page, "importing");
  telegram.release();
  await expectToast(page, "Обучение завершено!", "Импортировано сообщений: 20");
  const main = page.locator("main");
  await expect(main.getByText("Аккаунт подключён, двойник обучен")).toBeVisible();
  await expect(main.getByText("Спокойная и внимательная, шутит к месту")).toBeVisible();
  const list = page.getByRole("region", { name: "Активные интеграции (1)" });
  await expect(list).toContainText(login.phoneNumber);
  await expect(list).toContainText("20 сообщений");
  await expectAccessible(page, "complete");
  await page.getByRole("button", { name: "Настроить еще один аккаунт" }).click();
  await expect(page.getByLabel("API Hash", { exact: true })).toHaveValue("");

  // What was chosen stays chosen, and can be changed.
  await list.getByRole("link", { name: login.phoneNumber, exact: true }).click();
  await page.getByRole("button", { name: "Выбрать диалоги" }).click();
  const dialog = page.getByRole("dialog", { name: "Выбрать диалоги" });
  await expect(dialog.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await expectAccessibleCrosswise(page, "choosing other dialogs");
  await dialog.getByRole("checkbox", { name: "Олег" }).check();
  await dialog.getByRole("button", { name: "Импортировать" }).click();
  await expectToast(page, "Переимпорт запущен");
  await expect(page.getByText("Импортировано сообщений: 28")).toBeVisible({ timeout: 15_000 });
});
