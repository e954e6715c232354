// What stands around every screen: the guard, menus, the palette, the theme, the language and the connection.
import { expectAccessibleInBothThemes } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";
import { DESKTOP } from "../support/viewports.ts";
import { headingOf } from "./around-screens-parts.ts";

test("menus and dialogs have nothing that axe objects to", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
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

test.describe("in an English browser", () => {
  test.use({ locale: "en-US" });

  test("the navigation is English until Russian is chosen; the product's own words stay Russian", async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await asDemoUser(page);
    await page.goto("/twins");
    const navigation = page.getByRole("navigation", { name: "Основная навигация" });
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(navigation).toContainText("Digital twins");
    await expect(headingOf(page)).toHaveText("Цифровые двойники");
    await page.getByRole("button", { name: "Language: en" }).click();
    await page.getByRole("menuitemradio", { name: "Русский" }).click();
    await expect(navigation).toContainText("Цифровые двойники");
    expect(await page.evaluate(() => localStorage.getItem("language"))).toBe("ru");
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", "ru");
    await expect(navigation).toContainText("Цифровые двойники");
  });
});
