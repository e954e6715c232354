import type { Locator, Page, Route } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";

// The states of /train-ai against intercepted answers; the journey on the real server is another spec's.

const ANNA = "11111111-1111-4111-8111-111111111111";
const OLEG = "22222222-2222-4222-8222-222222222222";
const IMPORT = "33333333-3333-4333-8333-333333333333";
const NOW = "2025-11-20T07:01:00.000Z";

const user = {
  id: "u1",
  email: "anna@example.ru",
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
  organizationId: "o1",
};

const twin = (id: string, name: string) => ({
  id,
  name,
  description: "Отвечает клиентам",
  personality: "Спокойная и внимательная",
  communicationStyle: "Коротко и по делу",
  expertise: ["доставка"],
  status: "ready",
  isActive: true,
  styleAccuracy: null,
  ownerId: "u1",
  lastTrainedAt: NOW,
  createdAt: NOW,
  updatedAt: NOW,
});

const training = {
  status: "ready",
  progress: 1,
  running: false,
  stage: null,
  error: null,
  passages: 21,
  exemplars: 1,
  messages: 1234,
};

const document = (id: number, name: string) => ({
  id: `d${id}`,
  name,
  type: "faq",
  status: "processed",
  digitalTwinId: ANNA,
  content: "Доставка по Москве занимает",
  tags: ["доставка"],
  length: 5120,
  createdAt: NOW,
});

const exported = {
  id: IMPORT,
  digitalTwinId: ANNA,
  fileName: "result.json",
  status: "reading",
  format: "telegram-json",
  incomplete: false,
  chats: [] as unknown[],
  people: [] as unknown[],
  suggestedOwner: null as string | null,
  rejected: [] as unknown[],
  rejectedCount: 0,
  total: 0,
  processed: 0,
  imported: 0,
  duplicates: 0,
  createdAt: NOW,
};

const chat = (id: string, name: string, kind: string, messages: number) => ({
  id,
  name,
  kind,
  messages,
  from: "2023-01-15T10:00:00.000Z",
  to: "2025-10-02T10:00:00.000Z",
});

const preview = {
  ...exported,
  status: "preview",
  incomplete: true,
  total: 950,
  chats: [
    chat("c1", "Мария", "private", 600),
    chat("c2", "Семья", "group", 250),
    ...Array.from({ length: 10 }, (_, place) => chat(`p${place}`, `Клиент ${place + 1}`, "private", 10)),
  ],
  people: [
    { id: "user1", name: "Анна Петрова", messages: 500 },
    { id: "user2", name: "Мария", messages: 300 },
  ],
  suggestedOwner: "user1",
  rejected: [{ line: 17, reason: "Нет даты сообщения" }],
  rejectedCount: 1,
};

type Answer = unknown | ((route: Route) => unknown);

/** Answers by «METHOD /path»; a function may look at the request or fulfil it itself. A call without an answer fails the test. */
async function answer(page: Page, answers: Record<string, Answer> = {}) {
  const all: Record<string, Answer> = {
    "GET /api/auth/verify": { user },
    "GET /api/digital-twins": [twin(ANNA, "Анна Петрова")],
    [`GET /api/digital-twins/${ANNA}/training`]: training,
    [`GET /api/digital-twins/${OLEG}/training`]: training,
    "GET /api/knowledge/documents": [],
    "GET /api/imports": [],
    "GET /api/activity/recent": [],
    ...answers,
  };
  await page.addInitScript(() => localStorage.setItem("auth_token", "token"));
  await page.route("**/api/**", async (route) => {
    const request = route.request();
    const key = `${request.method()} ${new URL(request.url()).pathname}`;
    if (!(key in all)) throw new Error(`No answer for ${key}`);
    const body = typeof all[key] === "function" ? await all[key](route) : all[key];
    if (body !== undefined) await route.fulfill({ json: body });
  });
}

const refuse = (status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { message, code: "refused", requestId: "r1" } });

const toastOf = (page: Page, title: string) =>
  page.getByRole("region", { name: /Уведомления/ }).getByText(title, { exact: true });

const PASTE = [
  "Мария: Добрый день! Подскажите, пожалуйста, когда приедет заказ?",
  "",
  "Вы: Здравствуйте! Завтра с 10 до 14, курьер позвонит",
  "Мария: Спасибо большое, буду ждать",
].join("\n");

