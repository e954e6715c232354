// What the platform's administrator does on /admin, on a real server.
// What super-admin.spec.ts leaves to test:full.
import {
  expectAccessible,
  expectAccessibleCrosswise,
  expectAccessibleInBothThemes,
  expectFitsNarrowPhone,
  wearTheme,
} from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { withSeventyMembers } from "../support/many-members.ts";
import { asSuperAdmin } from "../support/super-admin.ts";
import { DESKTOP } from "../support/viewports.ts";

test.describe("for the super admin", () => {
  test("members of a large organisation are searched and read in portions", async ({ page }) => {
    await asSuperAdmin(page);
    await withSeventyMembers(page, "**/api/admin/organizations/*/users*");
    await page.goto("/admin?tab=organizations");
    await page.getByRole("button", { name: "Manage Демо" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("listitem")).toHaveCount(50);
    await dialog.getByRole("button", { name: "Показать ещё" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(70);
    await expectAccessibleInBothThemes(page, "a long list in the dialog of an organisation");
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("Участник 6");
    await expect(dialog.getByRole("listitem")).toHaveCount(11);
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("нет такого");
    await expect(dialog.getByText("Никого не найдено")).toBeVisible();
    await dialog.getByRole("searchbox", { name: "Поиск участника" }).fill("");
    await expect(dialog.getByRole("listitem")).toHaveCount(70);
  });

  test("each tab and dialog is accessible, fits 320 px; a dialog is reached and left by keyboard", async ({ page }) => {
    test.slow();
    await asSuperAdmin(page);
    for (const tab of ["", "?tab=organizations"]) {
      await page.goto(`/admin${tab}`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
      await expectAccessibleCrosswise(page, `/admin${tab}`);
      await expectFitsNarrowPhone(page);
    }
    await page.setViewportSize(DESKTOP);
    for (const tab of ["subscriptions", "analytics"]) {
      await page.goto(`/admin?tab=${tab}`);
      await expect(page.getByRole("tabpanel")).toBeVisible();
      await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
      await wearTheme(page, "dark");
      await expectAccessible(page, `/admin?tab=${tab}`);
    }
    await page.goto("/admin?tab=organizations");
    const { follow } = keyboardOf(page);
    const manage = page.getByRole("button", { name: "Manage Демо" });
    await follow(manage);
    await expect(page.getByRole("dialog").getByRole("listitem")).not.toHaveCount(0);
    await expectAccessible(page, "the dialog of an organisation");
    await page.keyboard.press("Escape");
    await expect(manage).toBeFocused();
  });
});
