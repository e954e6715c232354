import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise, expectNoSidewaysScroll } from "./accessibility.ts";
import { type Answer, type Answers, answering, fails, json, twin, unforeseen, uuid } from "./answers.ts";
import { expect, test } from "./fixtures.ts";
import type { ApiRequest } from "./intercept.ts";
import { keyboardOf } from "./keyboard.ts";
import { asDemoUser } from "./session.ts";
import { expectToast } from "./toast.ts";

// /knowledge against intercepted answers; the last tests ask the real server.

const NOW = "2025-11-20T07:01:00.000Z";
const anna = twin(1, { name: "Анна Петрова" });
const oleg = twin(2, { name: "Олег", ownerId: uuid(777) });

const stats = {
  totalMessages: 12_345,
  telegramMessages: 12_000,
  emailMessages: 300,
  whatsappMessages: 45,
  lastUpdate: NOW,
};

const source = (id: string, own: Record<string, unknown> = {}) => ({
  id,
  name: `Источник ${id}`,
  platform: "telegram",
  status: "active",
  digitalTwinName: "Анна Петрова",
  messagesCount: 21,
  lastImport: NOW,
  ...own,
});

// Only what the specification names: the rest may be absent.
const message = (n: number, own: Record<string, unknown> = {}) => ({
  id: String(n),
  platform: "telegram",
  content: `Сообщение ${n}`,
  timestamp: NOW,
  isTrainingData: true,
  ...own,
});

const queryOf = (request: ApiRequest) => new URL(request.url()).searchParams;

/** The server of /knowledge with one source; a call without an answer fails the test. */
const answeringKnowledge = (page: Page, answers: Answers = {}) =>
  answering(
    page,
    {
      "GET /api/digital-twins": json([anna, oleg]),
      "GET /api/activity/recent": json([]),
      "GET /api/knowledge-base/stats": json(stats),
      "GET /api/knowledge-base/sources": json([source("s1")]),
      "GET /api/knowledge-base/messages": json([]),
      ...answers,
    },
    unforeseen,
  );

test("the cards, the sources with their badges, and the last update", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json([
      source("s1", { name: "Telegram: Анна", kind: "export", digitalTwinId: anna.id }),
      source("s2", { name: "Почта", platform: "email", status: "paused", lastImport: null, messagesCount: 0 }),
    ]),
  });
  await page.goto("/knowledge-base");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("База знаний");
  for (const [label, figure] of [
    ["Всего сообщений", /12\s345/],
    ["Сообщения Telegram", /12\s000/],
    ["Сообщения Email", /300/],
    ["Сообщения WhatsApp", /45/],
  ] as const) {
    await expect(page.locator("dl").filter({ hasText: label })).toContainText(figure);
  }
  await expect(page.getByRole("tab", { name: "Источники данных" })).toHaveAttribute("aria-selected", "true");
  const [first, second] = [
    page.getByRole("main").getByRole("listitem").nth(0),
    page.getByRole("main").getByRole("listitem").nth(1),
  ];
  await expect(first).toContainText("Telegram: Анна");
  await expect(first).toContainText("Анна Петрова");
  await expect(first).toContainText(/21\sсообщение/);
  await expect(first).toContainText("Активен");
  await expect(first).toContainText("20 ноября 2025");
  await expect(first.getByRole("link", { name: "Новая выгрузка: Telegram: Анна" })).toHaveAttribute(
    "href",
    `/train-ai?tab=dialogues&from=file&twin=${anna.id}`,
  );
  await expect(second).toContainText("Никогда");
  await expect(second.getByText("Неактивен", { exact: true })).toBeVisible();
  await expect(second.getByText("Email", { exact: true })).toBeVisible();
  await expect(first.getByRole("button", { name: /Переимпорт/ })).toBeEnabled();
  await expect(second.getByRole("button", { name: /Переимпорт/ })).toBeDisabled();
  await expect(page.getByText(/Последнее обновление: 20 ноября 2025/)).toBeVisible();
});

test("a reimport tells that it has begun, and figures and sources are read again", async ({ page }) => {
  let reads = 0;
  const sent: string[] = [];
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": () => {
      reads++;
      return { ...stats, totalMessages: reads === 1 ? 1 : 777 };
    },
    "GET /api/knowledge-base/sources": () => [source("s1", { messagesCount: reads === 1 ? 1 : 777 })],
    "POST /api/integrations/s1/reimport": (route, request) => {
      sent.push(request.postData() ?? "");
      return route.fulfill({ status: 202, json: { id: "s1", status: "running" } });
    },
  });
  await page.goto("/knowledge");
  const keyboard = keyboardOf(page);
  await keyboard.follow(page.getByRole("button", { name: /Переимпорт/ }));
  await expectToast(page, "Переимпорт запущен");
  await expectToast(page, "Данные обновляются в фоновом режиме");
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: /777/ })).toBeVisible();
  await expect(page.locator("dl").first()).toContainText("777");
  expect(sent).toEqual([""]);
});

