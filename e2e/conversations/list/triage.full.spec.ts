// Conversations are put off, labelled, closed and given back, one by one and several at once, by keys and by pointer.
// What triage.spec.ts leaves to test:full.
import { uuid } from "../../factories/ids.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../../support/accessibility.ts";
import { expect, test } from "../../support/fixtures.ts";
import { expectToast, toast } from "../../support/toast.ts";
import { DESKTOP } from "../../support/viewports.ts";
import { list, rows, thread } from "../parts.ts";
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
  expect(await rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height)).toBe(60);
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

test("H puts the focused conversation off: it leaves the list, is taken back at once, and stands under its filter", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  await page.keyboard.press("j");
  await page.keyboard.press("h");
  const dialog = page.getByRole("dialog", { name: "Отложить диалог" });
  await expect(dialog.getByRole("button", { name: /^Завтра утром/ })).toBeFocused();
  await expect(dialog).toContainText("По часам организации: Asia/Vladivostok");
  await expectAccessibleCrosswise(page, "putting off");
  await page.setViewportSize(DESKTOP);
  await page.keyboard.press("Enter");
  await expectToast(page, /^Диалог отложен до /);
  await expect(rowOf(page, "Мария")).toHaveCount(0);
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(rowOf(page, "Мария")).toHaveCount(1);
  expect(acts.map(({ act }) => act.kind)).toEqual(["snooze", "return"]);

  // A time of one's own goes as the organisation's clock has it.
  await rowOf(page, "Мария").getByRole("button").focus();
  await page.keyboard.press("h");
  await dialog.getByLabel("Другое время").fill("2099-05-04T10:30");
  await dialog.getByRole("button", { name: "Отложить" }).click();
  await expectToast(page, /до 4 мая в 10:30/);
  expect(acts.at(-1)!.act).toEqual({ kind: "snooze", until: "2099-05-04T10:30" });

  await page.getByRole("button", { name: "Фильтр" }).click();
  await page.getByRole("checkbox", { name: "Отложенные" }).check();
  await expect(page).toHaveURL(/snoozed=/);
  await expect(rows(page)).toHaveCount(1);
  await expect(rowOf(page, "Мария")).toContainText("до ");
  await rowOf(page, "Мария").getByRole("button").click();
  await thread(page).getByRole("button", { name: "Вернуть в список" }).click();
  await expect(list(page).getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("tabpanel")).toContainText("Ничего не отложено");
});
