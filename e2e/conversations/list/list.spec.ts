// Section 2, Conversations: the list; sections 3, 4 and 9 for what it derives. Its search, its pages and its file.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { buildConversation } from "../../factories/conversation.ts";
import { NOW, uuid } from "../../factories/ids.ts";
import { buildTwin, buildTwinInput } from "../../factories/twin.ts";
import { answering, fails, hangs, json, listOf } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";
import { button, figure, heading, one, placeholder, specify, text, texts } from "../../support/specify.ts";
import { toast } from "../../support/toast.ts";
import { rows, withTwin } from "../parts.ts";
import { row } from "./list-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const inRow = (name: string, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`${name}: ${word}`, (page: Page) => row(name)(page).getByText(word)));

/** Filter, search, export and new dialogue, in words at any width. */
const acts = [
  placeholder("Имя или сообщение"),
  button("Поиск"),
  button("Фильтр"),
  button("Экспорт"),
  button("Новый диалог"),
];
const sample = one("badge", (page: Page) => page.getByText("Пример", { exact: true }));
const samples = [
  sample,
  ...inRow("Мария Соколова", "Анна, поддержка", "Активен"),
  ...inRow("Ольга Ким", "Завершен"),
  texts("three rows", rows, Array(3).fill(/./)),
  figure("Всего диалогов", "3"),
  figure("Время ответа", "2.3s"),
];

