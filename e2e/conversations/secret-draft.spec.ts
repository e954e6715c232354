// An answer that comes from its owner's letters: a colleague sees that it waits for the owner, and neither its words nor a button.
import { buildApproval, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

const SECRET = "Ответ из личной переписки владельца: его видит только он";
const hidden = buildApproval(1, { text: SECRET, hidden: true, reason: "Двойник не уверен в ответе" });

test("it has no words and no buttons, in the queue and in its conversation, on a phone and at a desk", async ({
  page,
}) => {
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/approvals": json([hidden, buildApproval(2)]),
    "GET /api/conversations": json([buildConversation(1)]),
    [`GET /api/conversations/${uuid(401)}`]: json(buildConversation(1)),
    [`GET /api/conversations/${uuid(401)}/messages`]: json([
      buildMessage(1, { content: "Где ты был?" }),
      buildMessage(2, { role: "assistant", content: SECRET, hidden: true }),
    ]),
    [`GET /api/conversations/${uuid(401)}/answers`]: json([hidden]),
  });
  const eachWidth = async (look: () => Promise<void>) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await look();
    }
  };
  await page.goto("/conversations?tab=approval");
  const card = page.getByRole("article", { name: "Собеседник 1" });
  await eachWidth(async () => {
    await expect(card).toContainText(SECRET);
    await expect(card).toContainText("Вопрос 1");
    for (const name of ["Отправить", "Изменить", "Отклонить"])
      await expect(card.getByRole("button", { name })).toHaveCount(0);
  });
  await expectAccessible(page, "approvals");

  await page.goto(`/conversations?dialog=${uuid(401)}`);
  await eachWidth(async () => {
    await expect(page.getByText(SECRET)).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Исправить ответ" })).toHaveCount(0);
  });
});