test("when a reimport has ended the figures are fresh without a reload, and the row says that it runs meanwhile", async ({
  page,
}) => {
  let messages = 21;
  let running = false;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": () => ({ ...stats, totalMessages: messages }),
    "GET /api/knowledge-base/sources": () => [
      source("s1", {
        messagesCount: messages,
        kind: "integration",
        reimport: { obstacle: null, running, failure: null },
      }),
    ],
    "POST /api/integrations/s1/reimport": (route) => {
      running = true;
      return route.fulfill({ status: 202, json: { id: "s1", status: "running" } });
    },
  });
  await page.goto("/knowledge");
  const reimport = page.getByRole("button", { name: /Переимпорт/ });
  await reimport.click();
  await expect(reimport).toHaveAttribute("aria-busy", "true");
  await expectToast(page, "Переимпорт запущен");
  await expect(page.locator("dl").first()).toContainText("21");
  messages = 777;
  running = false;
  await expectToast(page, "Импорт завершен!");
  await expect(page.locator("dl").first()).toContainText("777");
  await expect(page.getByRole("main").getByRole("listitem").filter({ hasText: /777/ })).toBeVisible();
  await expect(reimport).toBeEnabled();
});

test("a source that cannot be read again says why beside its disabled button", async ({ page }) => {
  const obstacle = "Файл сам не меняется: загрузите новую выгрузку";
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json([
      source("s1", { kind: "export", reimport: { obstacle, running: false, failure: null } }),
    ]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText(obstacle)).toBeVisible();
  await expect(page.getByRole("button", { name: /Переимпорт/ })).toBeDisabled();
});

test("a refused reimport is told in the server's words, else in ours", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 50\d/);
  let refusal = fails(503, "Переимпорт подключённых аккаунтов пока недоступен");
  await answeringKnowledge(page, { "POST /api/integrations/s1/reimport": (route, request) => refusal(route, request) });
  await page.goto("/knowledge");
  const reimport = page.getByRole("button", { name: /Переимпорт/ });
  await reimport.click();
  await expectToast(page, "Ошибка переимпорта");
  await expectToast(page, "Переимпорт подключённых аккаунтов пока недоступен");
  refusal = (route) => route.fulfill({ status: 502, body: "" });
  await reimport.click();
  await expectToast(page, "Не удалось запустить переимпорт");
});

test("nothing yet has its own words in both tabs", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": json({ ...stats, totalMessages: 0, lastUpdate: null }),
    "GET /api/knowledge-base/sources": json([]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText("Источники данных не найдены")).toBeVisible();
  await expect(page.getByText("Последнее обновление")).toHaveCount(0);
  await expectAccessible(page, "/knowledge without sources");
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  await expect(page.getByText("Сообщения не найдены")).toBeVisible();
  await expect(page.getByRole("link", { name: "Загрузить переписку" })).toHaveAttribute(
    "href",
    "/train-ai?tab=dialogues",
  );
  await page.getByLabel("Двойник", { exact: true }).selectOption(oleg.id);
  await expect(page.getByText("Переписку двойника видит только его владелец.")).toBeVisible();
  await page.getByRole("button", { name: "Сбросить фильтры" }).click();
  await expect(page).toHaveURL(/\/knowledge\?tab=messages$/);
  await expectAccessible(page, "/knowledge without messages");
});

