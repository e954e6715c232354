// The members on the real server: roles, a long list, and what becomes of a member's twins, keys and webhooks.
import { expect, test } from "../support/fixtures.ts";
import { members, withResources } from "./members.ts";

test("a member's twins are deleted where the administrator says so", async ({ page, server }) => {
  const { remove, dialog, twins } = await withResources(page, server);
  await remove.click();
  await dialog.getByRole("radio", { name: /^Удалить двойников/ }).check();
  await dialog.getByRole("button", { name: "Исключить и удалить двойников" }).click();
  await expect(members(page)).toHaveCount(1);
  expect(await twins()).toEqual([]);
});
