// The wizard on the real server: from a person's own letters to a first answer that is judged, by pointer and by keyboard.
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asNewUser } from "../support/session.ts";
import { telegramExport } from "../support/telegram-export.ts";
import { buttonOf, CONSENT, NAME, stepCard, textOf } from "./wizard.ts";

test("the wizard is walked by keyboard alone", async ({ page }) => {
  const exported = await telegramExport();
  const { press, type, follow, choose, focus } = keyboardOf(page);
  await asNewUser(page);
  await page.goto("/onboarding");
  await type(page.getByLabel("Имя двойника"), NAME);
  await press("Enter");
  await choose(page.locator("input[type=file]"), exported.file);
  await focus(page.getByRole("checkbox", { name: CONSENT }));
  await press("Space");
  await follow(buttonOf(page, "Начать импорт"));
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await follow(buttonOf(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Первый ответ" })).toBeFocused();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
  const best = await textOf(stepCard(page).locator("blockquote"));
  await follow(buttonOf(page, "Продолжить"));
  await expect(stepCard(page).locator("blockquote")).not.toHaveText(best);
  await expect(page.getByRole("heading", { level: 2, name: "Первый ответ" })).toBeFocused();
  await expect(page.getByLabel("Двойник ответит")).not.toHaveValue("");
  await follow(buttonOf(page, "Научить"));
  await follow(buttonOf(page, "Отменить"));
  await expect(page.getByLabel("Двойник ответит")).toBeFocused();
  await follow(buttonOf(page, "Научить"));
  await follow(buttonOf(page, "Продолжить"));
  await expect(page.getByRole("heading", { level: 2, name: "Обратная связь" })).toBeFocused();
  await focus(page.getByRole("radio", { name: /^1/ }));
  for (let presses = 0; presses < 4; presses++) await press("ArrowRight");
  await expect(page.getByRole("radio", { name: /^5/ })).toBeChecked();
  await follow(buttonOf(page, "Отправить отзыв"));
  await follow(page.getByRole("link", { name: "Готово" }));
  await expect(page).toHaveURL(/\/twin-settings\//);
});

test("pasted letters are learnt from as well", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/onboarding");
  await page.getByLabel("Имя двойника").fill(NAME);
  await buttonOf(page, "Продолжить").click();
  await buttonOf(page, "Нет файла? Вставить переписку").click();
  await expect(page.getByLabel("Платформа")).toHaveValue("telegram");
  await page.getByLabel("Имя участника").fill("Димон");
  await page
    .getByLabel("История переписки")
    .fill(
      [
        "Димон: Привет! Ты сегодня на репетицию придёшь?",
        "Вы: приду конечно, только задержусь немного",
        "Димон: А гитару сам возьмёшь или мне прихватить?",
        "Вы: сам возьму, ты лучше провод прихвати",
      ].join("\n"),
    );
  await buttonOf(page, "Загрузить переписку").click();
  await expect(page.getByText("Двойник готов отвечать.")).toBeVisible({ timeout: 30_000 });
  await buttonOf(page, "Продолжить").click();
  await expect(page.getByRole("region", { name: "Ваш настоящий ответ" })).toBeVisible();
});
