// Section 2, Conversations: the list; sections 3, 4 and 9 for what it derives. Its search, its pages and its file.
// What list.spec.ts leaves to test:full.
import { buildContact, buildConversation } from "../../factories/conversation.ts";
import { answering, json } from "../../support/answers.ts";
import { figureOf } from "../../support/figures.ts";
import { expect, test } from "../../support/fixtures.ts";
import { asNewUser } from "../../support/session.ts";
import { rows, withTwin } from "../parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("past its first fifty rows the list goes on, and the server counts", async ({ page }) => {
  await asNewUser(page);
  const row = (n: number) =>
    buildConversation(n, {
      participants: buildContact({ name: `Собеседник ${n}` }),
      messageCount: 3,
      cursor: `2025-11-20T10:00:00.000000Z,${n}`,
    });
  const asked: string[] = [];
  await page.route(/\/api\/conversations(\?|$)/, (route, request) => {
    const before = new URL(request.url()).searchParams.get("before");
    asked.push(before ?? "");
    const from = before ? 50 : 0;
    return route.fulfill({ json: Array.from({ length: before ? 7 : 50 }, (_, n) => row(from + n)) });
  });
  await page.route("**/api/conversations/totals", (route) =>
    route.fulfill({ json: { conversations: 1057, active: 12, messages: 3171, unread: 0 } }),
  );
  await page.goto("/conversations");
  // Rows out of sight are not drawn before one nears them.
  await expect(rows(page)).toHaveCount(24);
  await expect(async () => {
    await rows(page).last().scrollIntoViewIfNeeded();
    await expect(rows(page)).toHaveCount(50, { timeout: 300 });
  }).toPass();
  await expect(rows(page).nth(49)).toHaveAttribute("aria-posinset", "50");
  await expect(figureOf(page, "Всего диалогов")).toHaveText(/^1\s057$/);
  await expect(figureOf(page, "Всего сообщений")).toHaveText(/^3\s171$/);
  await page.getByRole("button", { name: "Показать ещё" }).click();
  await expect(rows(page)).toHaveCount(57);
  // Once the stream of changes is open, the list is read again.
  expect([...new Set(asked)]).toEqual(["", "2025-11-20T10:00:00.000000Z,49"]);
  await expect(page.getByRole("button", { name: "Показать ещё" })).toHaveCount(0);
  await expect(figureOf(page, "Всего диалогов")).toHaveText("57");
});

test("test chats stand in a tab of their own, called by their first question, and count where no customer has written", async ({
  page,
}) => {
  const { ask } = await withTwin(page);
  await ask("Сколько дней доставка?");
  await page.goto("/conversations");
  await expect(rows(page)).toContainText(["Сколько дней доставка?"]);
  await expect(figureOf(page, "Всего диалогов")).toHaveText("1");

  const test = buildConversation(2, { platform: "test", participants: buildContact({ name: "Когда приедете?" }) });
  await answering(page, {
    "GET /api/conversations": json([test, buildConversation(1, { messageCount: 3 })]),
    [`GET /api/conversations/${test.id}/messages`]: json([]),
    [`GET /api/conversations/${test.id}`]: json(test),
  });
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("Мария");
  await expect(figureOf(page, "Всего диалогов")).toHaveText("1");
  await expect(figureOf(page, "Всего сообщений")).toHaveText("3");
  await page.getByRole("tab", { name: "Тестовые чаты" }).click();
  await expect(page).toHaveURL("/conversations?tab=tests");
  await expect(rows(page)).toHaveCount(1);
  await rows(page)
    .getByRole("button", { name: /^Открыть чат: Когда приедете/ })
    .click();
  await expect(page.getByRole("region", { name: "Диалог: Когда приедете?" })).toContainText("Тестовый чат · ");
});
