// Section 2, a twin's test chat; sections 7 and 8 for it: whole, drawn as it comes, stopped and failed.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, fails, json, listOf, plain, streamed } from "../support/answers.ts";
import { watchClipboard } from "../support/clipboard.ts";
import { expect, test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { heading, specify, text } from "../support/specify.ts";
import { toast } from "../support/toast.ts";
import { answered, grounded, input } from "./test-chat-parts.ts";

test.use({ allowedConsoleErrors: [/status of 50\d/] });

const openChat = (page: Page, name: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name }) })
    .getByRole("button", { name: "Тест чат" })
    .click();

/** Puts an answer stream that the test writes itself in the place of the network: `push` adds an event. */
async function streamByHand(page: Page) {
  await page.addInitScript(() => {
    const network = window.fetch;
    let writer: ReadableStreamDefaultController<Uint8Array>;
    Object.assign(window, { pushEvent: (text: string) => writer.enqueue(new TextEncoder().encode(text)) });
    window.fetch = async (url, init) => {
      if (url !== "/api/ai-generate") return network(url, init);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          writer = controller;
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
  });
  return (event: string, data: unknown) =>
    page.evaluate(
      (text) => (window as unknown as { pushEvent: (text: string) => void }).pushEvent(text),
      `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );
}

test("an empty one offers questions that the owner has opened to all, and a press asks", async ({ page }) => {
  const asked: unknown[] = [];
  const reply = (n: number, question: string, state: "open" | "closed" = "open") => ({
    ...{ id: String(n), origin: "opened", question, reply: "Да, мелем.", people: 1, state },
  });
  await answering(page, {
    ...listOf(buildTwin(1)),
    [`GET /api/digital-twins/${uuid(1)}/open-replies`]: json({
      counts: { replies: 9, opened: 3, recurring: 0, closed: 1, proposals: 0 },
      replies: [reply(1, "Вы мелете кофе?"), reply(2, "спасибо"), reply(3, "Есть ли скидка?", "closed")],
      proposals: [],
      found: [],
    }),
    "POST /api/ai-generate": (route, request) => {
      asked.push(request.postDataJSON());
      return answered(route, request);
    },
  });
  await page.goto("/twins");
  await openChat(page, "Двойник 1");
  const offered = page.getByRole("list", { name: "Что можно спросить" });
  await expect(offered.getByRole("button")).toHaveText(["Вы мелете кофе?"]);
  await expectAccessibleCrosswise(page, "an empty test chat with questions");
  await input(page).fill("А чай?");
  await offered.getByRole("button").click();
  await expect(page.getByRole("log").getByRole("listitem").first()).toContainText("Вы мелете кофе?");
  // What was being written is not lost to a press beside it.
  await expect(input(page)).toHaveValue("А чай?");
  await expect(offered).toHaveCount(0);
  expect(asked).toEqual([{ twinId: uuid(1), message: "Вы мелете кофе?" }]);
});

test("answers with its grounds, and only one stands open", async ({ page }) => {
  const asked: unknown[] = [];
  await answering(page, {
    ...listOf(buildTwin(1), buildTwin(2)),
    "POST /api/ai-generate": (route, request) => {
      asked.push(request.postDataJSON());
      return answered(route, request);
    },
  });
  await page.goto("/twins");
  await openChat(page, "Двойник 1");
  const send = page.getByRole("button", { name: "Отправить" });
  await expect(send).toBeDisabled();
  await input(page).fill("   ");
  await expect(send).toBeDisabled();
  await input(page).press("Enter");
  await input(page).fill("Сколько идёт");
  await input(page).press("Shift+Enter");
  await input(page).pressSequentially("доставка?");
  // Enter that ends a word of an input method.
  await input(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect(page.getByRole("log").getByRole("listitem")).toHaveCount(0);
  await input(page).press("Enter");
  const chat = page.getByRole("region", { name: "Тест чат: Двойник 1" });
  await expect(chat.locator("strong")).toHaveText("1–2 дня");
  await expect(toast(page)).toContainText("Ответ получен!");
  await expect(toast(page)).toContainText("AI агент сгенерировал ответ");
  await expect(input(page)).toHaveValue("");
  await expect(chat.getByText("Из документа · Уверенность 82%")).toBeVisible();
  await expect(chat.getByText("Похоже на ваш ответ: обычно за пару дней)")).toBeVisible();
  await expect(chat.locator("[aria-live=polite]")).toHaveText("Двойник «Двойник 1» ответил");
  expect(asked).toEqual([{ twinId: uuid(1), message: "Сколько идёт\nдоставка?" }]);

  await page.context().grantPermissions(["clipboard-write"]);
  const copied = await watchClipboard(page);
  await chat.getByRole("button", { name: "Копировать" }).click();
  await expect(chat.getByRole("button", { name: "Скопировано" })).toBeVisible();
  expect(await copied()).toBe(grounded.response);

  await chat.getByRole("button", { name: "Доставка.pdf" }).click();
  await expect(page.getByRole("dialog", { name: "Доставка.pdf" })).toContainText("По Москве привозим за 1–2 дня");
  await expect(page.getByRole("dialog").getByRole("button", { name: "Закрыть" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(chat.getByRole("button", { name: "Доставка.pdf" })).toBeFocused();

  await chat.getByRole("button", { name: "Ответить заново" }).click();
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]).toMatchObject({ conversationId: uuid(600) });
  await expect(chat.getByRole("listitem").filter({ hasText: "Доставка по Москве" })).toHaveCount(1);

  await page.getByRole("button", { name: "Закрыть уведомление" }).click();
  const toggles = page.getByRole("button", { name: "Тест чат" });
  const expectExpanded = async (...states: string[]) => {
    for (const [place, state] of states.entries()) {
      await expect(toggles.nth(place)).toHaveAttribute("aria-expanded", state);
    }
  };
  await expectExpanded("true", "false");
  await openChat(page, "Двойник 2");
  await expectExpanded("false", "true");
  await expect(page.getByRole("region", { name: /^Тест чат/ })).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Тест чат: Двойник 2" }).getByRole("listitem")).toHaveCount(0);
  await openChat(page, "Двойник 1");
  await expect(chat.locator("strong")).toHaveText("1–2 дня");
  await openChat(page, "Двойник 1");
  await expect(page.getByRole("region", { name: /^Тест чат/ })).toHaveCount(0);
  await expectExpanded("false", "false");
});

test("is drawn as it comes, stops at Esc and keeps what had come", async ({ page }) => {
  const push = await streamByHand(page);
  await answering(page, listOf(buildTwin(1)));
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Здравствуйте");
  await input(page).press("Enter");
  const log = page.getByRole("log");
  await expect(log.getByText("Двойник печатает")).toBeAttached();
  await input(page).fill("следующий вопрос");
  await expect(page.getByRole("button", { name: "Отправить" })).toBeDisabled();
  await push("delta", { text: "Добрый " });
  await push("delta", { text: "день" });
  await expect(log.getByText("Добрый день")).toBeVisible();
  await expect(page.getByRole("button", { name: "Остановить" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(log.getByText("Ответ остановлен")).toBeVisible();
  await expect(log.getByText("Добрый день")).toBeVisible();
  await expect(input(page)).toHaveValue("следующий вопрос");
  await expect(page.getByRole("button", { name: "Отправить" })).toBeEnabled();
});

test("follows a growing answer only from its end", async ({ page }) => {
  const push = await streamByHand(page);
  await answering(page, listOf(buildTwin(1)));
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Расскажите подробно");
  await input(page).press("Enter");
  const log = page.getByRole("log");
  const fromEnd = () => log.evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight));
  const lines = (word: string) => push("delta", { text: `${word} и ещё\n\n`.repeat(20) });
  await lines("первое");
  await expect(log.getByText("первое").last()).toBeVisible();
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
  await log.evaluate((box) => box.scrollTo(0, 0));
  await lines("второе");
  await expect(log.getByText("второе").last()).toBeAttached();
  expect(await log.evaluate((box) => box.scrollTop)).toBe(0);
  await page.getByRole("button", { name: "К последнему" }).click();
  await expect.poll(fromEnd).toBeLessThanOrEqual(1);
});

test("that fails says why and gives the message back", async ({ page }) => {
  let answer = fails(409, "Двойник приостановлен. Включите его в настройках.");
  await answering(page, {
    ...listOf(buildTwin(1)),
    "POST /api/ai-generate": (route, request) => answer(route, request),
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Вы тут?");
  await input(page).press("Enter");
  await expect(toast(page)).toContainText("Ошибка генерации");
  await expect(toast(page)).toContainText('HTTP error! status: 409, message: {"message":"Двойник приостановлен.');
  await expect(input(page)).toHaveValue("Вы тут?");
  await expect(page.getByRole("log")).toContainText("Без ответа: Двойник приостановлен. Включите его в настройках.");

  // 8. What is no sentence of the server's is its status and body.
  answer = plain(502, "");
  await input(page).press("Enter");
  await expect(toast(page)).toContainText("HTTP error! status: 502, message: ");
  await expect(input(page)).toHaveValue("Вы тут?");

  answer = streamed(
    ["delta", { text: "Я ту" }],
    ["error", { message: "Модель не ответила", code: "x", requestId: "r" }],
  );
  await input(page).press("Enter");
  await expect(toast(page)).toContainText("Модель не ответила");
  await expect(page.getByRole("log")).toContainText("Ответ оборвался");
  await expect(input(page)).toHaveValue("Вы тут?");

  // A server that does not stream, and what failed before is gone.
  answer = json({ response: "Да, слушаю" });
  await input(page).press("Enter");
  await expect(page.getByRole("log").getByText("Да, слушаю")).toBeVisible();
  await expect(page.getByRole("log").getByText("Вы тут?")).toHaveCount(1);
  await expect(page.getByRole("log").getByText("Ответ оборвался")).toHaveCount(0);

  // An answer that cannot be had anew stays as it was.
  answer = fails(429, "Слишком много запросов");
  await page.getByRole("button", { name: "Ответить заново" }).click();
  await expect(toast(page)).toContainText("Слишком много запросов");
  await expect(page.getByRole("log").getByText("Да, слушаю")).toBeVisible();
  await expect(input(page)).toHaveValue("");
});

specify("7. Test chat: the field that is read is response", {
  at: "/twins",
  answers: named,
  shows: [heading("Анна")],
  acts: [
    {
      name: "a JSON answer",
      answers: { "POST /api/ai-generate": json({ response: "Ответ модели" }) },
      does: async (page) => {
        await page.getByRole("button", { name: "Тест чат" }).click();
        await page.getByRole("textbox", { name: "Сообщение" }).fill("Привет");
        await page.keyboard.press("Enter");
      },
      toast: ["Ответ получен!", "AI агент сгенерировал ответ"],
      shows: [text("Ответ модели")],
    },
  ],
});
