// Section 2, Knowledge base; sections 7 to 9 for it.
import type { Locator, Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeMessage, buildKnowledgeStats, buildSource } from "../factories/knowledge.ts";
import { twins } from "../factories/twin.ts";
import { fails, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, heading, one, options, placeholder, specify, tab, text } from "../support/specify.ts";
import { DESKTOP } from "../support/viewports.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const card = (label: string, figure: RegExp) =>
  one(`card ${label}`, (page: Page) => page.locator("main dl").filter({ hasText: label }).getByText(figure));

const row = (name: string) => (page: Page) => page.getByRole("listitem").filter({ hasText: name });

const inRow = (name: string, words: string | RegExp) =>
  one(`${name}: ${words}`, (page: Page) => row(name)(page).getByText(words));

const base = {
  "GET /api/digital-twins": json(twins),
  "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
};

/** The cards stand over the tabs, whatever the width. */
const above = (what: string, upper: (page: Page) => Locator, lower: (page: Page) => Locator) => async (page: Page) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const [over, under] = [await upper(page).boundingBox(), await lower(page).boundingBox()];
    expect.soft(over!.y + over!.height, `${what} at ${width} px`).toBeLessThanOrEqual(under!.y);
  }
  await page.setViewportSize(DESKTOP);
};

specify("2. Knowledge base (/knowledge)", {
  at: "/knowledge",
  inSight: true,
  answers: {
    ...base,
    "GET /api/knowledge-base/sources": json([
      buildSource(1, { name: "Telegram: Анна", kind: "export", digitalTwinId: uuid(1) }),
      buildSource(2, { platform: "email", status: "paused", lastImport: null, messagesCount: 0 }),
    ]),
  },
  calls: ["GET /api/knowledge-base/stats", "GET /api/knowledge-base/sources"],
  shows: [
    heading("База знаний"),
    card("Всего сообщений", /^12\s345$/),
    card("Сообщения Telegram", /^12\s000$/),
    card("Сообщения Email", /^300$/),
    card("Сообщения WhatsApp", /^45$/),
    one("the first tab", (page) => page.getByRole("tab", { name: "Источники данных" }), { "aria-selected": "true" }),
    tab("Обучающие данные"),
    inRow("Telegram: Анна", /^Анна$/),
    inRow("Telegram: Анна", /^21\sсообщение$/),
    inRow("Telegram: Анна", /^20\.11\.2025, 10:01$/),
    inRow("Telegram: Анна", /^Telegram$/),
    inRow("Telegram: Анна", /^Активен$/),
    inRow("Telegram: Анна", /^Переимпорт$/),
    inRow("Источник 2", /^Переимпорт$/),
    inRow("Источник 2", "Email"),
    inRow("Источник 2", /^Неактивен$/),
    inRow("Источник 2", "Никогда"),
    button(/^Переимпорт.*Анна$/),
    button(/^Переимпорт.*2$/, { disabled: true }),
    text(/^Последнее обновление: 20 ноября 2025/),
  ],
  states: [
    {
      name: "empty; no last update",
      answers: {
        "GET /api/knowledge-base/sources": json([]),
        "GET /api/knowledge-base/stats": json({
          totalMessages: 0,
          telegramMessages: 0,
          emailMessages: 0,
          whatsappMessages: 0,
        }),
      },
      shows: [text("Источники данных не найдены")],
      hides: [text(/Последнее обновление/)],
    },
    {
      name: "no figures: the cards stand",
      answers: { "GET /api/knowledge-base/stats": fails(503, "База данных временно недоступна") },
      shows: [card("Всего сообщений", /^—$/), card("Сообщения WhatsApp", /^—$/), text("Telegram: Анна")],
    },
  ],
  acts: [
    {
      name: "the four cards are above the tabs; the two specified tabs are the first",
      does: async (page) => {
        const whatsapp = (page: Page) => page.locator("main dl").filter({ hasText: "Сообщения WhatsApp" });
        await above("the cards", whatsapp, (page) => page.getByRole("tablist"))(page);
        await expect(page.getByRole("tab")).toHaveText([/^Источники данных/, /^Обучающие данные/, /./, /./, /./]);
      },
    },
    {
      name: "«Переимпорт» asks the server, and leads nowhere when it refuses",
      answers: { [`POST /api/integrations/${uuid(1)}/reimport`]: fails(409, "Этот источник — файл выгрузки.") },
      does: (page) => page.getByRole("button", { name: /^Переимпорт.*Анна$/ }).click(),
      sends: { call: `POST /api/integrations/${uuid(1)}/reimport` },
      toast: ["Ошибка переимпорта", "Этот источник — файл выгрузки."],
      leadsTo: "/knowledge",
    },
  ],
});

specify("2. Knowledge base, «Обучающие данные»", {
  at: "/knowledge?tab=messages",
  inSight: true,
  answers: {
    ...base,
    "GET /api/knowledge-base/messages": json([
      buildKnowledgeMessage(1),
      ...Array.from({ length: 40 }, (_, n) =>
        buildKnowledgeMessage(n + 2, { platform: "email", isTrainingData: false }),
      ),
    ]),
  },
  calls: ["GET /api/knowledge-base/messages"],
  shows: [
    placeholder("Поиск по сообщениям..."),
    options("Платформа", ["Все платформы", "Telegram", "Email", "WhatsApp"]),
    options("Двойник", ["Все двойники", "Анна", "Олег"]),
    card("Всего сообщений", /^12\s345$/),
    inRow("Сообщение 1", /^Telegram$/),
    inRow("Сообщение 1", /^Обучающие данные$/),
    inRow("Сообщение 1", /^20 ноября 2025 г\. в\s\d\d:\d\d$/),
    inRow("Сообщение 2", /^Email$/),
    inRow("Сообщение 2", /^20 ноября 2025 г\. в\s\d\d:\d\d$/),
  ],
  acts: [
    {
      name: "a message that is no training data has no such badge; 9. the list's thumb is 18 px high at least",
      does: async (page) => {
        await expect.soft(row("Сообщение 2")(page).first().getByText("Обучающие данные")).toHaveCount(0);
        const list = page.getByRole("region", { name: "Сообщения", exact: true });
        const thumb = list.evaluate((list) => getComputedStyle(list, "::-webkit-scrollbar-thumb").minHeight);
        expect.soft(await thumb).toBe("18px");
      },
    },
  ],
});
