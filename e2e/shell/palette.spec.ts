// What the palette finds by the words of contacts, messages, documents and facts, against answers of the test's own.
import type { Page } from "@playwright/test";
import { buildContact, buildConversation } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildKnowledgeStats } from "../factories/knowledge.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

/** What /knowledge asks for. */
const knowledge = {
  "GET /api/knowledge-base/stats": json(buildKnowledgeStats()),
  "GET /api/knowledge/uses": json({ uses: [], atLeast: false }),
  "GET /api/knowledge/facts": json({ facts: [], waiting: [] }),
};

const FOUND = {
  contacts: [
    {
      ...{ conversationId: uuid(901), name: "Трюфелева Ольга", platform: "telegram", twinName: "Анна" },
      ...{ lastMessage: "А до пятницы успеете?", hasDraft: true },
    },
  ],
  messages: [
    {
      ...{ id: "77", conversationId: uuid(902), name: "Пётр", platform: "whatsapp" },
      excerpt: "Есть ли трюфель на пятницу?",
    },
  ],
  documents: [{ id: uuid(51), name: "Правила", twinName: "Анна", excerpt: "о магазине. Чёрный трюфель по средам" }],
  facts: [{ id: uuid(71), question: "Почём трюфель?", text: "Трюфель стоит 900 рублей", twinName: "Анна" }],
  forms: ["трюфелей"],
};

async function open(page: Page) {
  await page.goto("/twins");
  await expect(page.getByRole("main").getByText("Анна").first()).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
}

test("before anything is typed it leads to what waits and to the last talks with contacts", async ({ page }) => {
  await withTwins(page, {
    "GET /api/approvals/count": json({ waiting: 3 }),
    "GET /api/conversations": (_route, request) => {
      const customersAlone = new URL(request.url()).searchParams.get("contacts") === "1";
      const test = buildConversation(1, { platform: "test", participants: buildContact({ name: "Тестовый чат" }) });
      return [...(customersAlone ? [] : [test]), buildConversation(2, { lastMessage: "Когда привезёте?" })];
    },
  });
  await open(page);
  const palette = page.getByRole("dialog");
  await expect(palette.getByRole("group", { name: "Последние диалоги" }).getByRole("option")).toHaveText(
    /Мария.*Когда привезёте\?/,
  );
  await expectAccessibleCrosswise(page, "palette-at-hand");
  await page.keyboard.type("раз");
  await expect(palette.getByRole("group", { name: "Последние диалоги" })).toHaveCount(0);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Backspace");
  await palette.getByRole("option", { name: "Разобрать ответы Ждут одобрения 3 ответа." }).click();
  await expect(page).toHaveURL(/\/conversations\?tab=approval$/);
});

