// A quotation claims no answer: under it stands that it is one, and no per cent.
import { buildApproval, buildContact, buildConversation, buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

const sources = [{ documentId: uuid(5), name: "Доставка", text: "Курьер приезжает с 9 до 21." }];
const quoted = {
  confidence: 0.11,
  basis: "quoted",
  reason: "Точного ответа двойник не нашёл и показал, что сказано в документе «Доставка».",
  sources,
} as const;

test("under a quotation no screen shows how sure the twin is", async ({ page }) => {
  const talk = buildConversation(1, { platform: "test", participants: buildContact({ name: "Тестовый чат" }) });
  const text = "В документе сказано: «Курьер приезжает с 9 до 21.»";
  await answering(page, {
    "GET /api/digital-twins": json([buildTwin(1, { name: "Анна" })]),
    "GET /api/conversations": json([talk]),
    [`GET /api/conversations/${talk.id}/messages`]: json([
      buildMessage(1, { content: "Когда привезёте?" }),
      buildMessage(2, { ...quoted, role: "assistant", content: text }),
    ]),
    "GET /api/approvals": json([buildApproval(1, { ...quoted, question: "Когда привезёте?", text })]),
  });
  for (const at of [`/conversations?dialog=${talk.id}`, "/conversations?tab=approval"]) {
    await page.goto(at);
    await expect(page.getByText("Цитата из документа").first(), at).toBeVisible();
    await expect(page.getByText("с 9 до 21").first()).toBeVisible();
    await expect(page.locator("main"), at).not.toContainText(/11\s*%|Уверенность/);
  }
});
