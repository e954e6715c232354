// The main job on the real server with nothing intercepted: from a person's own export to a twin that answers like them.
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { PASSWORD } from "../support/sign-in-form.ts";
import { summerHouseRules, telegramExport } from "../support/telegram-export.ts";
import { expectToast } from "../support/toast.ts";
import { createTwin } from "../support/twin-form.ts";

// The main job on the real server with nothing intercepted: from a person's own export to a twin that answers like them.

const NAME = "Лёша Синицын";
const fields = {
  "Имя двойника": NAME,
  Описание: "Отвечает друзьям и маме, пока я на репетиции",
  Личность: "Добродушный гитарист и сисадмин, шутит над собой и котом",
  "Стиль общения": "Коротко, на «ты», без точек и со скобками",
  "Область знаний": "Моё расписание и дача",
};

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

test("the same journey is walked by keyboard alone", async ({ page }) => {
  // A learning and a hundred keys: on a machine that does more besides, more than a minute.
  test.slow();
  const exported = await telegramExport();
  const { focus, press, type, choose, follow } = keyboardOf(page);
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

  await press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("создать двойника");
  await press("Enter");
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

  await press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("панель");
  await press("Enter");
  await expect(heading(page, "Панель управления")).toBeFocused();
  await expectDashboard(page);
});

const CONSENT = /Я\sвправе использовать/;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function expectPreview(page: Page, exported: Awaited<ReturnType<typeof telegramExport>>) {
  await expect(page.getByText(/^Найдено: 4\sчата, /)).toContainText(`${exported.messages} сообщ`);
  // The file says itself whose account it is.
  await expect(page.getByLabel("Кто здесь вы?").locator("option:checked")).toContainText(exported.owner);
  await expect(page.getByRole("checkbox", { name: /Димон/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Мама/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Катя/ })).toBeChecked();
}

async function expectImported(page: Page, messages: number) {
  await expect(page.getByText("Импорт завершён").last()).toBeVisible();
  await expect(page.getByText("Импортировано", { exact: true }).locator("xpath=..")).toContainText(String(messages));
}

/** Three questions: one that a document answers, one that was asked before, one that nobody can know. */
async function askAll(page: Page, ask: (question: string) => Promise<void>) {
  const answers = page.getByRole("log").getByRole("listitem").filter({ hasText: "Копировать" });
  await ask("сколько стоит билет на электричку?");
  await expect(answers.nth(0)).toContainText("132 ₽");
  await expect(answers.nth(0)).toContainText("Из документа");
  await expect(answers.nth(0).getByRole("list", { name: "Источники" })).toContainText("Правила дачи");

  await ask("морковь на тёрке можно?");
  await expect(answers.nth(1)).toContainText("тёрка запрещена)))");
  await expect(answers.nth(1)).toContainText("Из ваших ответов");

  await ask("как зовут твоего начальника?");
  await expect(answers.nth(2)).toContainText("Двойник не знает");
  await expect(answers.nth(2).getByRole("list", { name: "Источники" })).toHaveCount(0);
}

async function expectDashboard(page: Page) {
  const figure = (label: string) => page.locator("main dl").filter({ hasText: label }).locator("dd").first();
  await expect(figure("Всего двойников")).toHaveText("1");
  await expect(figure("Активны сегодня")).toHaveText("1");
  await expect(figure("Обработано сообщений")).toHaveText("3");
  await expect(page.getByRole("region", { name: "Мои двойники" })).toContainText("Активен");
  const events = page.getByRole("region", { name: "Последняя активность" }).getByRole("listitem");
  // Not by its place: training may end after the last answer.
  await expect(events.filter({ hasText: "Ответ на «как зовут твоего начальника?»" })).toBeVisible();
}
