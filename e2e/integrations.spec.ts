// /integrations, /add-integration and /crm against answers of the test's own: each state of the setup, of the lists and of the calls.
import type { Page, Request, Route } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { asNewUser } from "./session.ts";

// Axe would measure colours in the middle of a fade.
test.use({ contextOptions: { reducedMotion: "reduce" } });

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

const twin = (n: number, name: string) => ({
  id: uuid(n),
  name,
  description: "Отвечает на вопросы о чае",
  personality: "Спокойный и внимательный, шутит к месту",
  communicationStyle: "Коротко и на вы",
  expertise: ["Чай"],
  status: "ready",
  isActive: true,
  styleAccuracy: null,
  ownerId: user.id,
  lastTrainedAt: null,
  createdAt: "2025-11-20T10:00:00.000Z",
  updatedAt: "2025-11-20T10:00:00.000Z",
});
const twins = [twin(1, "Анна"), twin(2, "Олег")];

const integration = (n: number, own: Record<string, unknown> = {}) => ({
  id: uuid(100 + n),
  platform: "telegram",
  status: "active",
  statusReason: null,
  digitalTwinName: "Анна",
  digitalTwinId: uuid(1),
  messagesImported: 1247,
  messagesHandled: 95,
  lastSync: "2025-11-20T10:00:00.000Z",
  createdAt: "2025-11-20T10:00:00.000Z",
  updatedAt: "2025-11-20T10:00:00.000Z",
  phoneNumber: `+7900000000${n}`,
  config: { phoneNumber: `+7900000000${n}` },
  settings: { success_rate: 0.95 },
  autonomy: "draft",
  ...own,
});

type Answer = (route: Route, request: Request) => unknown;
const json =
  (body: unknown, status = 200): Answer =>
  (route) =>
    route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
const problem = (status: number, message: string) => json({ message, code: "test", requestId: "r1" }, status);
const noNetwork: Answer = (route) => route.abort("connectionfailed");
const empty: Answer = (route) => route.fulfill({ status: 204 });

interface Call {
  call: string;
  body: unknown;
}

/** Signs in without a server and answers the calls named «METHOD /path»; gives back every call but reads of the frame. */
async function answering(page: Page, answers: Record<string, Answer>): Promise<Call[]> {
  await page.addInitScript((stored) => {
    localStorage.setItem("auth_token", "token-of-a-test");
    localStorage.setItem("user_data", stored);
  }, JSON.stringify(user));
  const all: Record<string, Answer> = {
    "GET /api/auth/verify": json({ user }),
    "GET /api/digital-twins": json(twins),
    ...answers,
  };
  const calls: Call[] = [];
  await page.route("**/api/**", (route, request) => {
    const call = `${request.method()} ${new URL(request.url()).pathname}`;
    calls.push({ call, body: request.postDataJSON() });
    return (all[call] ?? json([]))(route, request);
  });
  return calls;
}

const SEND = "POST /api/integrations/telegram/send-code";
const VERIFY = "POST /api/integrations/telegram/verify-code";
const IMPORT = `POST /api/integrations/telegram/${uuid(77)}/import-data`;
const codeSent = json({ phoneCodeHash: "hash-1", sessionId: "session-1" });
const verified = json({ success: true, integration: { id: uuid(77) } });
const imported = json({
  stats: {
    dialogsProcessed: 10,
    totalMessages: 3214,
    analysis: { communicationStyle: "Коротко", personality: "Спокойный", expertise: ["Продажи", "Доставка"] },
  },
});

/** The one toast: its title and description. */
async function expectToast(page: Page, title: string, description?: string) {
  const toast = page.getByRole("region", { name: /^Уведомления/ }).getByRole("listitem");
  await expect(toast).toContainText(title);
  if (description !== undefined) await expect(toast).toContainText(description);
}

const step = (page: Page) => page.getByRole("list", { name: "Шаги подключения" }).locator('[aria-current="step"]');
const twinSelect = (page: Page) => page.getByLabel("Цифровой двойник");
const hash = (page: Page) => page.getByLabel("API Hash", { exact: true });
const code = (page: Page) => page.getByLabel("Код подтверждения");