specify("2. Conversations (/conversations)", {
  at: "/conversations",
  answers: {
    "GET /api/digital-twins": json([buildTwin(1)]),
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
      { id: "a1", participants: null },
      { id: "a2", participants: { status: "active" } },
    ]),
  },
  calls: ["GET /api/conversations"],
  inSight: true,
  shows: [
    heading("Диалоги"),
    figure("Всего диалогов", "5"),
    figure("Активные чаты", "2"),
    figure("Время ответа", "2.3s"),
    ...inRow("Мария", "Анна", "Спасибо!", /^7\sсообщений$/, /^Активен$/, /^Открыть чат$/),
    ...inRow("Иван", "Олег", /^Завершен$/, /^Открыть чат$/),
    // 3. Fallbacks; 9. a message count that the server does not send is 10 to 59.
    ...inRow("Unknown Contact", "Unknown Twin", "Завершен", /^[1-5]\d\sсообщени/),
    button(/^Открыть чат/),
    ...acts,
  ],
  states: [
    {
      name: "empty",
      answers: { "GET /api/conversations": json([]) },
      shows: [
        ...["Всего диалогов", "Активные чаты", "Всего сообщений"].map((label) => figure(label, "0")),
        figure("Время ответа", "2.3s"),
        ...acts.filter(({ what }) => what !== "button Экспорт"),
        button("Экспорт", { disabled: true }),
        text("Пока нет диалогов"),
        button("Начать диалог"),
      ],
      hides: [sample],
    },
    {
      name: "loading",
      answers: { "GET /api/conversations": hangs },
      shows: [one("status", (page) => page.getByRole("status").getByText("Загружаем диалоги..."))],
    },
    {
      name: "failed: samples",
      answers: { "GET /api/conversations": fails(500, "Внутренняя ошибка") },
      shows: samples,
    },
    { name: "null: samples", full: true, answers: { "GET /api/conversations": json(null) }, shows: samples },
    {
      name: "not a list: samples",
      full: true,
      answers: { "GET /api/conversations": json({ error: "x" }) },
      shows: samples,
    },
    {
      name: "a list of something else: samples",
      full: true,
      answers: { "GET /api/conversations": json([1, 2]) },
      shows: samples,
    },
  ],
  acts: [
    {
      name: "3. what a conversation lacks has the specified names, and 9. a count between 10 and 59",
      does: async (page) => {
        await expect(rows(page)).toHaveCount(5);
        for (const [place, status] of [
          [2, "Завершен"],
          [3, "Завершен"],
          [4, "Активен"],
        ] as const) {
          const row = rows(page).nth(place);
          for (const words of ["Unknown Contact", "Unknown Twin", status]) await expect.soft(row).toContainText(words);
          const count = Number(/(\d+)\s+сообщени/.exec((await row.textContent()) ?? "")?.[1]);
          expect.soft(count >= 10 && count <= 59, `${count} messages in row ${place}`).toBe(true);
        }
        await expect.soft(page.getByText("Пример", { exact: true })).toHaveCount(0);
      },
    },
    {
      name: "the sum of the messages counts the invented ones",
      here: true,
      does: async (page) => {
        const shown = page.getByText(/^\d+\sсообщени/);
        await expect(shown).toHaveCount(5);
        const counts = await shown.allInnerTexts();
        const sum = counts.reduce((total, words) => total + Number.parseInt(words, 10), 0);
        await expect.soft(page.locator("main dl").filter({ hasText: "Всего сообщений" })).toContainText(String(sum));
      },
    },
    {
      name: "search and filter go to the server",
      here: true,
      does: async (page) => {
        await page.getByPlaceholder("Имя или сообщение").fill("чай");
        await page.getByRole("button", { name: "Фильтр" }).click();
        await page.getByLabel("Платформа").selectOption("telegram");
      },
      asks: ["GET /api/conversations?q=чай&platform=telegram&named=1"],
    },
    {
      name: "new conversation",
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

test("search, filter and tabs narrow the list, stand in the address, and the file has exactly these rows", async ({
  page,
}) => {
  const { post, put, ask } = await withTwin(page);
  const { id: formula } = await post("/api/digital-twins", buildTwinInput({ name: "=СУММ(1;2)" }));
  const first = await ask("Привет!");
  await ask("Привет!", formula);
  await put(`/api/conversations/${first.conversationId}`, { status: "closed" });
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("=СУММ(1;2)");

  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("чайник");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=%D1%87/);
  await page.getByRole("tab", { name: "Ведёт двойник" }).click();
  await expect(page.getByRole("main")).toContainText("Ничего не найдено");
  await page.getByRole("tabpanel").getByRole("button", { name: "Сбросить" }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("tab", { name: "Закрыты" }).click();
  await expect(rows(page)).toContainText(["Завершен"]);
  await expect(page).toHaveURL("/conversations?tab=closed");
  for (const [tab, title] of [
    ["Ждут одобрения", "Ничто не ждёт одобрения"],
    ["Веду я", "Вы не ведёте ни одного диалога"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel")).toContainText(title);
    await expect(page.getByRole("link", { name: "Добавить интеграцию" })).toHaveAttribute("href", "/add-integration");
  }
  await page.getByRole("tab", { name: "Все" }).click();
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("combobox", { name: "Двойник" }).selectOption({ label: "=СУММ(1;2)" });
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Двойник" })).toHaveValue(formula);
  await expect(rows(page)).toHaveCount(1);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Экспорт" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^dialogi-\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile((await download.path()) as string, "utf8");
  expect(file.startsWith('\uFEFF"Собеседник","Двойник","Платформа","Статус","Сообщений",')).toBe(true);
  expect(file.trim().split("\r\n")).toHaveLength(2);
  expect(file).toContain(`"Привет!","'=СУММ(1;2)","Тестовый чат","Активен","2",`);
  await expect(toast(page)).toContainText("Экспорт готов");
});

test("at a desk a conversation has two lines, beside an open one four, and nothing is cut off its page", async ({
  page,
}) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([buildConversation(1), buildConversation(2)]),
    [`GET /api/conversations/${uuid(401)}/messages`]: json([]),
  });
  const heights = () => rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/conversations");
    await expect(rows(page)).toHaveCount(2);
    expect(Math.max(...(await heights())), `${width} px`).toBeLessThanOrEqual(61);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await rows(page)
      .first()
      .getByRole("button", { name: /^Открыть чат/ })
      .click();
    await expect(page.getByRole("region", { name: /^Диалог:/ })).toBeVisible();
    expect(Math.max(...(await heights())), `${width} px beside an open one`).toBeLessThanOrEqual(109);
    await expect(rows(page).first()).toContainText("Мария");
    const open = (await rows(page).first().getByText("Открыть чат").boundingBox())!;
    const row = (await rows(page).first().boundingBox())!;
    expect(open.x + open.width, "the button is inside its row").toBeLessThanOrEqual(row.x + row.width);
  }
});
