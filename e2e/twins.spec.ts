// The twins' screens against answers of the test's own: what they say while waiting, when empty and when a call fails.
import type { Page, Request, Route } from "@playwright/test";
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

const uuid = (n: number) => `8b0e2f1c-0000-4000-8000-${String(n).padStart(12, "0")}`;

const user = {
  id: uuid(900),
  email: "anna@example.com",
  firstName: "Анна",
  lastName: "Петрова",
  first_name: "Анна",
  last_name: "Петрова",
  fullName: "Анна Петрова",
  username: null,
  telegramUsername: null,
  photo_url: null,
  authMethod: "email",
  emailConfirmed: true,
  role: "org_admin",
  superAdmin: false,
  organizationId: uuid(901),
};

const DAY = 24 * 60 * 60 * 1000;

function twin(n: number, own: Record<string, unknown> = {}) {
  return {
    id: uuid(n),
    name: `Двойник ${n}`,
    description: `Отвечает на вопросы о чае, линия ${n}`,
    personality: "Спокойный и внимательный, шутит к месту",
    communicationStyle: "Коротко и на вы",
    expertise: ["Чай и кофе"],
    status: "ready",
    isActive: true,
    styleAccuracy: null,
    ownerId: user.id,
    lastTrainedAt: null,
    createdAt: new Date(Date.now() - 2 * DAY).toISOString(),
    updatedAt: "2025-11-20T10:00:00.000Z",
    ...own,
  };
}

const idle = { status: "ready", progress: 1, running: false, stage: null, error: null, passages: 3, exemplars: 9 };

const reply = {
  response: "Доставка по Москве **1–2 дня**",
  sources: [
    { documentId: uuid(500), name: "Доставка.pdf", text: "По Москве привозим за 1–2 дня, по России за неделю." },
  ],
  exemplars: [{ incoming: null, reply: "обычно за пару дней)" }],
  confidence: 0.82,
  basis: "knowledge",
  reason: "Ответ найден в документе «Доставка.pdf».",
  conversationId: uuid(600),
  messageId: "7",
};

type Answer = (route: Route, request: Request) => unknown;

const json =
  (body: unknown, status = 200): Answer =>
  (route) =>
    route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
const problem = (status: number, message: string) => json({ message, code: "test", requestId: "r1" }, status);

/** Signs in without a server and answers the calls named «METHOD /path»; every other list is empty. */
async function answering(page: Page, answers: Record<string, Answer>) {
  await page.addInitScript((stored) => {
    localStorage.setItem("auth_token", "token-of-a-test");
    localStorage.setItem("user_data", stored);
  }, JSON.stringify(user));
  const all: Record<string, Answer> = { "GET /api/auth/verify": json({ user }), ...answers };
  await page.route("**/api/**", (route, request) => {
    const { pathname } = new URL(request.url());
    const training = pathname.endsWith("/training") ? json({ ...idle, messages: 0 }) : json([]);
    return (all[`${request.method()} ${pathname}`] ?? training)(route, request);
  });
}

const listOf = (...twins: unknown[]) => ({ "GET /api/digital-twins": json(twins) });
const oneTwin = (value: { id: string }) => ({ [`GET /api/digital-twins/${value.id}`]: json(value) });
const streamed = (...events: [string, unknown][]): Answer => {
  const body = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return (route) => route.fulfill({ status: 200, contentType: "text/event-stream; charset=utf-8", body });
};
const answered = { "POST /api/ai-generate": streamed(["delta", { text: "Доставка " }], ["done", reply]) };

