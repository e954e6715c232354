// Section 2, Conversations; sections 3, 4 and 9 for what it derives.
import type { Page } from "@playwright/test";
import { fails, hangs, json, twin, uuid } from "../answers.ts";
import { expect, test } from "../fixtures.ts";
import { button, heading, one, placeholder, specify, text } from "./screen.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const NOW = "2025-11-20T10:00:00.000Z";
const figure = (label: string, value: string | RegExp) =>
  one(`${label}: ${value}`, (page: Page) =>
    page.locator("main dl").filter({ hasText: label }).first().getByText(value, { exact: true }),
  );
const row = (name: string) => (page: Page) =>
  page.getByRole("list", { name: "Диалоги" }).getByRole("listitem").filter({ hasText: name });
const inRow = (name: string, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`${name}: ${word}`, (page: Page) => row(name)(page).getByText(word)));
const samples = [
  text("Пример"),
  ...inRow("Мария Соколова", "Анна, поддержка", "Активен"),
  ...inRow("Ольга Ким", "Завершен"),
];

specify("2. Conversations (/conversations)", {
  at: "/conversations",
  answers: {
    "GET /api/digital-twins": json([twin(1)]),
    "GET /api/conversations": json([
      {
        id: uuid(1),
        twinName: "Анна",
        participants: { name: "Мария", status: "active" },
        platform: "telegram",
        lastMessage: "Спасибо!",
        messageCount: 7,
        updatedAt: NOW,
      },
      {
        id: uuid(2),
        twinName: "Олег",
        participants: { name: "Иван", status: "closed" },
        platform: "email",
        updatedAt: NOW,
      },
      { id: uuid(3) },
    ]),
  },
  calls: ["GET /api/conversations"],
  shows: [
    heading("Диалоги"),
    figure("Всего диалогов", "3"),
    figure("Активные чаты", "1"),
    figure("Время ответа", "2.3s"),
    ...inRow("Мария", "Анна", "Спасибо!", /7\sсообщений/, "Активен"),
    ...inRow("Иван", "Олег", "Завершен"),
    // 3. Fallbacks; 9. a message count that the server does not send is 10 to 59.
    ...inRow("Unknown Contact", "Unknown Twin", "Завершен", /^[1-5]\d\sсообщени/),
    button(/^Открыть чат/),
    button("Новый диалог"),
    button("Экспорт"),
    button("Фильтр"),
    placeholder("Имя, двойник или сообщение"),
  ],
  states: [
    {
      name: "empty",
      answers: { "GET /api/conversations": json([]) },
      shows: [text("Пока нет диалогов"), button("Начать диалог")],
      hides: [text("Пример")],
    },
    { name: "loading", answers: { "GET /api/conversations": hangs }, shows: [text("Загружаем диалоги...")] },
    {
      name: "failed: samples",
      answers: { "GET /api/conversations": fails(500, "Внутренняя ошибка") },
      shows: samples,
    },
    { name: "null: samples", answers: { "GET /api/conversations": json(null) }, shows: samples },
    { name: "not a list: samples", answers: { "GET /api/conversations": json({}) }, shows: samples },
  ],
  acts: [
    {
      name: "the sum of the messages counts the invented ones",
      does: async (page) => {
        const shown = page.getByText(/^\d+\sсообщени/);
        await expect(shown).toHaveCount(3);
        const counts = await shown.allInnerTexts();
        const sum = counts.reduce((total, words) => total + Number.parseInt(words, 10), 0);
        await expect.soft(page.locator("main dl").filter({ hasText: "Всего сообщений" })).toContainText(String(sum));
      },
    },
    {
      name: "export",
      here: true,
      does: async (page) => {
        const file = page.waitForEvent("download");
        await page.getByRole("button", { name: "Экспорт" }).click();
        expect.soft((await file).suggestedFilename()).toMatch(/\.csv$/);
      },
      toast: ["Экспорт готов"],
    },
    {
      name: "search and filter go to the server",
      here: true,
      does: async (page) => {
        await page.getByPlaceholder("Имя, двойник или сообщение").fill("чай");
        await page.getByRole("button", { name: "Фильтр" }).click();
        await page.getByLabel("Платформа").selectOption("telegram");
      },
      asks: ["GET /api/conversations?q=чай&platform=telegram"],
    },
    {
      name: "new dialogue",
      answers: { "POST /api/conversations": json({ id: uuid(9), twinName: "Двойник 1" }, 201) },
      does: async (page) => {
        await page.getByRole("button", { name: "Новый диалог" }).click();
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /Двойник 1/ })
          .click();
      },
      sends: { call: "POST /api/conversations", body: { twinId: uuid(1) } },
    },
    {
      name: "open chat",
      answers: { [`GET /api/conversations/${uuid(1)}/messages`]: json([]) },
      does: (page) => page.getByRole("button", { name: "Открыть чат: Мария, Анна" }).click(),
      asks: [`GET /api/conversations/${uuid(1)}/messages`],
      leadsTo: `/conversations?dialog=${uuid(1)}`,
    },
  ],
});
