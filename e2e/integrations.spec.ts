// /integrations against answers of the test's own: each state of the setup, of the list and of the calls.
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "./accessibility.ts";
import { type Answer, cut, fails, integration, json, nothing, twins, uuid, withTwins } from "./answers.ts";
import { watchClipboard } from "./clipboard.ts";
import { expect, test } from "./fixtures.ts";
import { keyboardOf } from "./keyboard.ts";
import { expectToast, toast } from "./toast.ts";

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
  test("without an integration id it is complete at once, and leads to the dialogues", async ({ page }) => {
    const calls = await withTwins(page, {
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
    const calls = await withTwins(page, { [SEND]: codeSent });
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
    await withTwins(page, { "GET /api/digital-twins": json([]) });
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
    await withTwins(page, {
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
      await withTwins(page, { [SEND]: (route, request) => answer(route, request) });
      await page.goto("/integrations");
      await fillAccount(page);
      for (const [failure, description] of [
        [fails(503, "Подключение пока недоступно"), "Подключение пока недоступно"],
        [json({ message: "Номер не найден" }, 400), "Номер не найден"],
        [json({}, 429), "Не удалось отправить код"],
        [cut, "Не удалось отправить код"],
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
      await withTwins(page, { [SEND]: codeSent, [VERIFY]: (route, request) => answer(route, request) });
      await toVerification(page);
      for (const [failure, description] of [
        [json({ success: false, error: "Код устарел" }), "Код устарел"],
        [json({ success: false }), "Проверьте правильность SMS кода"],
        [fails(400, "Слишком много попыток"), "Слишком много попыток"],
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
      await withTwins(page, {
        [SEND]: codeSent,
        [VERIFY]: verified,
        [IMPORT]: (route, request) => answer(route, request),
      });
      for (const [failure, title, description] of [
        [fails(422, "Telegram не отвечает"), "Ошибка импорта", "Telegram не отвечает"],
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

  test.describe("of which the call is cut", () => {
    test.use({ allowedConsoleErrors: [/Failed to load resource/] });
    const STATE = IMPORT.replace("POST", "GET");
    const state = (status: string) =>
      json({
        status,
        dialogs: 2,
        dialogsDone: 1,
        messages: 5,
        progress: 0.5,
        notice: null,
        stats: status === "done" ? { totalMessages: 77 } : null,
      });

    test("after the import has ended: the state is read, and it is complete", async ({ page }) => {
      let asked = 0;
      await withTwins(page, {
        [SEND]: codeSent,
        [VERIFY]: verified,
        [IMPORT]: cut,
        [STATE]: (route, request) => (asked++ === 0 ? state("none") : state("done"))(route, request),
      });
      await toVerification(page);
      await verify(page);
      await expectToast(page, "Обучение завершено!", "Импортировано сообщений: 77");
      await expect(step(page)).toContainText("Готово");
    });

    test("and the server stays away: after a minute it has failed, and nobody asks any more", async ({ page }) => {
      await page.clock.install();
      const calls = await withTwins(page, { [SEND]: codeSent, [VERIFY]: verified, [IMPORT]: cut, [STATE]: cut });
      await toVerification(page);
      await verify(page);
      await expect(step(page)).toContainText("Импорт");
      let seconds = 0;
      const failed = async () => {
        await page.clock.runFor(1000);
        seconds++;
        return toast(page).filter({ hasText: "Ошибка импорта" }).count();
      };
      await expect.poll(failed, { intervals: [50], timeout: 60_000 }).toBe(1);
      expect(seconds).toBeGreaterThan(50);
      await expectToast(page, "Ошибка импорта", "Не удалось импортировать данные");
      await expect(step(page)).toContainText("Готово");
      const asked = calls.length;
      await page.clock.runFor(5000);
      expect(calls.filter(({ call }) => call === STATE).length).toBeLessThanOrEqual(asked);
      expect(calls.length).toBe(asked);
    });

    test("and who leaves the page and comes back sees it go on, until its end", async ({ page }) => {
      let answer = state("running");
      await withTwins(page, {
        [SEND]: codeSent,
        [VERIFY]: verified,
        [IMPORT]: () => undefined,
        [STATE]: (route, request) => answer(route, request),
      });
      await toVerification(page);
      await verify(page);
      await expect(page.getByText("Прочитано диалогов: 1 из 2")).toBeVisible();
      const menu = page.getByRole("navigation", { name: "Основная навигация" });
      await menu.getByRole("link", { name: "CRM интеграция" }).click();
      await menu.getByRole("link", { name: /^Интеграции/ }).click();
      await expect(step(page)).toContainText("Импорт");
      await expect(page.getByText("Прочитано диалогов: 1 из 2")).toBeVisible();
      await page.reload();
      await expect(page.getByText("Прочитано диалогов: 1 из 2")).toBeVisible();
      answer = state("done");
      await expect(step(page)).toContainText("Готово");
      await page.reload();
      await expect(step(page)).toContainText("Учетные данные");
    });
  });

  test("is done by the keyboard alone", async ({ page }) => {
    await withTwins(page, { [SEND]: codeSent, [VERIFY]: json({ success: true }) });
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
    await withTwins(page, {
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
      ["Email", "Неактивна", "Email", "Олег", "Не указана", "Ключ отозван"],
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

  test("gives the owner the address and the token that Meta's console asks for, and says what does not work", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-write"]);
    const url = `https://twins.test/hooks/${"x".repeat(43)}`;
    await withTwins(page, {
      [LIST]: json([
        integration(1, {
          platform: "whatsapp",
          account: "+7 999 000-00-01",
          connection: "trouble",
          trouble: "WhatsApp недоступен",
          lastEvent: null,
          webhook: { url, verifyToken: "verify-me" },
        }),
      ]),
    });
    await page.goto("/integrations");
    await expect(rows(page)).toContainText(["Ошибка: WhatsApp недоступен"]);
    await page.getByRole("button", { name: /^Действия/ }).click();
    await page.getByRole("menuitem", { name: "Настроить" }).click();
    const dialog = page.getByRole("dialog", { name: "Настройки: WhatsApp" });
    await expect(dialog.getByLabel("Адрес вебхука", { exact: true })).toHaveValue(url);
    await expect(dialog.getByLabel("Токен подтверждения", { exact: true })).toHaveValue("verify-me");
    const copied = await watchClipboard(page);
    await dialog.getByRole("button", { name: "Копировать: Токен подтверждения" }).click();
    await expect(dialog.getByText("Скопировано")).toBeVisible();
    expect(await copied()).toBe("verify-me");
    await expectAccessibleCrosswise(page, "/integrations, an address to enter");
  });

  test("is a marked sample when the answer is no list, until it is read again", async ({ page }) => {
    let answer = json({ integrations: [] });
    await withTwins(page, { [LIST]: (route, request) => answer(route, request) });
    for (const odd of [json({ integrations: [] }), json(null), fails(404, "Нет такого")]) {
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
    await withTwins(page, { [LIST]: json(many) });
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
    const calls = await withTwins(page, {
      [LIST]: (route, request) => json([entry])(route, request),
      [`PUT ${path}`]: (route, request) => {
        if (refuse) return fails(403, "Недостаточно прав для этого действия")(route, request);
        entry = { ...entry, ...request.postDataJSON() };
        return json(entry)(route, request);
      },
      [`DELETE ${path}`]: nothing,
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