test("the document form says what is missing, sends what section 7 names, and empties itself", async ({ page }) => {
  let sent: unknown;
  await answer(page, {
    "GET /api/digital-twins": [twin(ANNA, "Анна Петрова"), twin(OLEG, "Олег")],
    "POST /api/knowledge/upload": (route: Route) => {
      sent = route.request().postDataJSON();
      return document(1, "Доставка");
    },
  });
  await page.goto("/train-ai");
  await expect(page.getByRole("tab", { name: "Документы и знания" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  for (const message of [
    "Выберите цифрового двойника",
    "Название документа обязательно",
    "Содержимое должно быть минимум 50 символов",
    "Выберите тип документа",
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel("Цифровой двойник").selectOption({ label: "Олег" });
  await expect(page).toHaveURL(new RegExp(`twin=${OLEG}`));
  await page.getByLabel("Тип документа").selectOption({ label: "Вопросы и ответы" });
  await page.getByLabel("Название документа").fill("Доставка");
  const content = "Доставка по Москве занимает один-два дня, по России — до недели.";
  await page.getByLabel("Содержимое").fill(content);
  await page.getByLabel("Теги").fill(" доставка, сроки ,, ");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  await expect(toastOf(page, "Документ загружен!")).toBeVisible();
  expect(sent).toEqual({
    digitalTwinId: OLEG,
    name: "Доставка",
    content,
    type: "faq",
    tags: ["доставка", "сроки"],
    status: "processed",
  });
  await expect(page.getByLabel("Название документа")).toHaveValue("");
  await expect(page.getByLabel("Цифровой двойник")).toHaveValue(OLEG);
});

test("a refused document keeps what was typed, also through a reload", async ({ page }) => {
  await answer(page, { "POST /api/knowledge/upload": refuse(422, "Двойник знает этот документ") });
  await page.goto("/train-ai");
  await expect(page.getByLabel("Цифровой двойник")).toHaveValue(ANNA);
  await page.getByLabel("Тип документа").selectOption("policy");
  await page.getByLabel("Название документа").fill("Возврат");
  await page.getByLabel("Содержимое").fill("Вернуть товар можно в течение четырнадцати дней после покупки.");
  await page.getByRole("button", { name: "Загрузить документ" }).click();
  await expect(toastOf(page, "Ошибка загрузки")).toBeVisible();
  await expect(toastOf(page, "Двойник знает этот документ")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Название документа")).toHaveValue("Возврат");
  await expect(page.getByLabel("Тип документа")).toHaveValue("policy");
});

test("each file has its own fate, and one that failed is sent again alone", async ({ page }) => {
  const tries: string[] = [];
  await answer(page, {
    "POST /api/knowledge/upload": (route: Route) => {
      const body = route.request().postDataBuffer()?.toString("utf8") ?? "";
      const name = /filename="([^"]+)"/.exec(body)?.[1] ?? "";
      expect(body).toContain(ANNA);
      tries.push(name);
      if (name === "b.md" && tries.length < 3) return refuse(429, "Слишком много запросов")(route);
      return document(tries.length, name);
    },
  });
  await page.goto("/train-ai");
  await page.locator('input[type="file"]').setInputFiles([
    { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("текст") },
    { name: "b.md", mimeType: "text/markdown", buffer: Buffer.from("текст") },
    { name: "c.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") },
    { name: "d.txt", mimeType: "text/plain", buffer: Buffer.from("") },
  ]);
  const rows = page.getByRole("list", { name: "Выбранные файлы" }).getByRole("listitem");
  await expect(rows.filter({ hasText: "c.exe" })).toContainText("Этот вид файлов не поддерживается");
  await expect(rows.filter({ hasText: "d.txt" })).toContainText("Файл пуст");
  await page.getByRole("button", { name: "Загрузить 2 файла" }).click();
  await expect(page.getByText("Выберите тип документа", { exact: true })).toBeVisible();
  await page.getByLabel("Тип документа").selectOption("product");
  await page.getByRole("button", { name: "Загрузить 2 файла" }).click();
  await expect(toastOf(page, "Ошибка загрузки")).toBeVisible();
  await expect(rows.filter({ hasText: "a.txt" })).toContainText("загружен");
  await expect(rows.filter({ hasText: "b.md" })).toContainText("Слишком много запросов");
  await page.getByRole("button", { name: "Повторить загрузку b.md" }).click();
  await expect(rows.filter({ hasText: "b.md" })).toContainText("загружен");
  await expect(toastOf(page, "Документ загружен!")).toBeVisible();
  expect(tries).toEqual(["a.txt", "b.md", "b.md"]);
  await page.getByRole("button", { name: "Убрать завершённые" }).click();
  await expect(rows).toHaveCount(0);
});

test("a pasted dialogue shows who is who before it is sent", async ({ page }) => {
  let sent: { messages: { content: string; role: string; timestamp: string }[] } | undefined;
  await answer(page, {
    "GET /api/conversations": [],
    "POST /api/conversations/upload": (route: Route) => {
      sent = route.request().postDataJSON();
      return { imported: 3, fromOwner: 1, duplicates: 0, sourceId: "s1" };
    },
  });
  await page.goto("/train-ai");
  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await expect(page).toHaveURL(/tab=dialogues/);
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  for (const message of [
    "Выберите платформу",
    "Имя участника обязательно",
    "История переписки должна содержать минимум 100 символов",
  ]) {
    await expect(page.getByText(message, { exact: true })).toBeVisible();
  }
  await page.getByLabel("Платформа").selectOption("whatsapp");
  await page.getByLabel("Имя участника").fill("Мария");
  await page.getByLabel("История переписки").fill(PASTE.replace("Вы: ", ""));
  await expect(page.getByText("Ни одной вашей реплики")).toBeVisible();
  await page.getByLabel("История переписки").fill(PASTE);
  await expect(page.getByText("Ваших реплик: 1")).toBeVisible();
  await expect(page.getByText("Реплик собеседника: 2")).toBeVisible();
  await expectAccessible(page, "a pasted dialogue shows who is who before it is sent");
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  await expect(toastOf(page, "Переписка загружена!")).toBeVisible();
  const timestamp = sent?.messages[0]?.timestamp ?? "";
  expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(60_000);
  const [asked, , replied, thanked] = PASTE.split("\n");
  expect(sent).toEqual({
    digitalTwinId: ANNA,
    platform: "whatsapp",
    messages: [
      { content: asked, role: "user", timestamp },
      { content: replied, role: "assistant", timestamp },
      { content: thanked, role: "user", timestamp },
    ],
    participants: ["Мария"],
  });
});

test("a refused dialogue is told in the server's words", async ({ page }) => {
  await answer(page, { "POST /api/conversations/upload": refuse(409, "Двойник сейчас удаляется") });
  await page.goto("/train-ai?tab=dialogues");
  await expect(page.getByText(/есть слова другого человека/)).toBeVisible();
  await page.getByLabel("Платформа").selectOption("email");
  await page.getByLabel("Имя участника").fill("Мария");
  await page.getByLabel("История переписки").fill(PASTE);
  await page.getByRole("button", { name: "Загрузить переписку" }).click();
  await expect(toastOf(page, "Ошибка загрузки переписки")).toBeVisible();
  await expect(toastOf(page, "Двойник сейчас удаляется")).toBeVisible();
  await expect(page.getByLabel("История переписки")).toHaveValue(PASTE);
});

test("an export is read, chosen from, agreed to and imported", async ({ page }) => {
  let state: Record<string, unknown> = exported;
  let choice: unknown;
  await answer(page, {
    "GET /api/imports": () => [{ ...state, chats: [], people: [], rejected: [] }],
    [`GET /api/imports/${IMPORT}`]: () => state,
    "POST /api/imports": (route: Route) => route.fulfill({ status: 202, json: state }),
    [`POST /api/imports/${IMPORT}/start`]: (route: Route) => {
      choice = route.request().postDataJSON();
      state = { ...preview, status: "running", total: 700, processed: 350, imported: 340, duplicates: 10 };
      return state;
    },
  });
  state = { ...exported, status: "cancelled" };
  await page.goto("/train-ai?tab=dialogues&from=file");
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "chats.zip", mimeType: "application/zip", buffer: Buffer.from("PK") });
  await expect(page.getByText("Это архив: распакуйте его")).toBeVisible();
  state = exported;
  await page.locator('input[type="file"]').setInputFiles({
    name: "result.json",
    mimeType: "application/json",
    buffer: Buffer.from("{}"),
  });
  await expect(page.getByRole("progressbar", { name: "Чтение файла" })).toBeVisible();
  state = preview;
  await expect(page.getByText("Файл обрывается или повреждён")).toBeVisible();
  await expect(page.getByLabel("Кто здесь вы?")).toHaveValue("user1");
  await page.getByText("Не прочитано: 1").click();
  await expect(page.getByText("Нет даты сообщения")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: /Семья/ })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Клиент 1 / })).toBeChecked();
  await expect(page.getByText(/есть сообщения других людей/)).toBeVisible();
  await page.getByRole("button", { name: "Снять все" }).click();
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Выберите хотя бы один чат", { exact: true })).toBeVisible();
  await expect(page.getByText("Подтвердите право использовать переписку", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Выбрать все личные" }).click();
  await page.getByRole("searchbox", { name: "Поиск по чатам" }).fill("клиент 7");
  await page.getByRole("checkbox", { name: /Клиент 7/ }).uncheck();
  await page.getByRole("checkbox", { name: /вправе использовать/ }).check();
  await expectAccessible(page, "an export is read, chosen from, agreed to and imported");
  await page.getByRole("button", { name: "Начать импорт" }).click();
  await expect(page.getByText("Обработано 350 из 700 сообщений")).toBeVisible();
  expect(choice).toEqual({
    ownerId: "user1",
    chatIds: ["c1", "p0", "p1", "p2", "p3", "p4", "p5", "p7", "p8", "p9"],
    consent: true,
    consentVersion: expect.stringMatching(/^\d{4}-\d{2}-\d+$/),
  });

  // It is found again after leaving.
  await page.goto("/train-ai");
  await page.getByRole("button", { name: "Показать импорт" }).click();
  await expect(page.getByRole("progressbar", { name: "Импорт" })).toHaveAttribute("aria-valuenow", "50");
  state = { ...preview, status: "done", total: 700, processed: 700, imported: 680, duplicates: 20 };
  await expect(toastOf(page, "Импорт завершен!")).toBeVisible();
  await expect(page.getByRole("definition").filter({ hasText: /^680$/ })).toBeVisible();
  await expect(page.getByRole("link", { name: "Проверить двойника" })).toHaveAttribute("href", `/twins?chat=${ANNA}`);
});

