// Tooltips: their code comes with the first move of the pointer or key; the element that is pointed at stays the one it was.
import { expect, test } from "../support/fixtures.ts";
import { movePointer } from "../support/pointer.ts";
import { asDemoUser } from "../support/session.ts";
import { DESKTOP } from "../support/viewports.ts";

test("a tooltip opens after 700 ms of pointing, the next at once, and on focus; Esc closes it", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await asDemoUser(page);
  await page.goto("/twins");
  const tooltip = page.getByRole("tooltip");
  const sidebar = page.getByRole("complementary", { name: "Боковая панель" });
  await sidebar.getByRole("button", { name: "Свернуть меню" }).click();
  await expect(sidebar.getByRole("button", { name: "Развернуть меню" })).toBeVisible();

  const [crm, analytics] = ["CRM интеграция", "Аналитика"].map((name) => sidebar.getByRole("link", { name }));
  const pointedAt = Date.now();
  await crm!.hover();
  await expect(tooltip).toHaveText("CRM интеграция: Синхронизация с CRM системами");
  expect(Date.now() - pointedAt).toBeGreaterThanOrEqual(700);
  await expect(crm!).toHaveAttribute("aria-describedby", (await tooltip.getAttribute("id")) ?? "");

  const [from, to] = [(await crm!.boundingBox())!, (await analytics!.boundingBox())!];
  const inside = (box: { x: number; y: number }, by: number) => ({ x: box.x + by, y: box.y + by });
  await movePointer(page, inside(from, 10), inside(to, 10));
  // The first moves upon it only tell that the way does not lead to the tooltip that is open.
  await movePointer(page, inside(to, 10), inside(to, 14));
  await expect(page.getByRole("tooltip", { name: /^Аналитика/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tooltip).toHaveCount(0);
  await expect(analytics!).not.toHaveAttribute("aria-describedby");

  await page.mouse.move(700, 500);
  await sidebar.getByRole("link", { name: "Настройки" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("tooltip", { name: /^Аналитика/ })).toBeVisible();
});
