// One's own organisation on the real server: its figures, its subscription, who may change it, and how it looks.
// What own-organisation.spec.ts leaves to test:full.
import {
  expectAccessible,
  expectAccessibleCrosswise,
  expectFitsNarrowPhone,
  wearTheme,
} from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { members } from "./members.ts";

test("each tab and dialog is accessible, fits 320 px, and a dialog is reached and left by keyboard", async ({
  page,
}) => {
  test.slow();
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(1);
  await expectAccessibleCrosswise(page, "/org-admin?tab=users");
  await expectFitsNarrowPhone(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const tab of ["twins", "billing", "usage"]) {
    await page.goto(`/org-admin?tab=${tab}`);
    await expect(page.getByRole("tabpanel")).toBeVisible();
    await expect(page.locator("main [class*=animate-pulse]")).toHaveCount(0);
    await wearTheme(page, "dark");
    await expectAccessible(page, `/org-admin?tab=${tab}`);
  }
  const { follow, type, press } = keyboardOf(page);
  await page.goto("/org-admin?tab=users");
  const open = page.getByRole("button", { name: "Invite User" });
  await follow(open);
  const dialog = page.getByRole("dialog", { name: "Invite User" });
  await type(dialog.getByLabel("Email"), "nobody");
  await press("Enter");
  await expect(dialog.getByText("Введите корректный email")).toBeVisible();
  await expectAccessible(page, "an invalid invitation");
  await press("Escape");
  await expect(open).toBeFocused();
  await page.goto("/org-admin");
  await page.getByRole("button", { name: "Сменить план" }).click();
  await expect(page.getByRole("radio").first()).toBeVisible();
  await expectAccessible(page, "the choice of a plan");
});
