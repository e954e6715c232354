// A conversation from its first message to its end, by pointer and keyboard, on a desktop and a phone; who may only look at it.
import { buildConversation, buildMessage } from "../factories/conversation.ts";
import { expectAccessible, expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { figureOf } from "../support/figures.ts";
import { expect, test } from "../support/fixtures.ts";
import { asNewUser } from "../support/session.ts";
import { toast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { actInMenu, input, list, log, openButton, rows, thread, withTwin } from "./parts.ts";

test("the inbox is accessible in both themes and widths, its dialogs too", async ({ page }) => {
  const { ask } = await withTwin(page);
  const { conversationId } = await ask("Привет!");
  await page.goto("/conversations");
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Фильтр" }).click();
  await expectAccessibleCrosswise(page, "the list of conversations");
  await page.goto(`/conversations?dialog=${conversationId}`);
  await expect(log(page)).toContainText("Привет!");
  await expectAccessibleCrosswise(page, "a conversation");
  await actInMenu(page, "Подробнее о диалоге");
  await expect(page.getByRole("dialog", { name: "О диалоге" })).toBeVisible();
  await expectAccessible(page, "the details of a conversation");
  await page.keyboard.press("Escape");
  await log(page).getByRole("button", { name: "Не то" }).click();
  await log(page).getByRole("button", { name: "Исправить ответ" }).click();
  await expect(page.getByRole("dialog", { name: "Исправить ответ" })).toBeVisible();
  await expectAccessible(page, "the correction of an answer");
  await page.goto("/conversations?new");
  await expect(page.getByRole("dialog", { name: "Новый диалог" }).getByRole("button").first()).toBeFocused();
  await expectAccessible(page, "the choice of a twin");
});

test("without a twin «Начать диалог» leads to creating one", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/conversations?new");
  const choice = page.getByRole("dialog", { name: "Новый диалог" });
  await expect(choice).toContainText("Пока нет цифровых двойников");
  await choice.getByRole("link", { name: "Создать первого двойника" }).click();
  await expect(page).toHaveURL("/create-twin");
});

test.describe("what the server does not send", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("leaves the marked sample to be opened and read, until «Обновить» brings what there is", async ({ page }) => {
    await asNewUser(page);
    let away = true;
    let asked = 0;
    await page.route(/\/api\/conversations(\?|$)/, (route) => {
      asked++;
      return away ? route.fulfill({ status: 500, body: "" }) : route.fulfill({ json: [] });
    });
    await page.goto("/conversations");
    await openButton(page, 0).click();
    await expect(log(page)).toContainText("Заказ уже отправили?");
    await expect(input(page)).toHaveCount(0);
    await expectAccessible(page, "the sample of conversations");
    // Once the stream of changes is open, the list is read again: from then on only the button does.
    await expect.poll(() => asked).toBeGreaterThan(1);
    await expect(page.getByRole("button", { name: "Обновить" })).toBeEnabled();
    away = false;
    await page.getByRole("button", { name: "Обновить" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("Диалог не найден");
    await page.goto("/conversations");
    await expect(page.getByRole("main")).toContainText("Пока нет диалогов");
    await expect(page.getByText("Пример", { exact: true })).toHaveCount(0);
  });

  test("when an answer's opinion cannot be kept, the button goes back and the toast says so", async ({ page }) => {
    const { ask } = await withTwin(page);
    const { conversationId } = await ask("Привет!");
    await page.route("**/feedback", (route) =>
      route.fulfill({ status: 503, json: { message: "База данных недоступна", code: "unavailable", requestId: "r" } }),
    );
    await page.goto(`/conversations?dialog=${conversationId}`);
    await log(page).getByRole("button", { name: "Полезно" }).click();
    await expect(toast(page)).toContainText("Не удалось сохранить оценку");
    await expect(log(page).getByRole("button", { name: "Полезно" })).toHaveAttribute("aria-pressed", "false");
  });
});

test("a viewer reads a contact's conversation, and why nothing can be written or begun", async ({ page }) => {
  await asNewUser(page);
  await page.route("**/api/auth/verify", async (route) => {
    const answer = await route.fetch();
    const { user } = await answer.json();
    await route.fulfill({ json: { user: { ...user, role: "viewer" } } });
  });
  await page.route(/\/api\/conversations(\?|$)/, (route) => route.fulfill({ json: [buildConversation(1)] }));
  await page.route("**/messages", (route) =>
    route.fulfill({
      json: [
        buildMessage(1, { content: "Добрый день" }),
        buildMessage(2, { role: "assistant", content: "Здравствуйте, Мария" }),
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

test("J and K go through the list, Enter opens, Esc returns; on a phone the thread takes the list's place", async ({
  page,
}) => {
  const { ask } = await withTwin(page);
  await ask("Первый вопрос");
  await ask("Второй вопрос");
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

  await page.setViewportSize(PHONE);
  await openButton(page, 1).click();
  await expect(log(page)).toContainText("Первый вопрос");
  await expect(list(page)).toBeHidden();
  await expect(figureOf(page, "Всего диалогов")).toBeHidden();
  await actInMenu(page, "Подробнее о диалоге");
  await expect(page.getByRole("dialog", { name: "О диалоге" })).toContainText("Последний ответ");
  await page.keyboard.press("Escape");
  await expect(thread(page)).toBeVisible();
  await page.getByRole("button", { name: "К списку диалогов" }).click();
  await expect(list(page)).toBeVisible();
  await openButton(page, 0).click();
  await expect(thread(page)).toBeVisible();
  await page.goBack();
  await expect(list(page)).toBeVisible();
  await expectFitsNarrowPhone(page);
});