async function fillAccount(page: Page) {
  await twinSelect(page).selectOption("Анна");
  await page.getByLabel("API ID").fill("123456");
  await hash(page).fill("0123456789abcdef");
  await page.getByLabel("Номер телефона").fill("+79001234567");
}
const requestCode = (page: Page) => page.getByRole("button", { name: "Отправить код" }).click();
async function toVerification(page: Page) {
  await page.goto("/integrations");
  await fillAccount(page);
  await requestCode(page);
  await expect(step(page)).toContainText("Подтверждение");
}
async function verify(page: Page, password?: string) {
  await code(page).fill("54321");
  if (password) await page.getByLabel("Пароль двухэтапной аутентификации").fill(password);
  await page.getByRole("button", { name: "Подтвердить" }).click();
}

test.describe("connecting an account", () => {
  test("leads through all four steps with the calls and toasts of each", async ({ page }) => {
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const calls = await answering(page, {
      [SEND]: codeSent,
      [VERIFY]: verified,
      [IMPORT]: async (route, request) => {
        await held;
        return imported(route, request);
      },
    });
    await toVerification(page);
    await expectToast(page, "Код отправлен");
    await expect(code(page)).toBeFocused();
    await expect(code(page)).toHaveAttribute("placeholder", "12345");
    await verify(page, "облако");
    await expect(step(page)).toContainText("Импорт");
    await expectToast(page, "Telegram интеграция создана!");
    await expect(page.getByRole("progressbar", { name: "Импорт переписки" })).toBeVisible();
    await expectAccessible(page, "importing");
    finish();
    await expect(step(page)).toContainText("Готово");
    await expectToast(page, "Обучение завершено!", "3 214");
    for (const text of ["Коротко", "Спокойный", "Продажи, Доставка"]) {
      await expect(page.locator("main").getByText(text, { exact: true })).toBeVisible();
    }
    await expectAccessible(page, "complete");

    const account = { apiId: "123456", apiHash: "0123456789abcdef", phoneNumber: "+79001234567", twinId: uuid(1) };
    const session = { phoneCodeHash: "hash-1", sessionId: "session-1" };
    expect(calls.filter(({ call }) => call.startsWith("POST"))).toEqual([
      { call: SEND, body: account },
      { call: VERIFY, body: { ...account, ...session, verificationCode: "54321", password: "облако" } },
      { call: IMPORT, body: { dialogsLimit: 10, messagesPerDialog: 500 } },
    ]);
    // Read at first, after the verification and after the import.
    await expect.poll(() => calls.filter(({ call }) => call === "GET /api/integrations").length).toBe(3);

    await page.getByRole("button", { name: "Настроить еще один аккаунт" }).click();
    await expect(step(page)).toContainText("Учетные данные");
    await expect(hash(page)).toHaveValue("");
  });

  test("without an integration id it is complete at once, and leads to the dialogues", async ({ page }) => {
    const calls = await answering(page, {
      [SEND]: json({ phoneCodeHash: "h", integrationId: 9 }),
      [VERIFY]: json({ success: true }),
    });
    await toVerification(page);
    await verify(page);
    await expect(step(page)).toContainText("Готово");
    await expectToast(page, "Telegram интеграция создана!");
    expect(calls.find(({ call }) => call === VERIFY)?.body).toMatchObject({ phoneCodeHash: "h", sessionId: "9" });
    expect(calls.some(({ call }) => call.endsWith("import-data"))).toBe(false);
    await page.getByRole("link", { name: "Протестировать ИИ двойника" }).click();
    await expect(page).toHaveURL(/\/conversations$/);
  });

  test("says what is missing before anything is sent", async ({ page }) => {
    const calls = await answering(page, { [SEND]: codeSent });
    await page.goto("/integrations");
    await expect(page.getByLabel("Номер телефона")).toHaveAttribute("placeholder", "+7XXXXXXXXXX");
    await requestCode(page);
    await expectToast(page, "Заполните все поля", "Все поля обязательны для подключения");
    await expect(twinSelect(page)).toBeFocused();
    await expect(hash(page)).toHaveAttribute("aria-invalid", "true");
    await expectAccessibleCrosswise(page, "/integrations, invalid");
    await fillAccount(page);
    for (const field of [page.getByLabel("API ID"), hash(page), page.getByLabel("Номер телефона")]) {
      const value = await field.inputValue();
      await field.fill("  ");
      await requestCode(page);
      await expect(field).toBeFocused();
      await field.fill(value);
    }
    expect(calls.some(({ call }) => call === SEND)).toBe(false);
    await requestCode(page);
    await page.getByRole("button", { name: "Подтвердить" }).click();
    await expectToast(page, "Введите код", "Код подтверждения обязателен");
    expect(calls.some(({ call }) => call === VERIFY)).toBe(false);
    await expectAccessible(page, "verification");
  });

  test("without a twin it sends to making one", async ({ page }) => {
    await answering(page, { "GET /api/digital-twins": json([]) });
    await page.goto("/integrations");
    await page.getByLabel("API ID").fill("1");
    await hash(page).fill("2");
    await page.getByLabel("Номер телефона").fill("3");
    await requestCode(page);
    await expectToast(page, "Нет Digital Twins", "Сначала создайте Digital Twin");
    await page.getByRole("link", { name: "Создать двойника" }).click();
    await expect(page).toHaveURL(/\/create-twin$/);
  });

  test("what was typed survives a reload, secrets do not; a twin that is gone meanwhile is told", async ({ page }) => {
    let list = twins;
    await answering(page, {
      [SEND]: codeSent,
      "GET /api/digital-twins": (route, request) => json(list)(route, request),
    });
    await toVerification(page);
    await code(page).fill("54321");
    await page.getByLabel("Пароль двухэтапной аутентификации").fill("облако");
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    for (const secret of ["0123456789abcdef", "54321", "облако", "hash-1", "session-1"])
      expect(stored).not.toContain(secret);
    list = twins.slice(1);
    await page.reload();
    await expect(page.getByLabel("API ID")).toHaveValue("123456");
    await expect(page.getByLabel("Номер телефона")).toHaveValue("+79001234567");
    await expect(hash(page)).toHaveValue("");
    await hash(page).fill("0123456789abcdef");
    await requestCode(page);
    await expectToast(page, "Ошибка выбора Digital Twin", "Выбранный Digital Twin не найден");
    await twinSelect(page).selectOption("Олег");
    await requestCode(page);
    await expect(step(page)).toContainText("Подтверждение");
    await page.getByRole("button", { name: "Назад" }).click();
    await expect(step(page)).toContainText("Учетные данные");
    await expect(hash(page)).toHaveValue("0123456789abcdef");
  });

  test.describe("that fails", () => {
    // Chromium itself reports answers of 5xx and a broken network.
    test.use({ allowedConsoleErrors: [/^Failed to load resource/] });

    test("sends no code: the toast says why, what was typed stays", async ({ page }) => {
      let answer: Answer = codeSent;
      await answering(page, { [SEND]: (route, request) => answer(route, request) });
      await page.goto("/integrations");
      await fillAccount(page);
      for (const [failure, description] of [
        [problem(503, "Подключение пока недоступно"), "Подключение пока недоступно"],
        [json({ message: "Номер не найден" }, 400), "Номер не найден"],
        [json({}, 429), "Не удалось отправить код"],
        [noNetwork, "Не удалось отправить код"],
      ] as const) {
        answer = failure;
        await requestCode(page);
        await expectToast(page, "Ошибка", description);
        await page.getByRole("button", { name: "Закрыть уведомление" }).click();
        await expect(step(page)).toContainText("Учетные данные");
        await expect(hash(page)).toHaveValue("0123456789abcdef");
      }
    });

    test("is not verified: the step and the code stay", async ({ page }) => {
      let answer: Answer = verified;
      await answering(page, { [SEND]: codeSent, [VERIFY]: (route, request) => answer(route, request) });
      await toVerification(page);
      for (const [failure, description] of [
        [json({ success: false, error: "Код устарел" }), "Код устарел"],
        [json({ success: false }), "Проверьте правильность SMS кода"],
        [problem(400, "Слишком много попыток"), "Слишком много попыток"],
        [json("", 500), "Неверный код подтверждения"],
      ] as const) {
        answer = failure;
        await verify(page);
        await expectToast(page, "Ошибка верификации", description);
        await expect(step(page)).toContainText("Подтверждение");
        await expect(code(page)).toHaveValue("54321");
      }
    });

    test("imports nothing: the setup is completed nevertheless", async ({ page }) => {
      let answer: Answer = imported;
      await answering(page, {
        [SEND]: codeSent,
        [VERIFY]: verified,
        [IMPORT]: (route, request) => answer(route, request),
      });
      for (const [failure, title, description] of [
        [problem(422, "Telegram не отвечает"), "Ошибка импорта", "Telegram не отвечает"],
        [json({}, 503), "Ошибка импорта", "Не удалось импортировать данные"],
        [json({}), "Обучение завершено!", "Импорт завершен!"],
      ] as const) {
        answer = failure;
        await toVerification(page);
        await verify(page);
        await expectToast(page, title, description);
        await expect(step(page)).toContainText("Готово");
        const failed = page.getByText("переписку импортировать не удалось");
        await expect(failed).toBeVisible({ visible: title === "Ошибка импорта" });
      }
    });
  });

  test("is done by the keyboard alone", async ({ page }) => {
    await answering(page, { [SEND]: codeSent, [VERIFY]: json({ success: true }) });
    await page.goto("/integrations");
    const { focus, follow, press, type } = keyboardOf(page);
    await expect(page.getByRole("option", { name: "Анна" })).toBeAttached();
    await focus(twinSelect(page));
    await press("ArrowDown");
    await type(page.getByLabel("API ID"), "123456");
    await type(hash(page), "0123456789abcdef");
    await type(page.getByLabel("Номер телефона"), "+79001234567");
    await press("Enter");
    await expect(code(page)).toBeFocused();
    await page.keyboard.type("54321");
    await press("Enter");
    await expect(step(page)).toContainText("Готово");
    await follow(page.getByRole("button", { name: "Настроить еще один аккаунт" }));
    await expect(twinSelect(page)).toBeFocused();
  });
});

