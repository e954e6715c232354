// The map of agents, their dialogs and the demo chat, by pointer and keyboard; prices on request.
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";
import { dialogOf, gridOf, H1, mapOf, onMap, openLanding } from "./parts.ts";

test("the map answers to the pointer and to the keyboard; its card is not on a phone", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await openLanding(page);
  const card = mapOf(page).getByText("У\u00a0каждого агента две связи");
  const dimmed = mapOf(page).locator("g.opacity-25");
  await expect(card).toBeVisible();
  const height = async () => (await mapOf(page).boundingBox())?.height;
  const before = await height();
  await onMap(page, "HR-агент").hover();
  await expect(mapOf(page).getByText("Специалист по\u00a0персоналу.")).toBeVisible();
  // What an agent does is longer than what the lines mean: the card has room for both, and nothing moves.
  expect(await height()).toBe(before);
  await expect(dimmed).toHaveCount(6);
  await onMap(page, "Двойник Digital Twin").hover();
  await expect(dimmed).toHaveCount(0);
  await page.mouse.move(0, 0);
  await expect(card).toBeVisible();

  const { focus, press } = keyboardOf(page);
  await focus(onMap(page, "Двойник Digital Twin"));
  await press("Tab");
  await expect(onMap(page, "Агент продаж")).toBeFocused();
  await expect(mapOf(page).getByText("Менеджер по\u00a0продажам.")).toBeVisible();
  await expect(dimmed).toHaveCount(6);
  await press("Enter");
  await expect(dialogOf(page, "Агент продаж")).toBeVisible();
  await press("Escape");
  await expect(dialogOf(page, "Агент продаж")).toBeHidden();
  await expect(onMap(page, "Агент продаж")).toBeFocused();

  await page.setViewportSize(PHONE);
  await page.getByRole("heading", { level: 1 }).click();
  await expect(card).toBeHidden();
});

test("an agent's dialog opens from its card and gives the focus back", async ({ page }) => {
  await openLanding(page);
  const card = gridOf(page).getByRole("button", { name: "Агент поддержки" });
  await card.click();
  const dialog = dialogOf(page, "Агент поддержки");
  await expect(dialog.getByRole("definition")).toHaveText(["98%", "1\u00a0с", "96%"]);
  await expect(dialog.getByRole("list").getByRole("listitem")).toHaveCount(3);
  await expect(dialog.locator("blockquote")).toContainText("«");
  await expect(dialog.getByText("Марина Юсупова")).toBeVisible();
  await expect(dialog.getByText("Пример")).toHaveText(["Пример: показатели и\u00a0отзыв."]);
  await dialog.getByRole("button", { name: "Закрыть" }).click();
  await expect(card).toBeFocused();
  await card.click();
  await dialog.getByRole("link", { name: "Создать агента" }).click();
  await expect(page).toHaveURL("/register?return=%2Fcreate-twin");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Регистрация");
  // Who has an account goes on to the same form.
  await expect(page.getByRole("link", { name: "Войти" })).toHaveAttribute("href", "/login?return=%2Fcreate-twin");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(H1);
});
