// Sections 5 and 8: what the wizard of /integrations says when a call fails or is cut, and how it goes on.
// What wizard-failures.spec.ts leaves to test:full.
import { cut, json, withTwins } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast, toast } from "../support/toast.ts";
import { IMPORT, step, toVerification, verified, verify } from "./wizard.ts";

test.describe("connecting an account", () => {
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
        ...verified,
        [IMPORT]: cut,
        [STATE]: (route, request) => (asked++ === 0 ? state("none") : state("done"))(route, request),
      });
      await toVerification(page);
      await verify(page);
      await expectToast(page, "Обучение завершено!", "Импортировано сообщений: 77");
      await expect(step(page)).toContainText("Готово");
    });

    test.describe("as time goes", () => {
      test.use({ ownContext: true });

      test("and the server stays away: after a minute it has failed, and nobody asks any more", async ({ page }) => {
        await page.clock.install();
        const calls = await withTwins(page, { ...verified, [IMPORT]: cut, [STATE]: cut });
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
        // The shell goes on asking for what it shows: only the import's own calls must end.
        const asked = () => calls.filter(({ call }) => call === STATE || call === IMPORT).length;
        const before = asked();
        await page.clock.runFor(5000);
        expect(asked()).toBe(before);
      });
    });

    test("and who leaves the page and comes back sees it go on, until its end", async ({ page }) => {
      let answer = state("running");
      await withTwins(page, {
        ...verified,
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
});
