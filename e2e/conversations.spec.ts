// The dialogues: a whole one from its first message to its end, the list with its filters, and its states against held or odd answers.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { interceptCalls } from "./intercept.ts";
import { asNewUser } from "./session.ts";

const figure = (page: Page, label: string) =>
  page
    .locator("main dl")
    .filter({ has: page.locator("dt", { hasText: label }) })
    .locator("dd")
    .first();
const list = (page: Page) => page.getByRole("list", { name: "Диалоги" });
const rows = (page: Page) => list(page).getByRole("listitem");
const openButton = (page: Page, place: number) =>
  rows(page)
    .nth(place)
    .getByRole("button", { name: /^Открыть чат/ });
const thread = (page: Page) => page.getByRole("region", { name: /^Диалог:/ });
const log = (page: Page) => page.getByRole("log", { name: "Сообщения" });
const input = (page: Page) => page.getByRole("textbox", { name: "Сообщение" });
const toastOf = (page: Page) => page.getByRole("region", { name: /^Уведомления/ });

/** Somebody new with a twin; calls go out in his name. */
async function withTwin(page: Page, names = ["Анна Чайникова"]) {
  const headers = { authorization: `Bearer ${await asNewUser(page)}` };
  const call = async (method: "GET" | "POST" | "PUT", path: string, data?: object) => {
    const answer = await page.request.fetch(path, { method, headers, ...(data ? { data } : {}) });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer.json();
  };
  const twins: string[] = [];
  for (const name of names) {
    const twin = await call("POST", "/api/digital-twins", {
      name,
      description: "Отвечает на вопросы о чае и доставке",
      personality: "Спокойная и внимательная, шутит к месту",
      communicationStyle: "Коротко и на вы",
      knowledgeArea: "Чай и кофе",
    });
    twins.push(twin.id);
  }
  const ask = (twinId: string, message: string, conversationId?: string) =>
    call("POST", "/api/ai-generate", { twinId, message, ...(conversationId ? { conversationId } : {}) });
  return { call, ask, twins: twins as [string, ...string[]] };
}

test("a dialogue from «Начать диалог» to its deletion", async ({ page }) => {
  await withTwin(page);
  await page.goto("/conversations");
  const main = page.getByRole("main");
  await expect(main).toContainText("Пока нет диалогов");
  await expect(figure(page, "Всего диалогов")).toHaveText("0");
  await expect(figure(page, "Время ответа")).toHaveText("2.3s");
  await main.getByRole("button", { name: "Начать диалог" }).click();
  const choice = page.getByRole("dialog", { name: "Новый диалог" });
  await choice.getByRole("button", { name: /Анна Чайникова/ }).click();
  await expect(page).toHaveURL(/\/conversations\?dialog=[0-9a-f-]{36}$/);
  await expect(input(page)).toBeFocused();
  await input(page).fill("Здравствуйте!");
  await input(page).press("Enter");
  await expect(toastOf(page)).toContainText("Ответ получен!");
  await expect(log(page).getByRole("listitem")).toHaveCount(2);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText("2 сообщения");
  await expect(figure(page, "Всего сообщений")).toHaveText("2");
  const details = page.getByRole("complementary", { name: "О диалоге" });
  await expect(details).toContainText("Тестовый чат");
  await expect(details).toContainText("Уверенность");

  await log(page).getByRole("button", { name: "Не то" }).click();
  await log(page).getByRole("button", { name: "Исправить ответ" }).click();
  const correction = page.getByRole("dialog", { name: "Исправить ответ" });
  await correction.getByRole("textbox", { name: "Как ответили бы вы" }).fill("Добрый день! Чем помочь?");
  await correction.getByRole("button", { name: "Дальше" }).click();
  const learning = page.getByRole("dialog", { name: "Научить двойника" });
  await learning.getByRole("radio", { name: /Точный ответ/ }).check();
  await learning.getByRole("button", { name: "Запомнить" }).click();
  await expect(toastOf(page)).toContainText("Двойник запомнил");
  await log(page).getByRole("button", { name: "Ответить заново" }).click();
  await expect(log(page)).toContainText("1 прежний ответ");
  await expect(log(page)).toContainText("Добрый день! Чем помочь?");
  const kept = page.waitForResponse(/\/feedback$/);
  await log(page).getByRole("button", { name: "Полезно" }).click();
  await expect(log(page).getByRole("button", { name: "Полезно" })).toHaveAttribute("aria-pressed", "true");
  // A reload before that would take the opinion back.
  await kept;

  // The question stands there once, its answer with what was said of it.
  await page.reload();
  await expect(log(page).getByRole("listitem").filter({ hasText: "Здравствуйте!" })).not.toHaveCount(0);
  await expect(log(page)).toContainText("1 прежний ответ");
  await expect(log(page).getByRole("button", { name: "Полезно" })).toHaveAttribute("aria-pressed", "true");

  await details.getByRole("button", { name: "Закрыть диалог" }).click();
  await expect(thread(page)).toContainText("Завершен");
  await expect(input(page)).toHaveCount(0);
  await expect(figure(page, "Активные чаты")).toHaveText("0");
  await thread(page).getByRole("button", { name: "Открыть снова" }).click();
  await expect(input(page)).toBeVisible();

  await details.getByRole("button", { name: "Удалить диалог" }).click();
  const sure = page.getByRole("alertdialog", { name: "Удалить диалог?" });
  await sure.getByRole("button", { name: "Отмена" }).click();
  await expect(rows(page)).toHaveCount(1);
  await details.getByRole("button", { name: "Удалить диалог" }).click();
  await sure.getByRole("button", { name: "Удалить", exact: true }).click();
  await expect(toastOf(page)).toContainText("Диалог удалён");
  await expect(main).toContainText("Пока нет диалогов");
  await expect(page).toHaveURL("/conversations");
});

