// Section 2, Integrations: the list of what is connected, its samples, and what is done to one of its rows.
import type { Page } from "@playwright/test";
import { NOW, uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { twins } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { type Answer, fails, json, nothing, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, heading, one, placeholder, specify, text, texts } from "../support/specify.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { LIST, rows } from "./list-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

/** What the nth row says somewhere in its words. */
const inRow = (place: number, ...words: (string | RegExp)[]) =>
  words.map((word) => one(`row ${place}: ${word}`, (page: Page) => rows(page).nth(place).filter({ hasText: word })));

const sample = one("badge", (page: Page) => page.getByText("Пример", { exact: true }));
const samples = [sample, heading("Активные интеграции (2)")];
const actions = one("acts", (page: Page) => page.getByRole("button", { name: /^Действия/ }));

/** The badge and what is said beside it, as words of their own. */
const said = (place: number, ...words: string[]) =>
  words.map((word) =>
    one(`row ${place}: ${word}`, (page: Page) => rows(page).nth(place).getByText(word, { exact: true })),
  );

specify("2. Integrations (/integrations): the list", {
  at: "/integrations",
  inSight: true,
  answers: {
    "GET /api/digital-twins": json(twins),
    [LIST]: json([
      buildIntegration(1),
      {
        id: uuid(1),
        platform: "telegram",
        status: "active",
        digitalTwinName: "Анна",
        messagesImported: 21,
        lastSync: NOW,
        config: { phoneNumber: "+7 900 111-11-11" },
      },
      {
        id: uuid(2),
        platform: "whatsapp",
        status: "inactive",
        digitalTwinId: uuid(99),
        phoneNumber: "+7 900 222-22-22",
      },
      { id: 7, platform: "whatsapp", status: "inactive", digitalTwinId: uuid(55) },
      {
        ...buildIntegration(3, { platform: "email", status: "error", statusReason: "Ключ отозван", phoneNumber: null }),
        ...{ config: {}, digitalTwinName: null, digitalTwinId: uuid(2), lastSync: null },
      },
      { id: uuid(3), platform: "telegram", status: "other" },
      { id: 8 },
    ]),
  },
  calls: [LIST, "GET /api/digital-twins"],
  shows: [
    heading("Интеграции"),
    heading("Активные интеграции (7)"),
    texts("four steps", (page) => page.getByRole("list", { name: "Шаги подключения" }).getByRole("listitem"), [
      /Учетные данные/,
      /Подтверждение/,
      /Импорт/,
      /Готово/,
    ]),
    placeholder("+7XXXXXXXXXX"),
    button("Отправить код"),
    // What is cut off stands first and says why, beside the specified badge.
    ...inRow(0, "Email", "Номер скрыт", "Олег", "Не указана", "Ключ отозван"),
    ...said(0, "Неактивна", "Нужны вы", "Номер скрыт"),
    ...said(1, "Активна"),
    ...said(3, "Неактивна"),
    ...inRow(1, "+79000000001", "Активна", "Telegram", "Анна", /1\s247\sсообщений/, "20 ноября 2025", "черновики"),
    ...inRow(2, "+7 900 111-11-11", "Анна", /21\sсообщение/, "Активна", "20 ноября 2025"),
    ...inRow(3, "+7 900 222-22-22", "Неизвестный агент", "Неактивна", "Не указана"),
    ...inRow(4, "Номер скрыт", "Неактивна", "WhatsApp", "Неизвестный агент", /\D0\sсообщений/, "Не указана"),
    ...inRow(5, "Номер скрыт", "Не указан", "Неактивна"),
    ...inRow(6, "Номер скрыт", "Неактивна", "Не указан", "Не указана"),
  ],
  hides: [sample],
  states: [
    {
      name: "what is no list: samples",
      answers: { [LIST]: json({ integrations: [] }) },
      shows: [
        ...samples,
        one("a sample's number", (page) => rows(page).getByText("+7 900 123-45-67")),
        text("Анна Петрова"),
      ],
      hides: [actions],
    },
    { name: "null: samples", full: true, answers: { [LIST]: json(null) }, shows: samples, hides: [actions] },
    { name: "failed: samples", answers: { [LIST]: fails(500, "Внутренняя ошибка") }, shows: samples, hides: [actions] },
  ],
  acts: [
    {
      name: "the wizard stands above the list, whatever the width",
      does: async (page) => {
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const send = await page.getByRole("button", { name: "Отправить код" }).boundingBox();
          const list = await page.getByRole("heading", { name: /^Активные интеграции/ }).boundingBox();
          expect.soft(send!.y + send!.height, `${width} px`).toBeLessThanOrEqual(list!.y);
        }
        await page.setViewportSize(DESKTOP);
      },
    },
    {
      name: "accessible in light and wide, in dark and narrow; it fits 320 px",
      does: async (page) => {
        await expect(rows(page)).toHaveCount(7);
        await expectAccessibleCrosswise(page, "/integrations");
        await expectFitsNarrowPhone(page);
      },
    },
  ],
});

