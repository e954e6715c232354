// What stands around every screen: the guard, menus, the palette, the theme, the language and the connection.
import { expectAccessibleInBothThemes } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";

test("menus and dialogs have nothing that axe objects to", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await asDemoUser(page);
  await page.goto("/train-ai");
  const documents = page.getByRole("region", { name: "Загруженные документы" });
  for (const [what, opener, opened] of [
    ["bell", page.getByRole("button", { name: "Уведомления: 3" }), page.getByRole("dialog", { name: "Уведомления" })],
    ["person", page.getByRole("button", { name: /^Меню пользователя/ }), page.getByRole("menu")],
    ["document", documents.getByRole("listitem").first().getByRole("button").first(), page.getByRole("dialog")],
    ["deletion", documents.getByRole("button", { name: /^Удалить документ/ }).first(), page.getByRole("alertdialog")],
  ] as const) {
    await opener.click();
    await expect(opened).toBeVisible();
    await expect(opened.locator("[class*=animate-pulse], [class*=animate-spin]")).toHaveCount(0);
    await expectAccessibleInBothThemes(page, what);
    await page.keyboard.press("Escape");
    await expect(opened).toBeHidden();
    await expect(opener).toBeFocused();
  }
});
