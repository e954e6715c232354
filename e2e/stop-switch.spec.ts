// Everything is stopped by one switch, every screen says so, and who may lets the twins answer again.
import { expectAccessibleCrosswise } from "./accessibility.ts";
import { expect, test } from "./fixtures.ts";
import { asNewUser } from "./session.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("all twins are stopped and switched on again, by keyboard, and every screen tells", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/integrations");
  const stop = page.getByRole("button", { name: "Остановить всех двойников" });
  await stop.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Остановить всех двойников?" });
  await expect(dialog.getByRole("button", { name: "Отмена" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(stop).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Остановить" }).click();
  const banner = page.getByRole("status").filter({ hasText: "Все двойники остановлены." });
  await expect(banner).toContainText("Вера");
  await expect(stop).toHaveCount(0);
  await expectAccessibleCrosswise(page, "all stopped");
  await page.goto("/twins");
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: "Включить двойников" }).click();
  await expect(banner).toHaveCount(0);
  await page.goto("/conversations");
  await expect(stop).toBeVisible();
});