const LIST = "GET /api/integrations";
const rows = (page: Page) =>
  page
    .getByRole("region", { name: /^Активные интеграции/ })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });

test.describe("the list of integrations", () => {
  test("shows each entry, and a word for whatever it lacks", async ({ page }) => {
    await answering(page, {
      [LIST]: json([
        integration(1),
        { id: 7, platform: "whatsapp", status: "inactive", digitalTwinId: uuid(55) },
        integration(3, {
          platform: "email",
          status: "error",
          statusReason: "Ключ отозван",
          phoneNumber: null,
          config: {},
          digitalTwinName: null,
          digitalTwinId: uuid(2),
          lastSync: null,
        }),
        { id: 8 },
      ]),
    });
    await page.goto("/integrations");
    await expect(page.getByRole("heading", { name: "Активные интеграции (4)" })).toBeVisible();
    const texts = [
      ["+79000000001", "Активна", "Telegram", "Анна", /1\s247\sсообщений/, "20 ноября 2025", "черновики"],
      ["Номер скрыт", "Неактивна", "WhatsApp", "Неизвестный агент", /^.*0\sсообщений/, "Не указана"],
      ["Номер скрыт", "Неактивна", "Email", "Олег", "Не указана", "Ключ отозван"],
      ["Номер скрыт", "Неактивна", "Не указан", "Не указана"],
    ];
    for (const [at, parts] of texts.entries()) {
      for (const text of parts) await expect(rows(page).nth(at)).toContainText(text);
    }
    await expect(page.getByText("Пример", { exact: true })).toHaveCount(0);
    await expectAccessibleCrosswise(page, "/integrations");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  test("is a marked sample when the answer is no list, until it is read again", async ({ page }) => {
    let answer = json({ integrations: [] });
    await answering(page, { [LIST]: (route, request) => answer(route, request) });
    for (const odd of [json({ integrations: [] }), json(null), problem(404, "Нет такого")]) {
      answer = odd;
      await page.goto("/integrations");
      await expect(page.getByText("Пример", { exact: true })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Активные интеграции (2)" })).toBeVisible();
      await expect(page.getByRole("button", { name: /^Действия/ })).toHaveCount(0);
    }
    await expectAccessible(page, "/integrations, sample");
    answer = json([]);
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByText("Пока нет интеграций")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Активные интеграции (0)" })).toBeVisible();
  });

  test("is searched past ten entries, the words in the address", async ({ page }) => {
    const many = Array.from({ length: 12 }, (_, at) =>
      integration(at, { phoneNumber: `+7999${at}`, config: null, digitalTwinName: at === 5 ? "Олег" : "Анна" }),
    );
    await answering(page, { [LIST]: json(many) });
    await page.goto("/integrations");
    const search = page.getByRole("searchbox", { name: "Поиск интеграции" });
    await search.fill("олег telegram");
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\?q=/);
    await page.reload();
    await expect(rows(page)).toHaveCount(1);
    await search.fill("нет такой");
    await page.getByRole("button", { name: "Сбросить поиск" }).click();
    await expect(rows(page)).toHaveCount(12);
  });

  test("pauses, sets the autonomy, configures and deletes, and reads itself and /crm again", async ({ page }) => {
    const path = `/api/integrations/${uuid(101)}`;
    let entry = integration(1);
    let refuse = false;
    const calls = await answering(page, {
      [LIST]: (route, request) => json([entry])(route, request),
      [`PUT ${path}`]: (route, request) => {
        if (refuse) return problem(403, "Недостаточно прав для этого действия")(route, request);
        entry = { ...entry, ...request.postDataJSON() };
        return json(entry)(route, request);
      },
      [`DELETE ${path}`]: empty,
    });
    await page.goto("/integrations");
    const menu = page.getByRole("button", { name: "Действия: Telegram, +79000000001" });
    await menu.click();
    await expectAccessible(page, "the menu of an integration");
    await page.getByRole("menuitem", { name: "Приостановить" }).click();
    await expectToast(page, "Интеграция приостановлена");
    await expect(rows(page).getByText("Неактивна")).toBeVisible();
    await menu.click();
    await expect(page.getByRole("menuitemradio", { name: "Черновики" })).toBeChecked();
    await page.getByRole("menuitemradio", { name: "Всегда сам" }).click();
    await expect(rows(page).getByText("Ответы: всегда сам")).toBeVisible();

    await menu.click();
    await page.getByRole("menuitem", { name: "Настроить" }).click();
    const dialog = page.getByRole("dialog", { name: "Настройки: Telegram" });
    await expectAccessible(page, "the settings of an integration");
    await dialog.getByLabel("Цифровой двойник").selectOption("Олег");
    await dialog.getByLabel("Состояние").selectOption("Активна");
    refuse = true;
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Недостаточно прав для этого действия");
    await expect(page.getByText("Ошибка обновления", { exact: true })).toBeVisible();
    refuse = false;
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expectToast(page, "Настройки сохранены");
    await expect(dialog).toHaveCount(0);
    await expect(menu).toBeFocused();
    expect(calls.filter(({ call }) => call === `PUT ${path}`).map(({ body }) => body)).toEqual([
      { status: "inactive" },
      { autonomy: "auto" },
      { status: "active", autonomy: "auto", digitalTwinId: uuid(2) },
      { status: "active", autonomy: "auto", digitalTwinId: uuid(2) },
    ]);

    await menu.click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    const question = page.getByRole("alertdialog", { name: "Удалить интеграцию?" });
    await question.getByRole("button", { name: "Отмена" }).click();
    expect(calls.some(({ call }) => call === `DELETE ${path}`)).toBe(false);
    await menu.click();
    await page.getByRole("menuitem", { name: "Удалить" }).click();
    await expectAccessible(page, "the confirmation");
    await question.getByRole("button", { name: "Удалить" }).click();
    await expectToast(page, "Интеграция удалена");
    await expect(question).toHaveCount(0);
    // At first, then after three changes and the deletion.
    await expect.poll(() => calls.filter(({ call }) => call === LIST).length).toBe(5);
  });
});

const CREATE = "POST /api/integrations/create";
const submit = (page: Page) => page.getByRole("button", { name: "Создать интеграцию" });
const platformSelect = (page: Page) => page.getByLabel("Платформа");

test.describe("adding an integration", () => {
  const shown: Record<string, string[]> = {
    telegram: ["API ID", "API Hash", "Номер телефона", "Bot Token"],
    whatsapp: ["API ключ", "Номер телефона"],
    email: ["API ключ"],
    slack: ["API ключ", "Webhook URL"],
    discord: ["API ключ"],
  };

  test("shows the fields of each platform; keys are masked until they are shown", async ({ page }) => {
    await answering(page, {});
    await page.goto("/add-integration");
    await expect(submit(page)).toBeDisabled();
    await expect(page.getByText(/Все API ключи хранятся в зашифрованном виде/)).toBeVisible();
    const all = [...new Set(Object.values(shown).flat())];
    for (const [platform, labels] of Object.entries(shown)) {
      await platformSelect(page).selectOption(platform);
      await expect(submit(page)).toBeEnabled();
      for (const label of all) {
        await expect(page.getByLabel(label, { exact: true })).toHaveCount(labels.includes(label) ? 1 : 0);
      }
    }
    await platformSelect(page).selectOption("telegram");
    await expect(page.getByText("Поддерживает Bot API или Userbot", { exact: false })).toBeVisible();
    for (const label of ["API Hash", "Bot Token"]) {
      const field = page.getByLabel(label, { exact: true });
      await expect(field).toHaveAttribute("type", "password");
      await field.locator("..").getByRole("button", { name: "Показать введённое" }).click();
      await expect(field).toHaveAttribute("type", "text");
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  test("says in words what is wrong", async ({ page }) => {
    const calls = await answering(page, { [CREATE]: json({}) });
    await page.goto("/add-integration");
    await platformSelect(page).selectOption("slack");
    await page.getByLabel("Webhook URL").fill("не адрес");
    await submit(page).click();
    for (const text of ["Выберите цифрового двойника", "API ключ обязателен", "Введите корректный URL"]) {
      await expect(page.getByRole("alert").filter({ hasText: text })).toBeVisible();
    }
    await expectAccessibleCrosswise(page, "/add-integration, invalid");
    await page.getByLabel("Webhook URL").fill("");
    await submit(page).click();
    await expect(page.getByText("Введите корректный URL")).toHaveCount(0);
    expect(calls.some(({ call }) => call === CREATE)).toBe(false);
  });

  test("sends the payload of the specification, clears the form and reads both lists again", async ({ page }) => {
    const calls = await answering(page, {
      [CREATE]: json({}, 201),
      "GET /api/crm/integrations": json([integration(1)]),
    });
    await page.goto("/crm");
    await page.getByRole("link", { name: "+ Добавить интеграцию" }).click();
    await twinSelect(page).selectOption("Анна");
    await platformSelect(page).selectOption("telegram");
    await page.getByLabel("API ID").fill("123456");
    await hash(page).fill("0123456789abcdef");
    await page.getByLabel("Номер телефона").fill("+79001234567");
    // A user account has no key of its own: the form fills in what the platform implies.
    await submit(page).click();
    await expectToast(page, "Интеграция создана!");
    await expect(submit(page)).toBeDisabled();
    expect(calls.find(({ call }) => call === CREATE)?.body).toEqual({
      digitalTwinId: uuid(1),
      platform: "telegram",
      apiKey: "userbot",
      apiId: "123456",
      apiHash: "0123456789abcdef",
      phoneNumber: "+79001234567",
      settings: { phone_number: "+79001234567", webhook_url: null, success_rate: 0.95 },
      status: "active",
    });
    await page.getByRole("link", { name: "CRM интеграция" }).first().click();
    await expect.poll(() => calls.filter(({ call }) => call === "GET /api/crm/integrations").length).toBe(2);
  });

  test("sends of the other platforms only what they show, and keeps what was typed when it fails", async ({ page }) => {
    const calls = await answering(page, { [CREATE]: problem(400, "Ключ не подходит") });
    await page.goto("/add-integration");
    await twinSelect(page).selectOption("Олег");
    await platformSelect(page).selectOption("telegram");
    await page.getByLabel("API ID").fill("123456");
    await platformSelect(page).selectOption("slack");
    await page.getByLabel("API ключ", { exact: true }).fill("xoxb-1");
    await page.getByLabel("Webhook URL").fill("https://hooks.example.com/1");
    await page.getByText("Дополнительно").click();
    await page.getByLabel("App-Level Token").fill("xapp-1");
    await submit(page).click();
    await expectToast(page, "Ошибка создания интеграции", "Ключ не подходит");
    await expect(page.getByLabel("API ключ", { exact: true })).toHaveValue("xoxb-1");
    expect(calls.find(({ call }) => call === CREATE)?.body).toEqual({
      digitalTwinId: uuid(2),
      platform: "slack",
      apiKey: "xoxb-1",
      apiId: null,
      apiHash: null,
      phoneNumber: null,
      settings: {
        phone_number: null,
        webhook_url: "https://hooks.example.com/1",
        success_rate: null,
        app_token: "xapp-1",
      },
      status: "active",
    });
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    for (const secret of ["xoxb-1", "hooks.example.com", "xapp-1"]) expect(stored).not.toContain(secret);
    await page.reload();
    await expect(platformSelect(page)).toHaveValue("slack");
    await expect(page.getByLabel("API ключ", { exact: true })).toHaveValue("");
  });
});

test.describe("on a real server", () => {
  // The wizard's 503, which Chromium reports too.
  test.use({ allowedConsoleErrors: [/^Failed to load resource/] });

  test("lists what the form has sent, without its key, and says what is not served yet", async ({ page }) => {
    const token = await asNewUser(page);
    const headers = { authorization: `Bearer ${token}` };
    const made = await page.request.post("/api/digital-twins", {
      headers,
      data: {
        name: "Вера",
        description: "Отвечает покупателям магазина",
        personality: "Внимательная, спокойная, шутит редко",
        communicationStyle: "Коротко и по делу",
        knowledgeArea: "Доставка и возврат",
      },
    });
    expect(made.ok(), await made.text()).toBe(true);
    await page.goto("/add-integration");
    await twinSelect(page).selectOption("Вера");
    await platformSelect(page).selectOption("whatsapp");
    await page.getByLabel("API ключ", { exact: true }).fill("очень-тайный-ключ");
    await page.getByLabel("Номер телефона").fill("+79001234567");
    await submit(page).click();
    await expectToast(page, "Интеграция создана!");
    await page.goto("/integrations");
    await expect(rows(page)).toContainText("+79001234567");
    const list = await page.request.get("/api/integrations", { headers });
    expect(await list.text()).not.toContain("тайный");
    // A live account is not served yet, and the wizard says so in the server's words.
    await twinSelect(page).selectOption("Вера");
    await page.getByLabel("API ID").fill("123456");
    await hash(page).fill("0123456789abcdef");
    await page.getByLabel("Номер телефона").fill("+79001234567");
    const refused = page.waitForResponse((response) => response.url().endsWith("/send-code"));
    await requestCode(page);
    expect((await refused).status()).toBe(503);
    await expectToast(page, "Ошибка", "Подключение Telegram-аккаунта на этом сервере пока недоступно");
  });
});

const CRM = "GET /api/crm/integrations";
const cards = (page: Page) =>
  page
    .getByRole("region", { name: "Подключенные системы" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });

test.describe("the CRM overview", () => {
  test("derives cards and figures from the integrations", async ({ page }) => {
    await answering(page, {
      [CRM]: json([
        integration(1, { messagesHandled: 95 }),
        integration(2, { platform: "salesforce", status: "inactive", messagesHandled: 1000 }),
        integration(3, { platform: "email", status: "error", messagesHandled: 19, statusReason: "Ключ отозван" }),
      ]),
    });
    await page.goto("/crm");
    await expect(page.getByRole("heading", { level: 1, name: "CRM интеграция" })).toBeVisible();
    await expect(page.locator("main dl").filter({ hasText: "Active Deals" })).toContainText("54");
    await expect(page.locator("main dl").filter({ hasText: "Всего лидов" })).toContainText("110");
    await expect(page.locator("main dl").filter({ hasText: "Подключено CRM" })).toContainText("1");
    await expect(page.locator("main dl").filter({ hasText: "Conversion Rate" })).toContainText("23.5%");
    for (const [at, texts] of [
      ["Telegram", "Messaging", "Подключена", "Лиды9", "Сделки4"],
      ["Salesforce", "Enterprise CRM", "Отключена", "Лиды100", "Сделки50"],
      ["Email", "Integration", "Ошибка", "Лиды1", "Сделки0", "Ключ отозван"],
    ].entries()) {
      for (const text of texts) await expect(cards(page).nth(at)).toContainText(text);
    }
    await expect(cards(page).nth(1).getByRole("button", { name: "Sync Now" })).toBeDisabled();
    const available = page.getByRole("region", { name: "Available Integrations" });
    await expect(available.getByRole("link", { name: "Подключить", exact: true })).toHaveCount(6);
    await expect(available.getByRole("link").first()).toHaveAttribute("href", "/add-integration");
    await expectAccessibleCrosswise(page, "/crm");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  test("is searched past ten systems", async ({ page }) => {
    const many = Array.from({ length: 11 }, (_, at) =>
      integration(at, { digitalTwinName: at === 3 ? "Олег" : "Анна" }),
    );
    await answering(page, { [CRM]: json(many) });
    await page.goto("/crm");
    await page.getByRole("searchbox", { name: "Поиск системы" }).fill("олег");
    await expect(cards(page)).toHaveCount(1);
    await page.getByRole("searchbox", { name: "Поиск системы" }).fill("нет такой");
    await page.getByRole("button", { name: "Сбросить поиск" }).click();
    await expect(cards(page)).toHaveCount(11);
  });

  test("shows three marked samples when the server returns nothing", async ({ page }) => {
    let answer: Answer = json([]);
    const calls = await answering(page, { [CRM]: (route, request) => answer(route, request) });
    for (const nothing of [json([]), json(null), json({ error: "нет" }), problem(403, "Нет прав")]) {
      answer = nothing;
      await page.goto("/crm");
      await expect(cards(page)).toHaveCount(3);
      await expect(cards(page).getByText("Пример", { exact: true })).toHaveCount(3);
    }
    await cards(page).first().getByRole("button", { name: "Sync Now" }).click();
    await expectToast(page, "Ошибка переимпорта", "Это пример");
    await cards(page).first().getByRole("button", { name: "Configure" }).click();
    await expectAccessible(page, "the settings of a sample");
    await page.getByRole("dialog").getByRole("link", { name: "Добавить интеграцию" }).click();
    await expect(page).toHaveURL(/\/add-integration$/);
    expect(calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
  });

  test("reads an account anew and opens its settings", async ({ page }) => {
    let answer = json({ id: uuid(101), status: "running" }, 202);
    const calls = await answering(page, {
      [CRM]: json([integration(1)]),
      [`POST /api/integrations/${uuid(101)}/reimport`]: (route, request) => answer(route, request),
      [`PUT /api/integrations/${uuid(101)}`]: json(integration(1)),
    });
    await page.goto("/crm");
    const sync = cards(page).getByRole("button", { name: "Sync Now" });
    await sync.click();
    await expectToast(page, "Переимпорт запущен", "Данные обновляются в фоновом режиме");
    answer = problem(409, "Интеграция приостановлена: переимпорт недоступен");
    await sync.click();
    await expectToast(page, "Ошибка переимпорта", "Интеграция приостановлена: переимпорт недоступен");
    answer = json({}, 400);
    await sync.click();
    await expectToast(page, "Ошибка переимпорта", "Не удалось запустить переимпорт");
    await cards(page).getByRole("button", { name: "Configure" }).click();
    const dialog = page.getByRole("dialog", { name: "Настройки: Telegram" });
    await dialog.getByLabel("Как отвечает двойник").selectOption("Сам, если уверен");
    await dialog.getByRole("button", { name: "Сохранить" }).click();
    await expectToast(page, "Настройки сохранены");
    expect(calls.find(({ call }) => call.startsWith("PUT"))?.body).toEqual({ status: "active", autonomy: "confident" });
    await expect(page.getByRole("button", { name: "Configure" })).toBeFocused();
  });
});
