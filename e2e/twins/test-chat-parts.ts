// What the tests of test-chat.spec.ts and test-chat.full.spec.ts share.
import type { Page } from "@playwright/test";
import { buildReply } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { streamed } from "../support/answers.ts";

export const grounded = buildReply({
  response: "Доставка по Москве **1–2 дня**",
  sources: [
    { documentId: uuid(500), name: "Доставка.pdf", text: "По Москве привозим за 1–2 дня, по России за неделю." },
  ],
  replyExamples: [{ incoming: null, reply: "обычно за пару дней)" }],
  reason: "Ответ найден в документе «Доставка.pdf».",
});

export const answered = streamed(["delta", { text: "Доставка " }], ["done", grounded]);

export const input = (page: Page) => page.getByRole("textbox", { name: "Сообщение" });