test("messages wait as ten rows, then show platform, badge, time and content", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": async () => {
      await held.promise;
      return [
        message(1, { content: "Отправили вчера", fromOwner: true, chatName: "Мария" }),
        message(2, { platform: "email", isTrainingData: false, content: "д".repeat(900), author: "Мария" }),
        message(3, { content: "", timestamp: "когда-то" }),
      ];
    },
  });
  await page.goto("/knowledge?tab=messages");
  await expect(page.locator("[data-skeleton=message]")).toHaveCount(10);
  held.resolve();
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  expect((await list.boundingBox())?.height).toBe(600);
  const [first, second, third] = [0, 1, 2].map((place) => list.getByRole("listitem").nth(place));
  await expect(first!).toContainText("Telegram");
  await expect(first!).toContainText("Обучающие данные");
  await expect(first!).toContainText("Вы · Мария");
  await expect(first!).toContainText("20 ноября 2025 г. в 10:01");
  await expect(first!).toContainText("Отправили вчера");
  await expect(second!).toContainText("Email");
  await expect(second!.getByText("Обучающие данные")).toHaveCount(0);
  await second!.getByRole("button", { name: "Показать целиком" }).click();
  await expect(second!.getByText("д".repeat(900))).toBeVisible();
  await second!.getByRole("button", { name: "Свернуть" }).click();
  await expect(third!).toContainText("Сообщение без текста");
  await expect(third!).toContainText("когда-то");
});

test.describe("typed words", () => {
  test.use({ ownContext: true });

  test("search, platform and twin are asked for together and stand in the address", async ({ page }) => {
    const asked: string[] = [];
    await answeringKnowledge(page, {
      "GET /api/knowledge-base/messages": (_route, request) => {
        asked.push(queryOf(request).toString());
        return queryOf(request).has("search") ? [message(1, { content: "Ещё посылка" })] : [message(1), message(2)];
      },
    });
    await page.clock.install();
    await page.goto("/knowledge");
    await page.getByRole("tab", { name: "Обучающие данные" }).click();
    await expect(page.getByText("Сообщение 2")).toBeVisible();
    // However long the keys take here, for the page they follow each other at once.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await page.getByRole("searchbox", { name: "Поиск по сообщениям" }).pressSequentially("посылка еще");
    await page.clock.resume();
    await expect(page.locator("mark")).toHaveText(["Ещё", "посылка"]);
    await page.getByLabel("Платформа").selectOption("telegram");
    await page.getByLabel("Двойник", { exact: true }).selectOption(anna.id);
    await expect(page).toHaveURL(/tab=messages.*q=.*platform=telegram.*twin=/);
    const search = encodeURIComponent("посылка еще").replace("%20", "+");
    await expect
      .poll(() => asked)
      .toEqual([
        "",
        `search=${search}`,
        `search=${search}&platform=telegram`,
        `search=${search}&platform=telegram&twinId=${anna.id}`,
      ]);
    await page.reload();
    await expect(page.getByRole("searchbox", { name: "Поиск по сообщениям" })).toHaveValue("посылка еще");
    await expect(page.getByLabel("Двойник", { exact: true })).toHaveValue(anna.id);
    expect(asked.at(-1)).toBe(`search=${search}&platform=telegram&twinId=${anna.id}`);
  });
});

test("five thousand rows: few are drawn, and typed words filter them within 100 ms", async ({ page }) => {
  await answeringKnowledge(page, {
    // A search gets no answer: what is shown is filtered out of what has been read.
    "GET /api/knowledge-base/messages": (_route, request) =>
      queryOf(request).has("search") ? undefined : Array.from({ length: 5000 }, (_, n) => message(n)),
  });
  await page.goto("/knowledge?tab=messages");
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByText("Сообщение 0", { exact: true })).toBeVisible();
  expect(await list.getByRole("listitem").count()).toBeLessThan(30);
  const times = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('input[aria-label="Поиск по сообщениям"]')!;
    const rows = () => [...document.querySelectorAll('[aria-label="Сообщения"] [role=listitem]')];
    async function typed(text: string, isShown: () => boolean) {
      const start = performance.now();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, text);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      while (!isShown() && performance.now() - start < 3000) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - start;
    }
    const measured: number[] = [];
    for (const word of ["4999", "3777", "2555"]) {
      measured.push(await typed(word, () => rows().length === 1 && rows()[0]!.textContent!.includes(word)));
      await typed("", () => rows().length > 1);
    }
    return measured.sort((one, other) => one - other);
  });
  expect(times[1]).toBeLessThanOrEqual(100);
});

