// Sections 5 and 8: what the wizard of /integrations says when a call fails or is cut, and how it goes on.
import { type Answer, cut, fails, hangs, json, plain, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast } from "../support/toast.ts";
import {
  code,
  codeSent,
  fillAccount,
  hash,
  IMPORT,
  requestCode,
  SEND,
  sendCode,
  startAnew,
  step,
  toVerification,
  VERIFY,
  verified,
  verify,
} from "./wizard.ts";

test.describe("connecting an account", () => {
  test.describe("that fails", () => {
    // Chromium itself reports answers of 5xx and a broken network.
    test.use({ allowedConsoleErrors: [/^Failed to load resource/] });

    test("sends no code: the toast says why, what was typed stays", async ({ page }) => {
      let answer: Answer = hangs;
      await withTwins(page, { [SEND]: (route, request) => answer(route, request) });
      await page.goto("/integrations?connect=account");
      await fillAccount(page);
      for (const [failure, description] of [
        [fails(503, "Подключение пока недоступно"), "Подключение пока недоступно"],
        [json({ message: "Номер не найден" }, 400), "Номер не найден"],
        [json({}, 429), "Не удалось отправить код"],
        [plain(500, ""), "Не удалось отправить код"],
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
      let answer: Answer = hangs;
      await withTwins(page, { ...codeSent, [VERIFY]: (route, request) => answer(route, request) });
      await toVerification(page);
      for (const [failure, description] of [
        [json({ success: false, error: "Код устарел" }), "Код устарел"],
        [json({ success: false }), "Проверьте правильность SMS кода"],
        [plain(500, ""), "Неверный код подтверждения"],
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
      let answer: Answer = hangs;
      const broken = plain(500, "");
      await withTwins(page, {
        ...verified,
        [IMPORT]: (route, request) => answer(route, request),
        // A broken server is not asked for a minute how the import goes on.
        [IMPORT.replace("POST", "GET")]: (route, request) => (answer === broken ? broken : json([]))(route, request),
      });
      await page.goto("/integrations?connect=account");
      for (const [failure, title, description] of [
        [fails(422, "Telegram не отвечает"), "Ошибка импорта", "Telegram не отвечает"],
        [json({}, 503), "Ошибка импорта", "Не удалось импортировать данные"],
        [json({}), "Обучение завершено!", "Импорт завершен!"],
        [broken, "Ошибка импорта", "Не удалось импортировать данные"],
      ] as const) {
        answer = failure;
        await sendCode(page);
        await verify(page);
        await expectToast(page, title, description);
        await expect(step(page)).toContainText("Готово");
        const failed = page.getByText("переписку импортировать не удалось");
        await expect(failed).toBeVisible({ visible: title === "Ошибка импорта" });
        await startAnew(page);
        await expect(page.getByRole("button", { name: "Отправить код" })).toBeVisible();
      }
    });
  });
});