test.describe("the list of integrations", () => {
  test("a row in trouble is mended from the row: checked in place, or led to the field for a new key", async ({
    page,
  }) => {
    const check = { ok: false, message: "Telegram недоступен", steps: [] };
    const calls = await withTwins(page, {
      [LIST]: json([
        buildIntegration(1, { connection: "connected" }),
        buildIntegration(2, { connection: "paused", status: "inactive" }),
        buildIntegration(3, { connection: "trouble", trouble: "Telegram недоступен" }),
        buildIntegration(4, { connection: "action", isBot: true, account: "@tea_bot", statusReason: "Ключ отозван" }),
        buildIntegration(5, { connection: "action", account: "Анна", statusReason: "Вход отозван" }),
      ]),
      [`POST /api/integrations/${uuid(103)}/check`]: json(check),
      [`PUT /api/integrations/${uuid(102)}`]: json(buildIntegration(2)),
    });
    await page.goto("/integrations");
    await expect(rows(page)).toHaveCount(5);
    // N is what the list holds, whatever the state of its entries.
    await expect(page.getByRole("heading", { name: "Активные интеграции (5)" })).toBeVisible();
    // Over the wizard stands what has trouble, with the way to its row.
    await page.setViewportSize(PHONE);
    const trouble = page.getByRole("main").getByRole("paragraph").filter({ hasText: "нет связи, ещё неполадок: 2" });
    await expect(trouble).toBeInViewport();
    await trouble.getByRole("link", { name: "+79000000003" }).click();
    await expect(rows(page).nth(0)).toBeInViewport();
    await page.setViewportSize(DESKTOP);
    await expect(rows(page).nth(0).getByText("Активна", { exact: true })).toBeVisible();
    await expect(rows(page).nth(0).getByText("Нет связи", { exact: true })).toBeVisible();
    await rows(page)
      .nth(0)
      .getByRole("button", { name: /^Проверить соединение/ })
      .click();
    await expect(rows(page).nth(0).getByRole("status")).toHaveText("Telegram недоступен");
    await expect(
      rows(page)
        .nth(1)
        .getByRole("link", { name: /^Заменить ключ/ }),
    ).toHaveAttribute("href", `/integrations/${uuid(104)}?key=new`);
    await expect(
      rows(page)
        .nth(2)
        .getByRole("link", { name: /^Войти заново/ }),
    ).toHaveAttribute("href", "/integrations?connect=account");
    await expect(
      rows(page)
        .nth(3)
        .getByRole("link", { name: /^Настроить/ }),
    ).toBeVisible();
    await rows(page)
      .nth(2)
      .getByRole("link", { name: /^Войти заново/ })
      .click();
    await expect(page.getByLabel("Цифровой двойник")).toBeFocused();
    await expectAccessibleCrosswise(page, "/integrations with trouble");
    await rows(page)
      .nth(4)
      .getByRole("button", { name: /^Включить/ })
      .click();
    await expect.poll(() => calls.find(({ call }) => call.startsWith("PUT"))?.body).toEqual({ status: "active" });
  });

  test("is a marked sample until it is read again", async ({ page }) => {
    let answer: Answer = fails(404, "Нет такого");
    await withTwins(page, { [LIST]: (route, request) => answer(route, request) });
    await page.goto("/integrations");
    await expect(page.getByText("Пример", { exact: true })).toBeVisible();
    await expectAccessible(page, "/integrations, sample");
    answer = json([]);
    await page.getByRole("button", { name: "Повторить" }).click();
    await expect(page.getByText("Пока нет интеграций")).toBeVisible();
    await expect(page.getByText("Пример", { exact: true })).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Активные интеграции (0)" })).toBeVisible();
  });

  test("pauses, sets the autonomy, configures and deletes, and reads itself and /crm again", async ({ page }) => {
    const path = `/api/integrations/${uuid(101)}`;
    let entry = buildIntegration(1);
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