test("contacts, messages, documents and facts are found by a word, in groups, and opened by keys alone", async ({
  page,
}) => {
  const asked: string[] = [];
  await withTwins(page, {
    ...knowledge,
    "GET /api/search": (_route, request) => {
      asked.push(new URL(request.url()).search);
      return FOUND;
    },
  });
  await open(page);
  await page.keyboard.type("nh.a", { delay: 20 });
  const palette = page.getByRole("dialog");
  const group = (name: string) => palette.getByRole("group", { name });
  await expect(group("Собеседники").getByRole("option")).toHaveText(
    /Трюфелева Ольга.*Черновик · А до пятницы успеете\? · Telegram · Анна/,
  );
  await expect(group("Сообщения").getByRole("option")).toHaveText([
    /Есть ли трюфель на пятницу\?.*Пётр · WhatsApp/,
    "Все сообщения с этими словами",
  ]);
  await expect(group("Документы").getByRole("option")).toHaveText(/Правила.*Чёрный трюфель/);
  await expect(group("Факты").getByRole("option")).toHaveText(/Трюфель стоит 900 рублей.*Почём трюфель/);
  // One call for all the letters, with the same keys on the other layout.
  expect(asked).toEqual([`?${new URLSearchParams({ q: "nh.a", or: "трюф" })}`]);
  await expectAccessibleCrosswise(page, "the palette with what was found");
  await expect(group("Собеседники").getByRole("option")).toHaveAttribute("aria-selected", "true");
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/knowledge?tab=facts&fact=${encodeURIComponent("Почём трюфель?")}`);
});

test("a document that was found opens in its place, and acts stand before finds", async ({ page }) => {
  await withTwins(page, {
    "GET /api/search": json(FOUND),
    ...knowledge,
  });
  await open(page);
  await page.keyboard.type("Telegram");
  await expect(page.getByRole("option").first()).toHaveText("Подключить Telegram");
  // The letters of «доставк» stand in «Создать двойника Create Twin», far from each other.
  await page.getByRole("combobox").fill("доставк");
  await expect(page.getByRole("option").first()).toHaveText(/Трюфелева Ольга/);
  await expect(page.getByRole("option", { name: "Создать двойника" })).toHaveCount(0);
  await page.getByRole("combobox").fill("трюфель");
  await page.getByRole("option", { name: /Правила/ }).click();
  await expect(page).toHaveURL(`/knowledge?tab=documents&document=${uuid(51)}`);
});

test("a message that was found opens its conversation there, and all others with the words are one step away", async ({
  page,
}) => {
  await withTwins(page, { "GET /api/search": json(FOUND) });
  await open(page);
  await page.keyboard.type("nh.atkm");
  await page.getByRole("option", { name: /на пятницу/ }).click();
  await expect(page).toHaveURL(`/conversations?dialog=${uuid(902)}&message=77`);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("nh.atkm");
  await page.getByRole("option", { name: "Все сообщения с этими словами" }).click();
  await expect(page).toHaveURL(`/conversations?q=${encodeURIComponent("трюфель")}`);
});

test("words are marked where a word begins, so that «Сахалин» is no «алин»", async ({ page }) => {
  const [message] = FOUND.messages;
  const messages = [{ ...message, excerpt: "Алина, везёте до Сахалина?" }];
  await withTwins(page, { "GET /api/search": json({ ...FOUND, messages }) });
  await open(page);
  await page.keyboard.type("алин");
  await expect(page.getByRole("option", { name: /Сахалина/ }).locator("mark")).toHaveText(["Алин"]);
});

test("a word in another form is marked as it stands there", async ({ page }) => {
  const messages = [{ ...FOUND.messages[0], excerpt: "Нет ли трюфелей на пятницу?" }];
  await withTwins(page, { "GET /api/search": json({ ...FOUND, messages }) });
  await open(page);
  await page.keyboard.type("трюфель");
  await expect(page.getByRole("option", { name: /Нет ли/ }).locator("mark")).toHaveText(["трюфелей"]);
});

test("words that are found nowhere can be sought in all messages, or a twin created, by keys alone", async ({
  page,
}) => {
  await withTwins(page, {});
  await open(page);
  await page.keyboard.type("прокат");
  const palette = page.getByRole("dialog");
  await expect(palette.getByText("Ничего не найдено")).toBeVisible();
  await expect(palette.getByRole("option")).toHaveText(["Искать „прокат“ в сообщениях", "Создать двойника"]);
  await expectAccessibleCrosswise(page, "the palette that has found nothing");
  // A section is a hit.
  await page.getByRole("combobox").fill("диалоги");
  await expect(palette.getByRole("option")).toHaveText([
    "Диалоги",
    "Искать „диалоги“ в сообщениях",
    "Создать двойника",
  ]);
  await expect(palette.getByText("Ничего не найдено")).toHaveCount(0);
  await page.getByRole("combobox").fill("прокат");
  await expect(palette.getByRole("option").first()).toHaveText("Искать „прокат“ в сообщениях");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/conversations?q=${encodeURIComponent("прокат")}`);
});

test("what cannot be searched is said, and a slow answer does not look like none", async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 503/);
  let away = true;
  const slow = Promise.withResolvers<void>();
  await withTwins(page, {
    "GET /api/search": async (route) => {
      if (away)
        return route.fulfill({ status: 503, json: { message: "Нет базы", code: "database_away", requestId: "r" } });
      await slow.promise;
      return { contacts: [], messages: [], documents: [], facts: [], forms: [] };
    },
  });
  await open(page);
  await page.keyboard.type("ъъъъ");
  await expect(page.getByRole("alert").filter({ hasText: "Не удалось поискать" })).toBeVisible();
  away = false;
  await page.getByRole("combobox").fill("ъъъъъ");
  await expect(page.getByText("Ищем...")).toBeVisible();
  slow.resolve();
  await expect(page.getByText("Ничего не найдено")).toBeVisible();
});
