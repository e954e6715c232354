// What the tests of journey.spec.ts and journey.full.spec.ts share.
import type { Page } from "@playwright/test";
import { expect } from "../support/fixtures.ts";
import type { telegramExport } from "../support/telegram-export.ts";

export const NAME = "Лёша Синицын";

export const fields = {
  "Имя двойника": NAME,
  Описание: "Отвечает друзьям и маме, пока я на репетиции",
  Личность: "Добродушный гитарист и сисадмин, шутит над собой и котом",
  "Стиль общения": "Коротко, на «ты», без точек и со скобками",
  "Область знаний": "Моё расписание и дача",
};

export const CONSENT = /Я\sвправе использовать/;

export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

export async function expectPreview(page: Page, exported: Awaited<ReturnType<typeof telegramExport>>) {
  const thousands = String(exported.messages).replace(/\B(?=(?:\d{3})+$)/g, "\\s");
  await expect(page.getByText(/^Найдено: 4\sчата, /)).toContainText(new RegExp(`${thousands}\\sсообщ`));
  // The file says itself whose account it is.
  await expect(page.getByLabel("Кто здесь вы?").locator("option:checked")).toContainText(exported.owner);
  await expect(page.getByRole("checkbox", { name: /Димон/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Мама/ })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Катя/ })).toBeChecked();
}

export async function expectImported(page: Page, messages: number) {
  await expect(page.getByText("Импорт завершён").last()).toBeVisible();
  await expect(page.getByText("Импортировано", { exact: true }).locator("xpath=..")).toContainText(String(messages));
}

/** Three questions: one that a document answers, one that was asked before, one that nobody can know. */
export async function askAll(page: Page, ask: (question: string) => Promise<void>) {
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

export async function expectDashboard(page: Page) {
  const figure = (label: string) => page.locator("main dl").filter({ hasText: label }).locator("dd").first();
  await expect(figure("Всего двойников")).toHaveText("1");
  await expect(figure("Активны сегодня")).toHaveText("1");
  await expect(figure("Обработано сообщений")).toHaveText("3");
  await expect(page.getByRole("region", { name: "Мои двойники" })).toContainText("Активен");
  const events = page.getByRole("region", { name: "Последняя активность" }).getByRole("listitem");
  // Not by its place: training may end after the last answer.
  await expect(events.filter({ hasText: "Ответ на «как зовут твоего начальника?»" })).toBeVisible();
}