test("further pages come by key as one scrolls; a failed one can be tried again", async ({
  page,
  allowedConsoleErrors,
}) => {
  allowedConsoleErrors.push(/status of 503/);
  const asked: (string | null)[] = [];
  let away = true;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": (route, request) => {
      const before = queryOf(request).get("before");
      asked.push(before);
      if (before === "k200" && away) return fails(503, "База данных временно недоступна")(route, request);
      const from = before === null ? 0 : Number(before.slice(1));
      const headers: Record<string, string> = from < 200 ? { "x-next-before": `k${from + 100}` } : {};
      return route.fulfill({ headers, json: Array.from({ length: 100 }, (_, n) => message(from + n)) });
    },
  });
  await page.goto("/knowledge?tab=messages");
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByText("Сообщение 0", { exact: true })).toBeVisible();
  const toEnd = () => list.evaluate((node) => node.scrollTo({ top: node.scrollHeight }));
  const failed = list.getByText(/Не удалось загрузить сообщения: База данных/);
  await expect(async () => {
    await toEnd();
    await expect(failed).toBeVisible({ timeout: 300 });
  }).toPass();
  away = false;
  await list.getByRole("button", { name: "Повторить" }).click();
  await expect(async () => {
    await toEnd();
    await expect(list.getByText("Сообщение 299", { exact: true })).toBeVisible({ timeout: 300 });
  }).toPass();
  expect(asked).toEqual([null, "k100", "k200", "k200"]);
});

test("a search that needs more time goes on by itself", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/messages": (route, request) =>
      queryOf(request).has("before")
        ? [message(7, { content: "Иголка" })]
        : route.fulfill({ headers: { "x-next-before": "k1" }, json: [] }),
  });
  await page.goto("/knowledge?tab=messages&q=иголка");
  await expect(page.getByText("Иголка")).toBeVisible();
});

test("what cannot be loaded can be tried again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 503/);
  let away = true;
  const unlessAway =
    (body: unknown): Answer =>
    (route, request) =>
      away ? fails(503, "База данных временно недоступна")(route, request) : body;
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/stats": unlessAway(stats),
    "GET /api/knowledge-base/sources": unlessAway([source("s1")]),
    "GET /api/knowledge-base/messages": unlessAway([message(1)]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText("Не удалось загрузить статистику")).toBeVisible();
  await expect(page.getByText("Не удалось загрузить источники данных")).toBeVisible();
  await expectAccessible(page, "/knowledge while the database is away");
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  await expect(page.getByText("Не удалось загрузить сообщения")).toBeVisible();
  away = false;
  for (const _ of [1, 2]) await page.getByRole("button", { name: "Повторить" }).first().click();
  await expect(page.getByText("Сообщение 1", { exact: true })).toBeVisible();
  await expect(page.getByText("Всего сообщений")).toBeVisible();
});

test("more than ten sources can be searched", async ({ page }) => {
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json(Array.from({ length: 60 }, (_, n) => source(String(n + 1)))),
  });
  await page.goto("/knowledge");
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(50);
  await page.getByRole("button", { name: "Показать ещё 10" }).click();
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(60);
  await page.getByRole("searchbox", { name: "Поиск источника" }).fill("источник 60");
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(1);
  await expect(page).toHaveURL(/source=/);
  await page.getByRole("searchbox", { name: "Поиск источника" }).fill("нет такого");
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(page.getByRole("button", { name: /^Переимпорт/ })).toHaveCount(60);
});

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  const long = "Оченьдлинноеимябезпробелов".repeat(6);
  await answeringKnowledge(page, {
    "GET /api/knowledge-base/sources": json([
      source("s1", { name: long, digitalTwinName: long, kind: "paste" }),
      source("s2", { status: "inactive", lastImport: null }),
    ]),
    "GET /api/knowledge-base/messages": json(
      Array.from({ length: 30 }, (_, n) => message(n, { content: `${long} найти`, author: long, chatName: long })),
    ),
  });
  for (const search of ["", "?tab=messages&q=найти"]) {
    await page.goto(`/knowledge${search}`);
    await expect(page.getByText(search ? "найти" : "Никогда").first()).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessibleCrosswise(page, `/knowledge${search}`);
  }
});

test("the demo's own history is counted, searched and narrowed by the server", async ({ page }) => {
  await asDemoUser(page);
  await page.goto("/knowledge");
  await expect(page.getByText("Активен", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Переимпорт/ }).first()).toBeDisabled();
  await expect(page.getByText("Вставленная переписка сама не меняется: дополните её").first()).toBeVisible();
  await page.getByRole("tab", { name: "Обучающие данные" }).click();
  const list = page.getByRole("region", { name: "Сообщения", exact: true });
  await expect(list.getByRole("listitem").first()).toContainText("Обучающие данные");
  await page.getByRole("searchbox", { name: "Поиск по сообщениям" }).fill("заказ");
  await expect(page.locator("mark").first()).toHaveText(/заказ/i);
  await page.getByLabel("Платформа").selectOption("email");
  await expect(list.getByRole("listitem").first()).toContainText("Email");
  await expect(list.getByText("WhatsApp")).toHaveCount(0);
});
