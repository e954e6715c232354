// What an owner holds in his hand: the switch that stops all, and one integration's page with its state, levels, hours and log.
import { expect, test } from "../servers/bot.ts";
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { asOwner, connectBot } from "../support/owner.ts";
import { asNewUser } from "../support/session.ts";

test("all twins are stopped and switched on again, by keyboard, and every screen tells", async ({ page }) => {
  await asNewUser(page);
  await page.goto("/integrations");
  const stop = page.getByRole("button", { name: "Приостановить двойников" });
  await stop.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Приостановить всех двойников?" });
  await expect(dialog.getByRole("button", { name: "Отмена" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(stop).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Приостановить" }).click();
  const banner = page.getByRole("status").filter({ hasText: "Все двойники остановлены." });
  await expect(banner).toContainText("Вера");
  await expect(stop).toHaveCount(0);
  await expectAccessibleCrosswise(page, "all stopped");
  await page.goto("/twins");
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: "Включить двойников" }).click();
  await expect(banner).toHaveCount(0);
  await page.goto("/conversations");
  // Without a twin the inbox leads to the first one, and offers nothing that needs one.
  await expect(page.getByRole("link", { name: "Создать по шагам из переписки" })).toBeVisible();
  await expect(stop).toHaveCount(0);
  await page.goto("/integrations");
  // On a phone it is an item of a menu, in words.
  await page.getByRole("button", { name: "Ещё" }).click();
  await expect(page.getByRole("menuitem", { name: "Приостановить двойников" })).toBeVisible();
});

test("«Заменить ключ» in the list leads to the field for the new key", async ({ page, bot }) => {
  const id = await connectBot(await asOwner(page), bot);
  await page.goto(`/integrations/${id}?key=new`);
  await expect(page.getByRole("form", { name: "Новый ключ" }).getByLabel("Bot Token", { exact: true })).toBeFocused();
});
