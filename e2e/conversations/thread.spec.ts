// A conversation from its first message to its end, by pointer and keyboard, on a desktop and a phone; who may only look at it.
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { input, log, rows, thread, withTwin } from "./parts.ts";

test("a conversation from «Начать диалог» to its deletion", async ({ page }) => {
  await withTwin(page);
  await page.goto("/conversations");
  const main = page.getByRole("main");
  await expect(main).toContainText("Пока нет диалогов");
  await expect(figureOf(page, "Всего диалогов")).toHaveText("0");
  await expect(figureOf(page, "Время ответа")).toHaveText("2.3s");
  await main.getByRole("button", { name: "Начать диалог" }).click();
  const choice = page.getByRole("dialog", { name: "Новый диалог" });
  await choice.getByRole("button", { name: /Анна Чайникова/ }).click();
  await expect(page).toHaveURL(/\/conversations\?dialog=[0-9a-f-]{36}&tab=tests$/);
  await expect(input(page)).toBeFocused();
  await input(page).fill("Здравствуйте!");
  await input(page).press("Enter");
  await expect(toast(page)).toContainText("Ответ получен!");
  await expect(log(page).getByRole("listitem")).toHaveCount(2);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText("Здравствуйте!");
  await expect(figureOf(page, "Всего сообщений")).toHaveText("2");
  const details = page.getByRole("complementary", { name: "О диалоге" });
  await expect(details).toContainText("Тестовый чат");
  await expect(details).toContainText(/Сообщений\s*2/);
  await expect(details).toContainText("Уверенность");

  await log(page).getByRole("button", { name: "Не то" }).click();
  await log(page).getByRole("button", { name: "Исправить ответ" }).click();
  const correction = page.getByRole("dialog", { name: "Исправить ответ" });
  await correction.getByRole("textbox", { name: "Как ответили бы вы" }).fill("Добрый день! Чем помочь?");
  await correction.getByRole("button", { name: "Дальше" }).click();
  const learning = page.getByRole("dialog", { name: "Научить двойника" });
  await learning.getByRole("radio", { name: /Точный ответ/ }).check();
  await learning.getByRole("button", { name: "Научить для всех" }).click();
  await expect(toast(page)).toContainText("Двойник запомнил");
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
  await expect(figureOf(page, "Активные чаты")).toHaveText("0");
  await thread(page).getByRole("button", { name: "Открыть снова" }).click();
  await expect(input(page)).toBeVisible();

  await details.getByRole("button", { name: "Удалить диалог" }).click();
  const sure = page.getByRole("alertdialog", { name: "Удалить диалог?" });
  await sure.getByRole("button", { name: "Отмена" }).click();
  await expect(rows(page)).toHaveCount(1);
  await details.getByRole("button", { name: "Удалить диалог" }).click();
  await sure.getByRole("button", { name: "Удалить", exact: true }).click();
  await expect(toast(page)).toContainText("Диалог удалён");
  await expect(main).toContainText("Тестовых чатов нет");
  await expect(page).toHaveURL("/conversations?tab=tests");
});

test("a conversation that is not there, or a colleague's, says so", async ({ page }) => {
  const { ask } = await withTwin(page);
  await ask("Привет!");
  await page.goto("/conversations?dialog=8b0e2f1c-0000-4000-8000-000000000001");
  await expect(page.getByRole("tabpanel")).toContainText("Диалог не найден");
  await page.getByRole("button", { name: "К списку диалогов" }).click();
  await expect(page).toHaveURL("/conversations");
});
