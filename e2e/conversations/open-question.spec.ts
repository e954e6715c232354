// A question that a twin leaves to its owner is called the same everywhere.
import { buildApproval, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { PHONE } from "../support/viewports.ts";

test("a question without an answer asks for the owner's in the queue and in its conversation", async ({ page }) => {
  const open = buildApproval(1, { text: "", basis: "unknown", confidence: 0 });
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/approvals": json([open]),
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/conversations/${uuid(401)}`]: json(buildConversation(1)),
    [`GET /api/conversations/${uuid(401)}/messages`]: json([buildMessage(1)]),
    [`GET /api/conversations/${uuid(401)}/answers`]: json([open]),
  });
  await page.setViewportSize(PHONE);
  await page.goto("/conversations?tab=approval");
  await expect(page.getByRole("article", { name: "Собеседник 1" })).toContainText("Нужен ваш ответ");
  await page.goto(`/conversations?dialog=${uuid(401)}`);
  await expect(page.getByRole("heading", { name: "Нужен ваш ответ" })).toBeVisible();
});

test("what a twin could not answer is corrected beside the nearest passage of the documents", async ({ page }) => {
  const nearest = { documentId: uuid(800), name: "Доставка", text: "Курьер ездит до Мытищ." };
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/conversations/${uuid(401)}`]: json(buildConversation(1)),
    [`GET /api/conversations/${uuid(401)}/messages`]: json([
      buildMessage(1),
      buildMessage(2, { role: "assistant", content: "Не знаю.", basis: "unknown", confidence: 0, sources: [nearest] }),
    ]),
    [`GET /api/conversations/${uuid(401)}/answers`]: json([]),
  });
  await page.goto(`/conversations?dialog=${uuid(401)}`);
  await page.getByRole("log").getByRole("button", { name: "Исправить ответ" }).click();
  const editor = page.getByRole("dialog", { name: "Исправить ответ" });
  await expect(editor.getByRole("textbox", { name: "Как ответили бы вы" })).toHaveValue("");
  await editor.getByText("Ближе всего в документах: «Доставка»").click();
  await expect(editor.getByText(nearest.text)).toBeVisible();
});