test("an import is cancelled only after a confirmation, and a failed one says why", async ({ page }) => {
  let state: Record<string, unknown> = { ...preview, status: "running", total: 700, processed: 70, imported: 60 };
  await answer(page, {
    "GET /api/imports": () => [{ ...state, chats: [], people: [], rejected: [] }],
    [`GET /api/imports/${IMPORT}`]: () => state,
    [`POST /api/imports/${IMPORT}/cancel`]: () => {
      state = { ...state, status: "cancelled" };
      return state;
    },
    "POST /api/imports": refuse(415, "Это не похоже на выгрузку переписки"),
  });
  await page.goto("/train-ai?tab=dialogues&from=file");
  await page.getByRole("button", { name: "Отменить импорт" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("60 сообщений");
  await expectAccessible(page, "an import is cancelled only after a confirmation, and a failed one says why");
  await page.getByRole("button", { name: "Продолжить" }).click();
  await page.getByRole("button", { name: "Отменить импорт" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Отменить импорт" }).click();
  await expect(page.getByText("Импорт отменён").last()).toBeVisible();

  await page.getByRole("button", { name: "Загрузить другой файл" }).click();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "a.json", mimeType: "application/json", buffer: Buffer.from("[]") });
  await expect(toastOf(page, "Ошибка загрузки")).toBeVisible();
  await expect(page.getByRole("alert").getByText("Это не похоже на выгрузку переписки")).toBeVisible();

  state = { ...preview, status: "failed", error: "Диск сервера заполнен" };
  await page.goto(`/train-ai?tab=dialogues&from=file&import=${IMPORT}`);
  await expect(page.getByText("Диск сервера заполнен")).toBeVisible();
  await page.getByRole("button", { name: "Попробовать снова" }).click();
  await expect(page.getByRole("button", { name: "Начать импорт" })).toBeVisible();
});

test("the side panel lists, opens, searches and deletes documents", async ({ page }) => {
  let documents = Array.from({ length: 11 }, (_, place) => document(place, `Документ ${place + 1}`));
  await answer(page, {
    "GET /api/knowledge/documents": () => documents,
    "GET /api/knowledge/documents/d0": { ...document(0, "Документ 1"), content: "Весь текст документа" },
    "DELETE /api/knowledge/documents/d0": (route: Route) => {
      documents = documents.slice(1);
      return route.fulfill({ status: 204 });
    },
    [`GET /api/digital-twins/${ANNA}/search`]: (route: Route) =>
      new URL(route.request().url()).searchParams.get("q") === "доставка"
        ? [{ kind: "document", text: "Доставка за один день", name: "Документ 3", score: 0.9 }]
        : [],
  });
  await page.goto("/train-ai");
  const panel = page.getByRole("region", { name: "Загруженные документы" });
  await expect(panel.getByText("Обработан", { exact: true })).toHaveCount(11);
  await panel.getByRole("searchbox").fill("документ 11");
  await expect(panel.getByRole("listitem")).toHaveCount(1);
  await panel.getByRole("searchbox").fill("");
  await panel.getByRole("button", { name: "Документ 1", exact: true }).click();
  await expect(page.getByRole("dialog")).toContainText("Весь текст документа");
  await expectAccessible(page, "the side panel lists, opens, searches and deletes documents");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Удалить документ «Документ 1»" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Удалить" }).click();
  await expect(panel.getByRole("listitem")).toHaveCount(10);

  const statistics = page.getByRole("region", { name: "Статистика" });
  await expect(statistics).toContainText("Документов10");
  await expect(statistics).toContainText("Агентов1");
  await expect(statistics).toContainText("85%");

  const search = page.getByRole("region", { name: "Что найдёт двойник?" });
  await search.getByRole("searchbox").fill("доставка");
  await search.getByRole("button", { name: "Найти" }).click();
  await expect(search).toContainText("Доставка за один день");
  await search.getByRole("searchbox").fill("погода");
  await page.keyboard.press("Enter");
  await expect(search).toContainText("Ничего не нашлось");
  await expect(page).toHaveURL(/q=/);
});

