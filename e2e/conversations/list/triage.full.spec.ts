// Conversations are put off, labelled, closed and given back, one by one and several at once, by keys and by pointer.
// What triage.spec.ts leaves to test:full.
import { uuid } from "../../factories/ids.ts";
import { expectAccessible } from "../../support/accessibility.ts";
import { expect, test } from "../../support/fixtures.ts";
import { expectToast, toast } from "../../support/toast.ts";
import { rows } from "../parts.ts";
import { inbox, rowOf } from "./triage-parts.ts";

test("L labels a conversation with a word made in place; the filter stands in the address, and removal says of how many", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  const dialog = page.getByRole("dialog", { name: "Метки диалога" });
  const field = dialog.getByRole("combobox", { name: "Найти или создать метку" });
  await expect(field).toBeFocused();
  await field.fill("Опт");
  await expect(dialog.getByRole("option", { name: "Создать метку «Опт»" })).toBeVisible();
  await expectAccessible(page, "labels");
  await page.keyboard.press("Enter");
  await expectToast(page, "Метка «Опт» поставлена");
  await expect(rowOf(page, "Мария").getByText("Опт")).toBeVisible();
  expect(await rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height)).toBe(44);
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(rowOf(page, "Мария").getByText("Опт")).toHaveCount(0);

  // The toast has taken the focus with it.
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await expect(dialog.getByRole("option", { name: "Опт" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(rowOf(page, "Мария").getByText("Опт")).toBeVisible();
  expect(acts.map(({ act }) => act.kind)).toEqual(["label", "unlabel", "label"]);
  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("combobox", { name: "Метка" }).selectOption("Опт");
  await expect(page).toHaveURL(new RegExp(`label=${uuid(800)}`));
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("combobox", { name: "Метка" })).toHaveValue(uuid(800));

  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await dialog.getByRole("button", { name: "Удалить метку" }).click();
  await page.getByRole("button", { name: "Удалить метку «Опт»" }).click();
  const confirmation = page.getByRole("alertdialog", { name: "Удалить метку «Опт»?" });
  await expect(confirmation).toContainText(/Она снимется с 1\sдиалога/);
  await expectAccessible(page, "removal of a label");
  await confirmation.getByRole("button", { name: "Удалить" }).click();
  await expectToast(page, "Метка удалена");
});
