// The members on the real server: roles, a long list, and what happens to a removed member's twins, keys and webhooks.
import { expectAccessible, wearTheme } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { expectToast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { members, withResources } from "./members.ts";

test("before a removal stands what the member holds, and his twins pass to the administrator", async ({
  page,
  server,
}) => {
  const { remove, dialog, twins, id } = await withResources(page, server);
  const { follow, press } = keyboardOf(page);
  await follow(remove);
  await expect(dialog).toContainText("Ключи: 1");
  await expect(dialog).toContainText("Сайт магазина (Двойник Ивана)");
  await expect(dialog).toContainText("example.com (Двойник Ивана)");
  await expect(dialog).not.toContainText("secret-path");
  await expect(dialog.getByRole("radio", { name: /^Передать мне двойников/ })).toBeChecked();
  await expectAccessible(page, "the removal of a member");
  await press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
  await page.setViewportSize(PHONE);
  await remove.click();
  await expect(dialog).toContainText("Двойники участника: 1");
  expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await wearTheme(page, "dark");
  await expectAccessible(page, "the removal of a member on a phone");
  await dialog.getByRole("button", { name: "Исключить" }).click();
  await expectToast(page, "Участник исключён");
  await expect(members(page)).toHaveCount(1);
  expect(await twins()).toMatchObject([{ id, isActive: false }]);
});

test("the last administrator reads why he stays one", async ({ page }) => {
  await asAdministrator(page);
  await page.goto("/org-admin?tab=users");
  await members(page).getByLabel(/^Роль/).selectOption("viewer");
  await expectToast(page, "Ошибка", "В организации должен остаться хотя бы один администратор");
  await expect(members(page).getByLabel(/^Роль/)).toHaveValue("org_admin");
});
