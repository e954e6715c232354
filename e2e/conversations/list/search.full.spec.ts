// Words in conversations: found in messages, opened where they stand, and back to what was found; by keyboard, after a reload, on a phone.
// What search.spec.ts leaves to test:full.
import { buildConversation, buildMessage } from "../../factories/conversation.ts";
import { NOW, uuid } from "../../factories/ids.ts";
import { answering, fails, hangs, json } from "../../support/answers.ts";
import { expect, test } from "../../support/fixtures.ts";
import { log, rows } from "../parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("a message that is older than what a conversation loads is shown among its neighbours, one press from the latest", async ({
  page,
}) => {
  const id = uuid(401);
  const messages = (from: number) =>
    Array.from({ length: 40 }, (_, n) => buildMessage(from + n, { content: `Строка ${from + n}` }));
  const asked: string[] = [];
  await answering(page, {
    "GET /api/conversations": json([buildConversation(1)]),
    "GET /api/conversations/search": json({
      messages: [
        {
          id: "120",
          conversationId: id,
          twinName: "Анна",
          participantName: "Мария",
          platform: "telegram",
          role: "user",
          excerpt: "Строка 120",
          timestamp: NOW,
        },
      ],
      forms: [],
      next: null,
    }),
    [`GET /api/conversations/${id}/messages`]: (_, request) => {
      const around = new URL(request.url()).searchParams.get("around");
      if (around) asked.push(around);
      return messages(around ? 100 : 5000);
    },
  });
  await page.goto("/conversations?q=120");
  await page.getByRole("button", { name: /^Открыть сообщение: Мария/ }).click();
  await expect(log(page).locator("[aria-current]")).toHaveText(/Строка 120/);
  expect([...new Set(asked)]).toEqual(["120"]);
  await page.getByRole("button", { name: "К последним" }).click();
  await expect(log(page)).toContainText("Строка 5039");
  await expect(log(page)).not.toContainText("Строка 120");
});

test("conversations and messages stand under a heading each, and a word that was said in another form is marked", async ({
  page,
}) => {
  const message = { id: "1", conversationId: uuid(401), twinName: "Анна", platform: "telegram", role: "user" };
  await answering(page, {
    "GET /api/conversations": json([buildConversation(1)]),
    "GET /api/conversations/search": json({
      messages: [{ ...message, participantName: "Оля", excerpt: "Передайте Марии, что доставки нет", timestamp: NOW }],
      forms: ["марии"],
      next: null,
    }),
  });
  await page.goto("/conversations?q=марией");
  // The server finds a name in its other forms too.
  await expect(rows(page)).toHaveCount(1);
  const found = page.getByRole("region", { name: "Найденные сообщения" });
  await expect(found.locator("mark")).toHaveText(["Марии"]);
  await expect(page.getByRole("heading", { level: 3, name: "Диалоги" })).toBeVisible();
  await expect(found.getByRole("heading", { level: 3, name: "Сообщения" })).toBeVisible();
});

test("the search says that it looks, what it did not find and that it failed", async ({ page }) => {
  const rowsOf = { "GET /api/conversations": json([buildConversation(1)]) };
  await answering(page, { ...rowsOf, "GET /api/conversations/search": hangs });
  await page.goto("/conversations?q=чай");
  await expect(page.getByRole("status").getByText("Ищем в сообщениях...")).toBeVisible();
  await answering(page, { ...rowsOf, "GET /api/conversations/search": json({ messages: [], forms: [], next: "77" }) });
  await page.goto("/conversations?q=мария");
  const found = page.getByRole("region", { name: "Найденные сообщения" });
  await expect(found).toContainText("В последних сообщениях этого нет.");
  await expect(found.getByRole("button", { name: "Искать в более ранних" })).toBeVisible();
  await answering(page, { ...rowsOf, "GET /api/conversations/search": fails(500, "Внутренняя ошибка") });
  await page.goto("/conversations?q=мари");
  await expect(found).toContainText("Не удалось найти сообщения", { timeout: 15_000 });
});