test("without a twin «Начать диалог» leads to creating one", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/conversations?new");
  const choice = page.getByRole("dialog", { name: "Новый диалог" });
  await expect(choice).toContainText("Пока нет цифровых двойников");
  await choice.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page).toHaveURL("/create-twin");
});

test("search, filter and tabs narrow the list, stand in the address, and the file has exactly these rows", async ({
  page,
}) => {
  const { call, ask, twins } = await withTwin(page, ["Анна Чайникова", "=СУММ(1;2)"]);
  const [anna, formula] = twins;
  const first = await ask(anna, "Привет!");
  await ask(formula as string, "Привет!");
  await call("PUT", `/api/conversations/${first.conversationId}`, { status: "closed" });
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText("=СУММ(1;2)");

  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("чайник");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=%D1%87/);
  await page.getByRole("tab", { name: "Ведёт двойник" }).click();
  await expect(page.getByRole("main")).toContainText("Ничего не найдено");
  await page.getByRole("tabpanel").getByRole("button", { name: "Сбросить" }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("tab", { name: "Закрыты" }).click();
  await expect(rows(page)).toContainText(["Завершен"]);
  await expect(page).toHaveURL("/conversations?tab=closed");
  for (const [tab, title] of [
    ["Ждут одобрения", "Ничто не ждёт одобрения"],
    ["Веду я", "Вы не ведёте ни одного диалога"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(page.getByRole("tabpanel")).toContainText(title);
    await expect(page.getByRole("link", { name: "Добавить интеграцию" })).toHaveAttribute("href", "/add-integration");
  }
  await page.getByRole("tab", { name: "Все" }).click();
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("combobox", { name: "Двойник" }).selectOption({ label: "=СУММ(1;2)" });
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Двойник" })).toHaveValue(formula as string);
  await expect(rows(page)).toHaveCount(1);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Экспорт" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^dialogi-\d{4}-\d\d-\d\d\.csv$/);
  const file = await readFile((await download.path()) as string, "utf8");
  expect(file.startsWith("\uFEFFСобеседник,Двойник,Платформа,Статус,Сообщений,")).toBe(true);
  expect(file.trim().split("\r\n")).toHaveLength(2);
  expect(file).toContain(`Тестовый чат,"'=СУММ(1;2)",Тестовый чат,Активен,2,`);
  await expect(toastOf(page)).toContainText("Экспорт готов");
});

test("past its first fifty rows the list goes on, and the server counts", async ({ page }) => {
  await asNewUser(page);
  const row = (n: number) => ({
    id: `8b0e2f1c-0000-4000-8000-${String(n).padStart(12, "0")}`,
    twinName: "Анна",
    participants: { name: `Собеседник ${n}`, status: "active" },
    platform: "telegram",
    messageCount: 3,
    updatedAt: "2025-11-20T10:00:00.000Z",
    cursor: `2025-11-20T10:00:00.000000Z,${n}`,
  });
  const asked: string[] = [];
  await page.route(/\/api\/conversations(\?|$)/, (route, request) => {
    const before = new URL(request.url()).searchParams.get("before");
    asked.push(before ?? "");
    const from = before ? 50 : 0;
    return route.fulfill({ json: Array.from({ length: before ? 7 : 50 }, (_, n) => row(from + n)) });
  });
  await page.route("**/api/conversations/totals", (route) =>
    route.fulfill({ json: { conversations: 1057, active: 12, messages: 3171, unread: 0 } }),
  );
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(50);
  await expect(figure(page, "Всего диалогов")).toHaveText(/^1\s057$/);
  await expect(figure(page, "Всего сообщений")).toHaveText(/^3\s171$/);
  await page.getByRole("button", { name: "Показать ещё" }).click();
  await expect(rows(page)).toHaveCount(57);
  // Once the stream of changes is open, the list is read again.
  expect([...new Set(asked)]).toEqual(["", "2025-11-20T10:00:00.000000Z,49"]);
  await expect(page.getByRole("button", { name: "Показать ещё" })).toHaveCount(0);
  await expect(figure(page, "Всего диалогов")).toHaveText("57");
});

test("J and K go through the list, Enter opens, Esc returns; on a phone the thread takes the list's place", async ({
  page,
}) => {
  const { ask, twins } = await withTwin(page);
  await ask(twins[0], "Первый вопрос");
  await ask(twins[0], "Второй вопрос");
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press("KeyJ");
  await expect(openButton(page, 0)).toBeFocused();
  await page.keyboard.press("KeyJ");
  await page.keyboard.press("KeyJ");
  await expect(openButton(page, 1)).toBeFocused();
  await page.keyboard.press("KeyK");
  await page.keyboard.press("Enter");
  await expect(log(page)).toContainText("Второй вопрос");
  await expect(input(page)).toBeFocused();
  await page.keyboard.type("jk");
  await expect(input(page)).toHaveValue("jk");
  await page.keyboard.press("Escape");
  await expect(thread(page)).toHaveCount(0);
  await expect(openButton(page, 0)).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await openButton(page, 1).click();
  await expect(log(page)).toContainText("Первый вопрос");
  await expect(list(page)).toBeHidden();
  await expect(figure(page, "Всего диалогов")).toBeHidden();
  await page.getByRole("button", { name: "Подробнее о диалоге" }).click();
  await expect(page.getByRole("dialog", { name: "О диалоге" })).toContainText("Последний ответ");
  await page.keyboard.press("Escape");
  await expect(thread(page)).toBeVisible();
  await page.getByRole("button", { name: "К списку диалогов" }).click();
  await expect(list(page)).toBeVisible();
  await openButton(page, 0).click();
  await expect(thread(page)).toBeVisible();
  await page.goBack();
  await expect(list(page)).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test("a dialogue that is not there, or a colleague's, says so", async ({ page }) => {
  const { ask, twins } = await withTwin(page);
  await ask(twins[0], "Привет!");
  await page.goto("/conversations?dialog=8b0e2f1c-0000-4000-8000-000000000001");
  await expect(page.getByRole("tabpanel")).toContainText("Диалог не найден");
  await page.getByRole("button", { name: "К списку диалогов" }).click();
  await expect(page).toHaveURL("/conversations");
});

test.describe("what the server does not send", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("is waited for with a spinner, and a call that fails or answers oddly shows the marked sample", async ({
    page,
  }) => {
    await asNewUser(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let answer: { status?: number; body: string } = { body: "null" };
    let asked = 0;
    await interceptCalls(
      page,
      async (route, request) => {
        if (new URL(request.url()).pathname !== "/api/conversations") return route.continue();
        asked++;
        await held;
        await route.fulfill({ contentType: "application/json", ...answer });
      },
      "*/api/conversations*",
    );
    await page.goto("/conversations");
    await expect(page.getByRole("status").getByText("Загружаем диалоги...")).toBeVisible();
    release();
    for (answer of [
      { body: "null" },
      { body: '{"error":"x"}' },
      { body: "[1,2]" },
      { status: 500, body: "" },
    ] as const) {
      asked = 0;
      await page.reload();
      await expect(page.getByText("Пример", { exact: true }).first(), JSON.stringify(answer)).toBeVisible();
      await expect(rows(page)).toHaveCount(3);
      await expect(figure(page, "Всего диалогов")).toHaveText("3");
      await expect(figure(page, "Время ответа")).toHaveText("2.3s");
    }
    await openButton(page, 0).click();
    await expect(log(page)).toContainText("Заказ уже отправили?");
    await expect(input(page)).toHaveCount(0);
    await expectAccessible(page, "the sample of dialogues");
    // Once the stream of changes is open, the list is read again: from then on only the button does.
    await expect.poll(() => asked).toBeGreaterThan(1);
    await expect(page.getByRole("button", { name: "Повторить" })).toBeEnabled();
    answer = { body: "[]" };
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("Диалог не найден");
    await page.goto("/conversations");
    await expect(page.getByRole("main")).toContainText("Пока нет диалогов");
    await expect(page.getByText("Пример", { exact: true })).toHaveCount(0);
  });

  test("of a dialogue has the specified names and a count between 10 and 59", async ({ page }) => {
    await asNewUser(page);
    await page.route(/\/api\/conversations(\?|$)/, (route) =>
      route.fulfill({
        json: [
          { id: "a1", participants: null },
          { id: "a2", participants: { status: "active" } },
        ],
      }),
    );
    await page.goto("/conversations");
    await expect(rows(page)).toHaveCount(2);
    for (const [place, status] of ["Завершен", "Активен"].entries()) {
      const row = rows(page).nth(place);
      await expect(row).toContainText("Unknown Contact");
      await expect(row).toContainText("Unknown Twin");
      await expect(row).toContainText(status);
      const count = Number(/(\d+)\s+сообщени/.exec((await row.textContent()) ?? "")?.[1]);
      expect(count).toBeGreaterThanOrEqual(10);
      expect(count).toBeLessThanOrEqual(59);
    }
    await expect(page.getByText("Пример", { exact: true })).toHaveCount(0);
  });

  test("when an answer's opinion cannot be kept, the button goes back and the toast says so", async ({ page }) => {
    const { ask, twins } = await withTwin(page);
    const { conversationId } = await ask(twins[0], "Привет!");
    await page.route("**/feedback", (route) =>
      route.fulfill({ status: 503, json: { message: "База данных недоступна", code: "unavailable", requestId: "r" } }),
    );
    await page.goto(`/conversations?dialog=${conversationId}`);
    await log(page).getByRole("button", { name: "Полезно" }).click();
    await expect(toastOf(page)).toContainText("Не удалось сохранить оценку");
    await expect(log(page).getByRole("button", { name: "Полезно" })).toHaveAttribute("aria-pressed", "false");
  });
});

test("who may only look reads a contact's dialogue, and is told why nothing can be written or begun", async ({
  page,
}) => {
  await asNewUser(page);
  const dialogue = {
    id: "8b0e2f1c-0000-4000-8000-000000000001",
    twinId: "8b0e2f1c-0000-4000-8000-000000000002",
    twinName: "Анна",
    participants: { name: "Мария", status: "active" },
    platform: "telegram",
    messageCount: 2,
    updatedAt: "2025-11-20T10:00:00.000Z",
  };
  const said = {
    timestamp: "2025-11-20T10:00:00.000Z",
    sources: [],
    confidence: null,
    durationMs: null,
    feedback: null,
  };
  await page.route("**/api/auth/verify", async (route) => {
    const answer = await route.fetch();
    const { user } = await answer.json();
    await route.fulfill({ json: { user: { ...user, role: "viewer" } } });
  });
  await page.route(/\/api\/conversations(\?|$)/, (route) => route.fulfill({ json: [dialogue] }));
  await page.route("**/messages", (route) =>
    route.fulfill({
      json: [
        { ...said, id: "1", role: "user", content: "Добрый день" },
        { ...said, id: "2", role: "assistant", content: "Здравствуйте, Мария" },
      ],
    }),
  );
  await page.goto("/conversations");
  await openButton(page, 0).click();
  await expect(log(page)).toContainText("Здравствуйте, Мария");
  await expect(thread(page)).toContainText("Только просмотр");
  await expect(input(page)).toHaveCount(0);
  await expect(log(page).getByRole("button", { name: "Полезно" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Удалить диалог" })).toHaveCount(0);
  const begin = page.getByRole("button", { name: "Новый диалог" });
  await expect(begin).toBeDisabled();
  await expect(begin).toHaveAttribute("title", /Только просмотр/);
});

test("the inbox is accessible in both themes and widths, its dialogs too", async ({ page }) => {
  const { ask, twins } = await withTwin(page);
  const { conversationId } = await ask(twins[0], "Привет!");
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Фильтр" }).click();
  await expectAccessibleCrosswise(page, "the list of dialogues");
  await page.goto(`/conversations?dialog=${conversationId}`);
  await expect(log(page)).toContainText("Привет!");
  await expectAccessibleCrosswise(page, "a dialogue");
  await page.getByRole("button", { name: "Подробнее о диалоге" }).click();
  await expect(page.getByRole("dialog", { name: "О диалоге" })).toBeVisible();
  await expectAccessible(page, "the details of a dialogue");
  await page.keyboard.press("Escape");
  await log(page).getByRole("button", { name: "Не то" }).click();
  await log(page).getByRole("button", { name: "Исправить ответ" }).click();
  await expect(page.getByRole("dialog", { name: "Исправить ответ" })).toBeVisible();
  await expectAccessible(page, "the correction of an answer");
  await page.goto("/conversations?new");
  await expect(page.getByRole("dialog", { name: "Новый диалог" }).getByRole("button").first()).toBeFocused();
  await expectAccessible(page, "the choice of a twin");
});