test("a toast covers neither the title of a dialog nor its buttons, however little room there is", async ({ page }) => {
  const why = "Хранилище документов сейчас занято другой работой. Попробуйте удалить документ ещё раз через минуту.";
  await answer(page, {
    "GET /api/knowledge/documents": [document(0, "Условия доставки и возврата для покупателей из других городов")],
    "DELETE /api/knowledge/documents/d0": refuse(409, why),
  });
  await page.goto("/train-ai");
  for (const [width, height] of [
    [390, 844],
    [390, 480],
    [320, 568],
    [768, 1024],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole("button", { name: /Удалить документ/ }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Удалить" }).click();
    // A modal dialog hides the region from who cannot see it; the toast is announced beside it.
    const toast = page
      .getByRole("listitem", { includeHidden: true })
      .filter({ hasText: "Попробуйте удалить документ" });
    await expect(toast).toContainText(why);
    const boxOf = async (place: Locator) => (await place.boundingBox())!;
    await expect
      .poll(async () => {
        const covering = await boxOf(toast);
        const parts = [
          dialog.getByRole("heading"),
          ...["Удалить", "Отмена"].map((name) => dialog.getByRole("button", { name })),
        ];
        const boxes = await Promise.all(parts.map(boxOf));
        const inside = boxes.every((box) => box.y >= 0 && box.y + box.height <= height);
        return inside && !boxes.some((box) => overlaps(box, covering));
      }, `${width} × ${height}`)
      .toBe(true);
    // A button that moved up when the toast leaves would be missed.
    const before = await boxOf(dialog);
    await toast.getByRole("button", { name: "Закрыть уведомление", includeHidden: true }).click();
    await expect(toast).toBeHidden();
    expect(await boxOf(dialog)).toEqual(before);
    await dialog.getByRole("button", { name: "Отмена" }).click();
    await expect(dialog).toBeHidden();
  }
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("who may only look is told so, and no form can be filled in", async ({ page }) => {
  await answer(page, {
    "GET /api/auth/verify": { user: { ...user, role: "viewer" } },
    "GET /api/knowledge/documents": [document(0, "Доставка")],
  });
  await page.goto("/train-ai");
  const reason = page.getByText("Только просмотр: ваша роль не позволяет ничего менять.");
  await expect(reason).toBeVisible();
  await expect(page.getByLabel("Название документа")).toBeDisabled();
  await expect(page.locator('input[type="file"]')).toBeDisabled();
  await expect(page.getByRole("button", { name: "Загрузить документ" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Удалить документ «Доставка»" })).toBeDisabled();
  await expectAccessibleCrosswise(page, "the training of who may only look");
  await page.getByRole("tab", { name: "Примеры диалогов" }).click();
  await expect(reason).toBeVisible();
  await expect(page.getByLabel("История переписки")).toBeDisabled();
  await page.getByRole("button", { name: "Файл выгрузки" }).click();
  await expect(reason).toBeVisible();
  await expect(page.locator('input[type="file"]')).toBeDisabled();
});

test("the training is followed to its end", async ({ page }) => {
  let state: Record<string, unknown> = {
    ...training,
    status: "training",
    running: true,
    progress: 0.4,
    stage: "Изучаем манеру",
  };
  await answer(page, { [`GET /api/digital-twins/${ANNA}/training`]: () => state });
  await page.goto("/train-ai");
  const card = page.getByRole("region", { name: "Анна Петрова" });
  await expect(card).toContainText("В обучении");
  await expect(card).toContainText("Изучаем манеру");
  await expect(card.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "40");
  state = training;
  await expect(card).toContainText("Готов");
  await expect(card).toContainText(/фрагмент\s*21/);
  await expect(card).toContainText(/сообщения\s*1\s234/);
});

test("empty, slow and failing answers have their own looks", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await answer(page, {
    "GET /api/digital-twins": async () => {
      await held;
      return [];
    },
  });
  await page.goto("/train-ai");
  await expect(page.getByRole("status").filter({ hasText: "Загрузка..." })).toBeAttached();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  release();
  await expect(page.getByText("Пока нет цифровых двойников")).toBeVisible();
  await expect(page.getByRole("link", { name: "Создать двойника" })).toHaveAttribute("href", "/create-twin");
  await expectAccessible(page, "empty, slow and failing answers have their own looks");
});

test("what cannot be loaded can be tried again", async ({ page, allowedConsoleErrors }) => {
  allowedConsoleErrors.push(/status of 503/);
  let away = true;
  const awayAnswer = (body: unknown) => (route: Route) =>
    away ? refuse(503, "База данных временно недоступна")(route) : body;
  await answer(page, {
    "GET /api/digital-twins": awayAnswer([twin(ANNA, "Анна Петрова")]),
    "GET /api/knowledge/documents": awayAnswer([]),
  });
  await page.goto("/train-ai");
  await expect(page.getByText("Не удалось загрузить двойников")).toBeVisible();
  await expect(page.getByText("Не удалось загрузить документы")).toBeVisible();
  await expectAccessible(page, "what cannot be loaded can be tried again");
  away = false;
  const retry = page.getByRole("button", { name: "Повторить" });
  await retry.last().click();
  await retry.click();
  await expect(page.getByText("Документы пока не загружены")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Примеры диалогов" })).toBeVisible();
});

test("no accessibility fault in either theme at 1440 and 390 px, no sideways scroll at any width", async ({ page }) => {
  await answer(page, {
    "GET /api/knowledge/documents": [document(1, "Оченьдлинноеназваниебезпробелов".repeat(5))],
    "GET /api/imports": [{ ...preview, chats: [], people: [], rejected: [] }],
    [`GET /api/imports/${IMPORT}`]: preview,
  });
  for (const search of ["", "?tab=dialogues", "?tab=dialogues&from=file"]) {
    await page.goto(`/train-ai${search}`);
    await expect(page.getByRole("tab", { name: "Примеры диалогов" })).toBeVisible();
    await expect(page.getByText("Обработан", { exact: true })).toBeVisible();
    if (search.endsWith("file")) await expect(page.getByRole("button", { name: "Начать импорт" })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessibleCrosswise(page, `/train-ai${search}`);
  }
});

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  for (const width of [320, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}
