// The members on the real server: roles, a long list, and what happens to a removed member's twins, keys and webhooks.
import { expect, test } from "../support/fixtures.ts";
import { withSeventyMembers } from "../support/many-members.ts";
import { asAdministrator } from "../support/super-admin.ts";
import { members, withResources } from "./members.ts";

test("a member's twins are deleted where the administrator says so", async ({ page, server }) => {
  const { remove, dialog, twins } = await withResources(page, server);
  await remove.click();
  await dialog.getByRole("radio", { name: /^Удалить двойников/ }).check();
  await dialog.getByRole("button", { name: "Исключить и удалить двойников" }).click();
  await expect(members(page)).toHaveCount(1);
  expect(await twins()).toEqual([]);
});

test("a long list of members is searched and read in portions", async ({ page }) => {
  const { organizationId } = await asAdministrator(page);
  await withSeventyMembers(page, `**/api/organizations/${organizationId}/users*`);
  await page.goto("/org-admin?tab=users");
  await expect(members(page)).toHaveCount(50);
  await page.getByRole("button", { name: "Показать ещё" }).click();
  await expect(members(page)).toHaveCount(70);
  await page.getByRole("searchbox", { name: "Поиск участника" }).fill("Участник 6");
  await expect(members(page)).toHaveCount(11);
  await expect(page).toHaveURL(/q=/);
  await page.getByRole("searchbox", { name: "Поиск участника" }).fill("нет такого");
  await expect(page.getByText("Никого не найдено")).toBeVisible();
  await page.getByRole("button", { name: "Сбросить поиск" }).click();
  await expect(members(page)).toHaveCount(70);
});

test.describe("when the server fails", () => {
  test.use({ allowedConsoleErrors: [/status of 50\d/] });

  test("nobody is removed while it is not known what he holds", async ({ page, server }) => {
    const { remove, dialog } = await withResources(page, server);
    await page.route("**/holdings", (route) => route.fulfill({ status: 500, body: "" }));
    await remove.click();
    await expect(dialog.getByRole("alert")).toContainText("Не удалось узнать, что есть у участника");
    await expect(dialog.getByRole("button", { name: "Исключить" })).toBeDisabled();
    await page.unroute("**/holdings");
    await dialog.getByRole("button", { name: "Повторить" }).click();
    await expect(dialog).toContainText("Ключи: 1");
    await expect(dialog.getByRole("button", { name: "Исключить" })).toBeEnabled();
  });
});
