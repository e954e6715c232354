// The main job on the real server with nothing intercepted: from a person's own export to a twin that answers like them.
import { randomUUID } from "node:crypto";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { summerHouseRules, telegramExport } from "../support/telegram-export.ts";
import { expectToast } from "../support/toast.ts";
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

test("the same journey is walked by keyboard alone", async ({ page }) => {
  // A learning and a hundred keys: on a machine that does more besides, more than a minute.
  test.slow();
  const exported = await telegramExport();
  const { openFromPalette, focus, press, type, choose, follow } = keyboardOf(page);
  await page.goto("/login");
  await follow(page.getByRole("link", { name: "Нет аккаунта? Зарегистрироваться" }));
  await expect(heading(page, "Регистрация")).toBeFocused();
  await type(page.getByLabel("Имя"), "Лёша");
  await type(page.getByLabel("Email"), `${randomUUID()}@example.com`);
  await type(page.getByLabel("Пароль", { exact: true }), PASSWORD);
  await focus(page.getByRole("checkbox", { name: /Даю согласие/ }));
  await press("Space");
  await follow(page.getByRole("button", { name: "Зарегистрироваться" }));
  await expect(heading(page, "Панель управления")).toBeFocused();

  await openFromPalette("создать двойника", "Создать двойника");
  await expect(heading(page, "Создание двойника")).toBeFocused();
  for (const [label, value] of Object.entries(fields)) await type(page.getByLabel(label, { exact: true }), value);
  await follow(page.getByRole("button", { name: "Создать Агента" }));
  await expectToast(page, "Цифровой двойник создан!");

  await follow(page.getByRole("link", { name: /^Загрузите документы/ }));
  await expect(heading(page, "Обучение ИИ")).toBeFocused();
  await choose(page.locator("input[type=file]"), await summerHouseRules());
  await expect(page.getByLabel("Тип документа")).toHaveValue("policy");
  await follow(page.getByRole("button", { name: "Загрузить 1 файл" }));
  const documents = page.getByRole("region", { name: "Загруженные документы" });
  await expect(documents.getByRole("button", { name: /Правила дачи/ }).first()).toBeVisible();

  await focus(page.getByRole("tab", { name: "Документы и знания" }), "Shift+Tab");
  await press("ArrowRight");
  await follow(page.getByRole("button", { name: "Файл выгрузки" }));
  await choose(page.locator("input[type=file]"), exported.file);
  await expectPreview(page, exported);
  await focus(page.getByRole("checkbox", { name: /Дача и репетиции/ }));
  await press("Space");
  await focus(page.getByRole("checkbox", { name: CONSENT }));
  await press("Space");
  await expect(page.getByRole("checkbox", { name: CONSENT })).toBeChecked();
  await follow(page.getByRole("button", { name: "Начать импорт" }));
  await expectImported(page, exported.messages);
  await expect(page.getByRole("region", { name: NAME }).getByText("Готов")).toBeVisible();

  await follow(page.getByRole("link", { name: "Проверить двойника" }));
  const input = page.getByLabel("Сообщение");
  await expect(input).toBeFocused();
  await askAll(page, async (question) => {
    await expect(input).toBeFocused();
    await page.keyboard.type(question);
    await press("Enter");
  });
  await focus(
    page
      .getByRole("log")
      .getByRole("button", { name: /Правила дачи/ })
      .first(),
    "Shift+Tab",
  );
  await press("Enter");
  await expect(page.getByRole("dialog").getByText("132 ₽")).toBeVisible();
  await press("Escape");
  await expect(
    page
      .getByRole("log")
      .getByRole("button", { name: /Правила дачи/ })
      .first(),
  ).toBeFocused();

  await openFromPalette("панель", "Панель управления");
  await expect(heading(page, "Панель управления")).toBeFocused();
  await expectDashboard(page);
});
