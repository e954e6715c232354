// The main job on the real server with nothing intercepted: from a person's own export to a twin that answers like them.
import { randomUUID } from "node:crypto";
import { expect, test } from "../support/fixtures.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { summerHouseRules, telegramExport } from "../support/telegram-export.ts";
import { expectToast } from "../support/toast.ts";
import { createTwin } from "../support/twin-form.ts";
import {
  askAll,
  CONSENT,
  expectDashboard,
  expectImported,
  expectPreview,
  fields,
  heading,
  NAME,
} from "./journey-parts.ts";

test("a person's export becomes a twin that answers like them", async ({ page }) => {
  const exported = await telegramExport();
  await page.goto("/register");
  await page.getByLabel("Имя").fill("Лёша");
  await page.getByLabel("Email").fill(`${randomUUID()}@example.com`);
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox", { name: /Даю согласие/ }).check();
  await page.getByRole("button", { name: "Зарегистрироваться" }).click();
  await expect(heading(page, "Панель управления")).toBeVisible();
  await expect(page.getByText("Нет цифровых двойников")).toBeVisible();

  await page.getByRole("link", { name: "Создать первого двойника" }).click();
  await createTwin(page, fields);
  await expectToast(page, "Цифровой двойник создан!", "Агент успешно создан и готов к обучению");
  await expect(page.getByLabel("Имя двойника")).toHaveValue("");

  await page.getByRole("link", { name: /^Загрузите документы/ }).click();
  await expect(heading(page, "Обучение ИИ")).toBeFocused();
  const training = page.getByRole("region", { name: NAME });
  await expect(training.getByText("В обучении")).toBeVisible();
  await page.locator("input[type=file]").setInputFiles(await summerHouseRules());
  await expect(page.getByLabel("Тип документа")).toHaveValue("policy");
  await page.getByRole("button", { name: "Загрузить 1 файл" }).click();
  const documents = page.getByRole("region", { name: "Загруженные документы" });
  await expect(documents.getByRole("button", { name: /Правила дачи/ }).first()).toBeVisible();

  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await page.getByRole("button", { name: "Файл выгрузки" }).click();
  await page.locator("input[type=file]").setInputFiles(exported.file);
  await expectPreview(page, exported);
  await expect(page.getByRole("checkbox", { name: /Дача и репетиции/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Подтвердите право использовать переписку")).toBeVisible();
  await page.getByRole("checkbox", { name: CONSENT }).check();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expectImported(page, exported.privateMessages);
  await expect(training.getByText("Готов")).toBeVisible();

  await page.getByRole("link", { name: "Проверить двойника" }).click();
  const chat = page.getByRole("region", { name: `Тест чат: ${NAME}` });
  await askAll(page, async (question) => {
    await chat.getByLabel("Сообщение").fill(question);
    await chat.getByRole("button", { name: "Отправить" }).click();
  });
  await chat
    .getByRole("button", { name: /Правила дачи/ })
    .first()
    .click();
  await expect(page.getByRole("dialog").getByText("132 ₽")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Закрыть" })).toBeFocused();
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Панель управления" }).click();
  await expectDashboard(page);
});
