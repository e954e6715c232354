// A conversation from its first message to its end, by pointer and keyboard, on a desktop and a phone; who may only look at it.
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { actInMenu, log, rows, withTwin } from "./parts.ts";

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
