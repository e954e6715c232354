// Section 4, the wizard of /integrations; sections 5, 7 and 9 for its fields and calls. It is gone through by keyboard alone, too.
import type { Page } from "@playwright/test";
import type { ImportStats } from "#contract/integrations/telegram-account.ts";
import { twins } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { hangs, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, field, link, one, placeholder, specify, text, texts } from "../support/specify.ts";
import { expectToast } from "../support/toast.ts";
import {
  account,
  code,
  codeSent,
  fillAccount,
  hash,
  IMPORT,
  requestCode,
  SEND,
  sendCode,
  step,
  toVerification,
  twinSelect,
  VERIFY,
  verified,
} from "./wizard.ts";
import { connect } from "./wizard-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const importStats: ImportStats = {
  dialogsProcessed: 10,
  totalMessages: 1234,
  analysis: { communicationStyle: "Коротко", personality: "Спокойная", expertise: ["Чай", "Кофе"] },
};

const complete = one("complete", (page: Page) => step(page).filter({ hasText: "Готово" }));

specify("4. The wizard of /integrations", {
  at: "/integrations?connect=account",
  answers: { "GET /api/digital-twins": json(twins) },
  shows: [
    texts("four steps", (page) => page.getByRole("list", { name: "Шаги подключения" }).getByRole("listitem"), [
      /Учетные данные/,
      /Подтверждение/,
      /Импорт/,
      /Готово/,
    ]),
    field("Цифровой двойник"),
    field("API ID"),
    field("API Hash"),
    placeholder("+7XXXXXXXXXX"),
    button("Отправить код"),
  ],
  acts: [
    {
      name: "send-code success leads to the verification",
      answers: codeSent,
      does: sendCode,
      sends: { call: SEND, body: account },
      toast: ["Код отправлен"],
      shows: [field("Код подтверждения"), placeholder("12345"), button("Подтвердить"), button("Назад")],
    },
    {
      name: "«Назад» returns to the credentials",
      here: true,
      does: (page) => page.getByRole("button", { name: "Назад" }).click(),
      shows: [button("Отправить код")],
    },
    {
      name: "verify success without an integration id goes straight to complete; its number stands for the session",
      here: true,
      answers: { [SEND]: json({ phoneCodeHash: "h", integrationId: 9 }), [VERIFY]: json({ success: true }) },
      does: connect,
      sends: { call: VERIFY, body: { phoneCodeHash: "h", sessionId: "9" } },
      toast: ["Telegram интеграция создана!"],
      shows: [complete, button("Настроить еще один аккаунт"), link("Протестировать ИИ двойника", "/conversations")],
      never: [IMPORT],
    },
    {
      name: "«Протестировать ИИ двойника» leads to the conversations",
      here: true,
      does: (page) => page.getByRole("link", { name: "Протестировать ИИ двойника" }).click(),
      leadsTo: "/conversations",
    },
    {
      name: "verify success: created, and importing asks for 10 dialogs of 500 messages; an id stands for the session too",
      answers: { ...verified, [SEND]: json({ phoneCodeHash: "h", integrationId: "i-1" }), [IMPORT]: hangs },
      does: connect,
      sends: {
        call: VERIFY,
        body: { ...account, verificationCode: "54321", phoneCodeHash: "h", sessionId: "i-1" },
      },
      toast: ["Telegram интеграция создана!"],
      shows: [text("Импортируем переписку и обучаем двойника...")],
    },
    {
      name: "import success: its figures, and the integrations are read anew",
      answers: { ...verified, [IMPORT]: json({ stats: importStats }) },
      does: connect,
      sends: { call: IMPORT, body: { dialogsLimit: 10, messagesPerDialog: 500 } },
      toast: ["Обучение завершено!", /1\s234/],
      refreshes: ["GET /api/integrations"],
      shows: [
        one("dialogs", (page) => page.locator("main dd").getByText("10", { exact: true })),
        one("style", (page) => page.locator("main dd").getByText("Коротко")),
        one("personality", (page) => page.locator("main dd").getByText("Спокойная")),
        one("expertise", (page) => page.locator("main dd").getByText("Чай, Кофе")),
        button("Настроить еще один аккаунт"),
        link("Протестировать ИИ двойника", "/conversations"),
      ],
    },
  ],
});

test.describe("connecting an account", () => {
  test("says what is missing before anything is sent", async ({ page }) => {
    const calls = await withTwins(page, { ...codeSent });
    await page.goto("/integrations?connect=account");
    await expect(page.getByLabel("Номер телефона")).toHaveAttribute("placeholder", "+7XXXXXXXXXX");
    await requestCode(page);
    await expectToast(page, "Заполните все поля", "Все поля обязательны для подключения");
    await expect(twinSelect(page)).toBeFocused();
    await expect(hash(page)).toHaveAttribute("aria-invalid", "true");
    await expectAccessibleCrosswise(page, "/integrations, invalid");
    await fillAccount(page);
    for (const field of [page.getByLabel("API ID"), hash(page), page.getByLabel("Номер телефона")]) {
      const value = await field.inputValue();
      for (const nothing of ["", "  "]) {
        await field.fill(nothing);
        await requestCode(page);
        await expect(field).toBeFocused();
        await expect(field).toHaveAccessibleDescription(/Заполните это поле/);
      }
      await field.fill(value);
    }
    await twinSelect(page).selectOption("");
    await requestCode(page);
    await expect(twinSelect(page)).toBeFocused();
    await twinSelect(page).selectOption("Анна");
    expect(calls.some(({ call }) => call === SEND)).toBe(false);
    await requestCode(page);
    await page.getByRole("button", { name: "Подтвердить" }).click();
    await expectToast(page, "Введите код", "Код подтверждения обязателен");
    expect(calls.some(({ call }) => call === VERIFY)).toBe(false);
    await expectAccessible(page, "verification");
  });

  test("what was typed survives a reload, secrets do not; a twin deleted meanwhile is reported", async ({ page }) => {
    let list = twins;
    await withTwins(page, {
      ...codeSent,
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
});
