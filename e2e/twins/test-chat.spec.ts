// Section 2, a twin's test chat; sections 7 and 8 for it: whole, drawn as it comes, stopped and failed.
import { buildMessage } from "../factories/conversation.ts";
import { uuid } from "../factories/ids.ts";
import { buildUser } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, fails, json, listOf, plain, streamed } from "../support/answers.ts";
import { watchClipboard } from "../support/clipboard.ts";
import { expect, test } from "../support/fixtures.ts";
import { named } from "../support/named-fields.ts";
import { heading, specify, text } from "../support/specify.ts";
import { toast } from "../support/toast.ts";
import { answered, grounded, input, openChat, streamByHand } from "./test-chat-parts.ts";

test.use({ allowedConsoleErrors: [/status of 50\d/] });

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

test("goes on after a reload with what was said in this tab, and begins anew once the conversation is gone", async ({
  page,
}) => {
  const asked: unknown[] = [];
  const read: string[] = [];
  const stored = [
    buildMessage(1, { content: "Сколько идёт доставка?" }),
    buildMessage(2, { role: "assistant", content: "Один день" }),
  ];
  let transcript = json(stored);
  await answering(page, {
    ...listOf(buildTwin(1), buildTwin(2)),
    "POST /api/ai-generate": (route, request) => {
      asked.push(request.postDataJSON());
      return answered(route, request);
    },
    [`GET /api/conversations/${uuid(600)}/messages`]: (route, request) => {
      read.push(new URL(request.url()).pathname);
      return transcript(route, request);
    },
  });
  const ask = async (text: string) => {
    await input(page).fill(text);
    await input(page).press("Enter");
    await expect(toast(page)).toContainText("Ответ получен!");
  };
  await page.goto(`/twins?chat=${uuid(1)}`);
  await ask("Сколько идёт доставка?");
  expect(read).toEqual([]);
  await page.reload();
  const log = page.getByRole("log");
  await expect(log.getByText("Один день")).toBeVisible();
  await expect(log.getByRole("listitem")).toHaveCount(2);
  await ask("А в Тверь?");
  expect(asked.at(-1)).toEqual({ twinId: uuid(1), message: "А в Тверь?", conversationId: uuid(600) });
  await page.goto(`/twins?chat=${uuid(2)}`);
  await expect(page.getByText("Напишите сообщение, чтобы проверить")).toBeVisible();
  await expect(page.getByText("Один день")).toHaveCount(0);

  transcript = fails(404, "Диалог не найден");
  await page.goto(`/twins?chat=${uuid(1)}`);
  await expect(page.getByText("Напишите сообщение, чтобы проверить")).toBeVisible();
  await ask("Снова здравствуйте");
  expect(asked.at(-1)).toEqual({ twinId: uuid(1), message: "Снова здравствуйте" });
});

test("is nothing that another sign-in in the same tab asks for", async ({ page }) => {
  const read: string[] = [];
  let user = buildUser();
  await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/auth/verify": () => ({ user }),
    "POST /api/ai-generate": answered,
    [`GET /api/conversations/${uuid(600)}/messages`]: (route, request) => {
      read.push(new URL(request.url()).pathname);
      return json([])(route, request);
    },
  });
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Тайна первого");
  await input(page).press("Enter");
  await expect(toast(page)).toContainText("Ответ получен!");
  user = buildUser({ id: uuid(902) });
  await page.reload();
  await expect(page.getByText("Напишите сообщение, чтобы проверить")).toBeVisible();
  expect(read).toEqual([]);
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

  // Another message leaves one that failed in the history.
  for (const words of ["Сколько стоит?", "А доставка?"]) {
    await input(page).fill(words);
    await input(page).press("Enter");
    await expect(page.getByRole("log").getByText(words)).toBeVisible();
    await expect(input(page)).toHaveValue(words);
  }
  await expect(page.getByRole("log").getByText("Без ответа: Слишком много запросов")).toHaveCount(2);
});

/** The id that the tab gives the conversation of its first question. */
const NEW_CONVERSATION = "00000000-0000-4000-8000-000000000009";

test("that breaks off keeps the question, after a reload too, and is asked for once more by «Повторить»", async ({
  page,
}) => {
  const asked: unknown[] = [];
  let answer = streamed(["delta", { text: "Я ту" }]);
  let stored = json([]);
  await answering(page, {
    ...listOf(buildTwin(1)),
    "POST /api/ai-generate": (route, request) => {
      asked.push([request.postDataJSON(), request.headers()["x-conversation-id"]]);
      return answer(route, request);
    },
    [`GET /api/conversations/${NEW_CONVERSATION}/messages`]: (route, request) => stored(route, request),
  });
  await page.addInitScript((id) => {
    crypto.randomUUID = () => id as ReturnType<typeof crypto.randomUUID>;
  }, NEW_CONVERSATION);
  await page.goto(`/twins?chat=${uuid(1)}`);
  await input(page).fill("Вы тут?");
  await input(page).press("Enter");
  const log = page.getByRole("log");
  const again = log.getByRole("button", { name: "Повторить" });
  await expect(log).toContainText("Ответ прервался");
  await expect(again).toBeVisible();
  await expect(input(page)).toHaveValue("");

  // The server has kept the question in the conversation that this tab has named.
  expect(asked[0]).toEqual([{ twinId: uuid(1), message: "Вы тут?" }, NEW_CONVERSATION]);
  const question = { id: "0", content: "Вы тут?" };
  stored = json([buildMessage(0, { ...question, answer: "coming" })]);
  await page.reload();
  await expect(log).toContainText("Ответ готовится");
  stored = json([buildMessage(0, { ...question, answer: "interrupted" })]);
  await expect(log).toContainText("Ответ прервался");
  answer = answered;
  await again.press("Enter");
  await expect(log.getByText("Доставка по Москве")).toBeVisible();
  await expect(log.getByText("Вы тут?")).toHaveCount(1);
  await expect(log.getByText("Ответ прервался")).toHaveCount(0);
  expect(asked[1]).toEqual([{ twinId: uuid(1), message: "Вы тут?", conversationId: NEW_CONVERSATION }, undefined]);
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
