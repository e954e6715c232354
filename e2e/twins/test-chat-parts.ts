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

export const openChat = (page: Page, name: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) })
    .getByRole("button", { name: "Тест чат" })
    .click();

/** Puts an answer stream that the test writes itself in the place of the network: `push` adds an event. */
export async function streamByHand(page: Page) {
  await page.addInitScript(() => {
    const network = window.fetch;
    // The question is sent once fewer than three other answers are being written.
    const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    let writer = asked.promise;
    const pushEvent = async (text: string) => (await writer).enqueue(new TextEncoder().encode(text));
    Object.assign(window, { pushEvent });
    window.fetch = async (url, init) => {
      if (url !== "/api/ai-generate") return network(url, init);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          asked.resolve(controller);
          writer = Promise.resolve(controller);
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
  });
  return (event: string, data: unknown) =>
    page.evaluate(
      (text) => (window as unknown as { pushEvent: (text: string) => Promise<void> }).pushEvent(text),
      `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );
}
