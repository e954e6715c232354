// What the palette finds by the words of contacts, messages, documents and facts, against answers of the test's own.
import { buildContact, buildConversation } from "../factories/conversation.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, withTwins } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { FOUND, knowledge, open } from "./palette-parts.ts";

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

test.describe("with a clock of its own", () => {
  test.use({ ownContext: true });
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
    await page.clock.install();
    await open(page);
    // The letters come faster than a pause in typing, however slow the machine is.
    await pauseClock(page);
    await page.keyboard.type("nh.a");
    expect(asked).toEqual([]);
    await page.clock.runFor(1000);
    await page.clock.resume();
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
});

test("words are marked where a word begins, so that «Сахалин» is no «алин»", async ({ page }) => {
  const [message] = FOUND.messages;
  const messages = [{ ...message, excerpt: "Алина, везёте до Сахалина?" }];
  await withTwins(page, { "GET /api/search": json({ ...FOUND, messages }) });
  await open(page);
  await page.keyboard.type("алин");
  await expect(page.getByRole("option", { name: /Сахалина/ }).locator("mark")).toHaveText(["Алин"]);
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

test("a screen that comes late leaves the focus to the palette, so that no letter is lost", async ({ page }) => {
  let come = () => {};
  const isCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  await answering(page, {});
  await page.goto("/account");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Мой аккаунт");
  const input = page.getByRole("combobox");
  // The palette's own code is there.
  await page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(input).toHaveCount(0);
  // That of the next screen is on its way while the palette opens again.
  await interceptCalls(page, (route) => isCome.then(() => route.continue()), "*://*/assets/*.js");
  await page.evaluate(() => history.pushState(null, "", "/create-twin"));
  await page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await page.keyboard.type("ан");
  come();
  await expect(page).toHaveTitle(/^Создание двойника/);
  await page.keyboard.type("али");
  await expect(input).toHaveValue("анали");
});