/** A promise with its key outside: holds an answer back until the test lets it go. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}

const toastOf = (page: Page) => page.getByRole("region", { name: /^Уведомления/ });
const input = (page: Page) => page.getByRole("textbox", { name: "Сообщение" });
const row = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
const openChat = (page: Page, name: string) => row(page, name).getByRole("button", { name: "Тест чат" }).click();

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

test.describe("the list of twins", () => {
  test("shows each twin, the counts and the ways on", async ({ page }) => {
    const old = { createdAt: new Date(Date.now() - 40 * DAY).toISOString() };
    await answering(page, listOf(twin(1), twin(2, { isActive: false }), twin(3, old)));
    await page.goto("/twins");
    await expect(row(page, "Двойник 1").getByText("Активен", { exact: true })).toBeVisible();
    await expect(row(page, "Двойник 2").getByText("Неактивен", { exact: true })).toBeVisible();
    const figures = page.locator("main dl");
    await expect(figures).toHaveText(["Всего двойников3", "Активные2", "Неактивные1", "За 30 дней2"]);
    const hrefs = await page
      .locator("main a, header a")
      .evaluateAll((links) => links.map((a) => a.getAttribute("href")));
    const expected = [
      "/train-ai",
      "/add-integration",
      "/create-twin",
      `/edit-twin/${uuid(1)}`,
      `/twin-settings/${uuid(2)}`,
    ];
    expect(hrefs).toEqual(expect.arrayContaining(expected));
    await expect(page.getByRole("searchbox")).toHaveCount(0);
  });

  test("waits with words, and a failed reading can be tried again", async ({ page }) => {
    const held = gate();
    let failing = true;
    await answering(page, {
      "GET /api/digital-twins": async (route, request) => {
        await held.opened;
        return (failing ? problem(503, "База данных недоступна") : json([twin(1)]))(route, request);
      },
    });
    await page.goto("/twins");
    await expect(page.getByRole("status").getByText("Загружаем двойников...")).toBeVisible();
    held.open();
    await expect(page.getByRole("alert")).toContainText("Не удалось загрузить двойников");
    await expect(page.getByRole("alert")).toContainText("База данных недоступна");
    failing = false;
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(row(page, "Двойник 1")).toBeVisible();
  });
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("without twins offers to create the first", async ({ page }) => {
    await answering(page, listOf());
    await page.goto("/twins");
    await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
    await page.getByRole("link", { name: "Создать первого двойника" }).click();
    await expect(page).toHaveURL("/create-twin");
  });

  test("past ten rows can be searched, and the address keeps the search", async ({ page }) => {
    await answering(page, listOf(...Array.from({ length: 11 }, (_, n) => twin(n + 1)), twin(40, { name: "Пётр" })));
    await page.goto("/twins");
    await page.getByRole("searchbox", { name: "Поиск двойника" }).fill("петр");
    await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
    await page.reload();
    await expect(row(page, "Пётр")).toBeVisible();
    await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(1);
    await page.getByRole("searchbox").fill("нет такого");
    await page.getByRole("button", { name: "Сбросить поиск" }).click();
    await expect(page.getByRole("button", { name: "Тест чат" })).toHaveCount(12);
  });
});

test.describe("a test chat", () => {
  test("answers with its grounds, and only one stands open", async ({ page }) => {
    const asked: unknown[] = [];
    await answering(page, {
      ...listOf(twin(1), twin(2)),
      "POST /api/ai-generate": (route, request) => {
        asked.push(request.postDataJSON());
        return answered["POST /api/ai-generate"](route, request);
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
    await expect(toastOf(page)).toContainText("Ответ получен!");
    await expect(toastOf(page)).toContainText("AI агент сгенерировал ответ");
    await expect(input(page)).toHaveValue("");
    await expect(chat.getByText("Из документа · Уверенность 82%")).toBeVisible();
    await expect(chat.getByText("Похоже на ваш ответ: обычно за пару дней)")).toBeVisible();
    await expect(chat.locator("[aria-live=polite]")).toHaveText("Двойник «Двойник 1» ответил");
    expect(asked).toEqual([{ twinId: uuid(1), message: "Сколько идёт\nдоставка?" }]);

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chat.getByRole("button", { name: "Копировать" }).click();
    await expect(chat.getByRole("button", { name: "Скопировано" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reply.response);

    await chat.getByRole("button", { name: "Доставка.pdf" }).click();
    await expect(page.getByRole("dialog", { name: "Доставка.pdf" })).toContainText("По Москве привозим за 1–2 дня");
    await page.keyboard.press("Escape");
    await expect(chat.getByRole("button", { name: "Доставка.pdf" })).toBeFocused();

    await chat.getByRole("button", { name: "Ответить заново" }).click();
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[1]).toMatchObject({ conversationId: uuid(600) });
    await expect(chat.getByRole("listitem").filter({ hasText: "Доставка по Москве" })).toHaveCount(1);

    await page.getByRole("button", { name: "Закрыть уведомление" }).click();
    await openChat(page, "Двойник 2");
    await expect(page.getByRole("region", { name: /^Тест чат/ })).toHaveCount(1);
    await expect(page.getByRole("region", { name: "Тест чат: Двойник 2" }).getByRole("listitem")).toHaveCount(0);
    await openChat(page, "Двойник 1");
    await expect(chat.locator("strong")).toHaveText("1–2 дня");
    await openChat(page, "Двойник 1");
    await expect(page.getByRole("region", { name: /^Тест чат/ })).toHaveCount(0);
  });

  test("is drawn as it comes, stops at Esc and keeps what had come", async ({ page }) => {
    const push = await streamByHand(page);
    await answering(page, listOf(twin(1)));
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
    await answering(page, listOf(twin(1)));
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
    let answer = problem(409, "Агент приостановлен. Включите его в настройках.");
    await answering(page, {
      ...listOf(twin(1, { isActive: false })),
      "POST /api/ai-generate": (route, request) => answer(route, request),
    });
    await page.goto(`/twins?chat=${uuid(1)}`);
    await expect(page.getByText("Агент приостановлен и не отвечает.")).toBeVisible();
    await input(page).fill("Вы тут?");
    await input(page).press("Enter");
    await expect(toastOf(page)).toContainText("Ошибка генерации");
    await expect(toastOf(page)).toContainText('HTTP error! status: 409, message: {"message":"Агент приостановлен.');
    await expect(input(page)).toHaveValue("Вы тут?");
    await expect(page.getByRole("log")).toContainText("Без ответа: Агент приостановлен. Включите его в настройках.");

    answer = streamed(
      ["delta", { text: "Я ту" }],
      ["error", { message: "Модель не ответила", code: "x", requestId: "r" }],
    );
    await input(page).press("Enter");
    await expect(toastOf(page)).toContainText("Модель не ответила");
    await expect(page.getByRole("log")).toContainText("Ответ оборвался");
    await expect(input(page)).toHaveValue("Вы тут?");

    // A server that does not stream, and what failed before is gone.
    answer = json({ response: "Да, слушаю" });
    await input(page).press("Enter");
    await expect(page.getByRole("log").getByText("Да, слушаю")).toBeVisible();
    await expect(page.getByRole("log").getByText("Вы тут?")).toHaveCount(1);
    await expect(page.getByRole("log").getByText("Ответ оборвался")).toHaveCount(0);

    // An answer that cannot be had anew stays as it was.
    answer = problem(429, "Слишком много запросов");
    await page.getByRole("button", { name: "Ответить заново" }).click();
    await expect(toastOf(page)).toContainText("Слишком много запросов");
    await expect(page.getByRole("log").getByText("Да, слушаю")).toBeVisible();
    await expect(input(page)).toHaveValue("");
  });

  test("with a twin in training says so", async ({ page }) => {
    await answering(page, listOf(twin(1, { status: "training" })));
    await page.goto(`/twins?chat=${uuid(1)}`);
    const chat = page.getByRole("region", { name: "Тест чат: Двойник 1" });
    await expect(chat.getByText("Двойник ещё учится…")).toBeVisible();
    await expect(chat.getByRole("link")).toHaveAttribute("href", "/train-ai");
  });
});

test.describe("creating a twin", () => {
  const values = {
    "Имя агента": "Анна",
    Описание: "Отвечает покупателям чая",
    Личность: "Спокойная, внимательная, шутит к месту",
    "Стиль общения": "Коротко и на вы",
    "Область знаний": "Чай и кофе",
  };
  const fill = async (page: Page) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  };

  test("names every rule that is broken", async ({ page }) => {
    await answering(page, {});
    await page.goto("/create-twin");
    await page.getByRole("button", { name: "Создать Агента" }).click();
    for (const sentence of [
      "Имя агента обязательно",
      "Описание должно содержать минимум 10 символов",
      "Описание личности должно быть подробным",
      "Опишите стиль общения",
      "Укажите область знаний",
    ]) {
      await expect(page.getByText(sentence)).toBeVisible();
    }
    await expect(page.getByLabel("Имя агента", { exact: true })).toBeFocused();
  });

  test("creates one twin for two presses", async ({ page }) => {
    const held = gate();
    let sent = 0;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent += 1;
        await held.opened;
        return json(twin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fill(page);
    await page.getByRole("button", { name: "Создать Агента" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.open();
    await expect(toastOf(page)).toContainText("Цифровой двойник создан!");
    expect(sent).toBe(1);
  });

  test("sends the fields, clears the form and stays; a draft survives a reload", async ({ page }) => {
    const held = gate();
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      "POST /api/digital-twins": async (route, request) => {
        sent.push(request.postDataJSON());
        if (failing) return problem(409, "Лимит двойников исчерпан")(route, request);
        await held.opened;
        return json(twin(1, { name: "Анна" }), 201)(route, request);
      },
    });
    await page.goto("/create-twin");
    await fill(page);
    await page.reload();
    await expect(page.getByLabel("Личность")).toHaveValue(values.Личность);
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(toastOf(page)).toContainText("Ошибка создания");
    await expect(toastOf(page)).toContainText("Лимит двойников исчерпан");
    failing = false;
    await page.getByRole("button", { name: "Создать Агента" }).click();
    await expect(page.getByRole("button", { name: "Создание..." })).toBeDisabled();
    held.open();
    await expect(toastOf(page)).toContainText("Цифровой двойник создан!");
    await expect(toastOf(page)).toContainText("Агент успешно создан и готов к обучению");
    for (const label of Object.keys(values)) await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
    await expect(page).toHaveURL("/create-twin");
    const [name, description, personality, communicationStyle, knowledgeArea] = Object.values(values);
    const expected = { name, description, personality, communicationStyle, knowledgeArea, status: "training" };
    expect(sent[1]).toEqual(expected);

    await fill(page);
    await page.getByRole("button", { name: "Очистить" }).click();
    await page.reload();
    await expect(page.getByLabel("Описание")).toHaveValue("");
  });
});

test.describe("editing a twin", () => {
  const known = twin(1, { personality: { traits: ["спокойный"] }, communicationStyle: null });
  const path = `/edit-twin/${known.id}`;

  test("starts from the twin and saves what is changed", async ({ page }) => {
    const sent: unknown[] = [];
    let failing = true;
    await answering(page, {
      ...listOf(),
      ...oneTwin(known),
      [`PUT /api/digital-twins/${known.id}`]: (route, request) => {
        sent.push(request.postDataJSON());
        return (failing ? problem(403, "Изменять может только владелец") : json(twin(1)))(route, request);
      },
    });
    await page.goto(path);
    await expect(page.getByLabel("Личность")).toHaveValue("Профессиональный помощник");
    await expect(page.getByLabel("Стиль общения")).toHaveValue("Дружелюбный");
    await expect(page.getByLabel("Область знаний")).toHaveValue("Чай и кофе");
    await page.getByLabel("Стиль общения").fill("");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByText("Стиль общения обязателен")).toBeVisible();
    await page.getByLabel("Стиль общения").fill("Тепло");
    await page.getByLabel("Область знаний").fill(" ");
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(toastOf(page)).toContainText("Ошибка обновления");
    await expect(toastOf(page)).toContainText("Изменять может только владелец");
    failing = false;
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(toastOf(page)).toContainText("Агент обновлен!");
    await expect(page).toHaveURL("/twins");
    expect(sent[1]).toEqual({
      name: known.name,
      description: known.description,
      personality: "Профессиональный помощник",
      communicationStyle: "Тепло",
      expertise: [],
    });
  });

  test("deletes only after the question is answered with yes", async ({ page }) => {
    let failing = true;
    let calls = 0;
    await answering(page, {
      ...listOf(),
      ...oneTwin(twin(1)),
      [`DELETE /api/digital-twins/${known.id}`]: (route, request) => {
        calls += 1;
        return failing ? problem(403, "Удалять может только владелец")(route, request) : route.fulfill({ status: 204 });
      },
    });
    const questions: string[] = [];
    let yes = false;
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      return yes ? dialog.accept() : dialog.dismiss();
    });
    await page.goto(path);
    const remove = page.getByRole("button", { name: "Удалить агента" });
    await remove.click();
    expect(calls).toBe(0);
    yes = true;
    await remove.click();
    await expect(toastOf(page)).toContainText("Ошибка удаления");
    failing = false;
    await remove.click();
    await expect(toastOf(page)).toContainText("Агент удален");
    await expect(page).toHaveURL("/twins");
    expect(new Set(questions)).toEqual(
      new Set(["Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить."]),
    );
  });

  test("of a twin that is not there leads back to the list", async ({ page }) => {
    await answering(page, { ...listOf(), [`GET /api/digital-twins/${uuid(9)}`]: problem(404, "Двойник не найден") });
    await page.goto(`/edit-twin/${uuid(9)}`);
    await expect(page.getByText("Агент не найден")).toBeVisible();
    await page.getByRole("link", { name: "Вернуться к списку" }).click();
    await expect(page).toHaveURL("/twins");
  });
});

test.describe("a twin's settings", () => {
  test("pause the twin, and say when that fails", async ({ page }) => {
    const held = gate();
    let state = twin(1, { createdAt: "2025-11-10T10:00:00.000Z" });
    let failing = false;
    const sent: unknown[] = [];
    await answering(page, {
      ...listOf(state),
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`PUT /api/digital-twins/${state.id}`]: async (route, request) => {
        sent.push(request.postDataJSON());
        await held.opened;
        if (failing) return problem(403, "Изменять может только владелец")(route, request);
        state = { ...state, isActive: false };
        return json(state)(route, request);
      },
    });
    await page.goto(`/twin-settings/${state.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    await expect(page.getByText("Агент активен и отвечает на сообщения")).toBeVisible();
    await expect(page.getByText("Готов", { exact: true })).toBeVisible();
    for (const text of ["2,347", "89%", "10 ноября 2025 г.", "20 ноября 2025 г."]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    }
    await expect(page.getByText("Не подключен / Доступно")).toHaveCount(2);
    await toggle.click();
    await expect(toggle).toBeDisabled();
    await expect(toggle).toBeChecked();
    held.open();
    await expect(toastOf(page)).toContainText("Статус обновлен");
    await expect(page.getByText("Агент приостановлен", { exact: true })).toBeVisible();
    expect(sent).toEqual([{ isActive: false }]);
    failing = true;
    await toggle.click();
    await expect(toastOf(page)).toContainText("Ошибка обновления");
    await expect(toggle).not.toBeChecked();

    await page.getByRole("link", { name: "Тест чат" }).click();
    await expect(page).toHaveURL(`/twins?chat=${state.id}`);
    await expect(page.getByRole("region", { name: "Тест чат: Двойник 1" })).toBeVisible();
    await expect(input(page)).toBeFocused();
  });

  test("send one change for two presses, and take the next when it is done", async ({ page }) => {
    const held = gate();
    let state = twin(1);
    const sent: unknown[] = [];
    await answering(page, {
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`PUT /api/digital-twins/${state.id}`]: async (route, request) => {
        sent.push(request.postDataJSON());
        await held.opened;
        state = { ...state, ...request.postDataJSON() };
        return json(state)(route, request);
      },
    });
    await page.goto(`/twin-settings/${state.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    // Both presses before the page has drawn anything: no browser's double click is quicker.
    await toggle.evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    held.open();
    await expect(toastOf(page)).toContainText("Статус обновлен");
    await expect(toggle).not.toBeChecked();
    await toggle.click();
    await expect(toggle).toBeChecked();
    expect(sent).toEqual([{ isActive: false }, { isActive: true }]);
  });

  test("follow a training to its end", async ({ page }) => {
    let state = twin(1, { status: "training" });
    let training = {
      ...idle,
      messages: 40,
      status: "training",
      progress: 0.4,
      running: true,
      stage: "Разбираем переписки",
    };
    await answering(page, {
      ...listOf(state),
      [`GET /api/digital-twins/${state.id}`]: (route, request) => json(state)(route, request),
      [`GET /api/digital-twins/${state.id}/training`]: (route, request) =>
        json(training as typeof training | typeof idle)(route, request),
    });
    await page.goto(`/twin-settings/${state.id}`);
    await expect(page.getByText("В обучении")).toBeVisible();
    await expect(page.getByText("Разбираем переписки")).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Обучение двойника" })).toHaveAttribute("aria-valuenow", "40");
    state = { ...state, status: "ready" };
    training = { ...training, ...idle, stage: "" };
    await expect(page.getByText("Обучение закончено.")).toBeVisible();
    await expect(page.getByText("Готов", { exact: true })).toBeVisible();
  });
});

test.describe("who may only look", () => {
  const viewer = { "GET /api/auth/verify": json({ user: { ...user, role: "viewer" } }) };
  const reason = "Только просмотр: ваша роль не позволяет ничего менять.";

  test("is told so instead of filling in a form in vain", async ({ page }) => {
    const mine = twin(1);
    await answering(page, { ...viewer, ...listOf(mine), ...oneTwin(mine) });
    await page.goto("/create-twin");
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Имя агента")).toBeDisabled();
    await expect(page.getByRole("button", { name: "Создать Агента" })).toBeDisabled();
    await expectAccessibleCrosswise(page, "the create form of who may only look");
    await page.goto(`/edit-twin/${mine.id}`);
    await expect(page.getByText(reason)).toBeVisible();
    await expect(page.getByLabel("Личность")).toBeDisabled();
    for (const name of ["Сохранить", "Удалить агента"]) {
      await expect(page.getByRole("button", { name })).toBeDisabled();
    }
    await page.getByRole("button", { name: "Отмена" }).click();
    await expect(page).toHaveURL("/twins");
    await page.goto(`/twin-settings/${mine.id}`);
    const toggle = page.getByRole("switch", { name: "Активность" });
    await expect(toggle).toBeDisabled();
    await expect(toggle).toHaveAccessibleDescription(/Агент активен и отвечает на сообщения Только просмотр/);
  });

  test("is also who reads a colleague's twin without being an administrator", async ({ page }) => {
    const foreign = twin(1, { ownerId: uuid(777) });
    const own = twin(2);
    const member = { "GET /api/auth/verify": json({ user: { ...user, role: "user" } }) };
    await answering(page, { ...member, ...listOf(foreign, own), ...oneTwin(foreign), ...oneTwin(own) });
    await page.goto(`/twin-settings/${foreign.id}`);
    await expect(page.getByText("Только просмотр: этого двойника меняют его владелец")).toBeVisible();
    await expect(page.getByRole("switch", { name: "Активность" })).toBeDisabled();
    await page.goto(`/twin-settings/${own.id}`);
    await expect(page.getByRole("switch", { name: "Активность" })).toBeEnabled();
    await expect(page.getByText("Только просмотр")).toBeHidden();
  });
});

test("the twins' screens have nothing that axe objects to", async ({ page }) => {
  const known = twin(1);
  await answering(page, { ...listOf(known, twin(2, { status: "training" })), ...oneTwin(known), ...answered });
  await page.goto(`/twins?chat=${known.id}`);
  await input(page).fill("Сколько идёт доставка?");
  await input(page).press("Enter");
  await expect(page.getByText("Из документа")).toBeVisible();
  await expectAccessibleCrosswise(page, "a chat");
  await page.getByRole("button", { name: "Доставка.pdf" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessibleCrosswise(page, "a source");
  await page.goto("/create-twin");
  await page.getByRole("button", { name: "Создать Агента" }).click();
  await expect(page.getByText("Имя агента обязательно")).toBeVisible();
  await expectAccessibleCrosswise(page, "a form with errors");
  await page.goto(`/twin-settings/${known.id}`);
  await expect(page.getByRole("switch")).toBeVisible();
  await expectAccessibleCrosswise(page, "the settings");
});
