// Conversations are put off, labelled, closed and given back, one by one and several at once, by keys and by pointer.
import type { Page } from "@playwright/test";
import { uuid } from "../../factories/ids.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../../support/accessibility.ts";
import { expect, test } from "../../support/fixtures.ts";
import { expectToast, toast } from "../../support/toast.ts";
import { list, rows, thread } from "../parts.ts";
import { inbox, NAMES, rowOf } from "./triage-parts.ts";

const bar = (page: Page) => page.getByRole("region", { name: "Выбранные диалоги" });
const boxOf = (page: Page, name: string) => page.getByRole("checkbox", { name: `Выбрать: ${name}` });

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
  await page.setViewportSize({ width: 1440, height: 900 });
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

test("several are chosen with X, a click and a range with Shift, and what failed is told for each of them", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  // Under the pointer the box stands in the avatar's place, and nothing moves.
  const height = () => rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height);
  expect(await height()).toBe(44);
  await rowOf(page, "Мария").hover();
  await expect(boxOf(page, "Мария")).toBeVisible();
  expect(await height()).toBe(44);
  await boxOf(page, "Мария").click();
  await boxOf(page, "Ольга").click({ modifiers: ["Shift"] });
  await expect(bar(page)).toContainText("Выбрано 4");
  await page.keyboard.press("Escape");
  await expect(bar(page)).toHaveCount(0);

  await page.locator("h1").click();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  for (const _ of NAMES.slice(1, 3)) await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(bar(page)).toContainText("Выбрано 3");
  await expectAccessibleCrosswise(page, "chosen conversations");
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // An owner reads what goes out: sending is not among it.
  await expect(bar(page).getByRole("button")).toHaveText(["Закрыть", "Отложить", "Метка", "Вернуть двойнику", ""]);
  await bar(page).getByRole("button", { name: "Закрыть" }).click();
  await expectToast(page, /2\sдиалога закрыты/);
  await expect(bar(page).getByRole("alert")).toContainText("Пётр: Это может только владелец двойника");
  await expect(bar(page)).toContainText("Выбрано 1");
  await expectAccessible(page, "what could not be done");
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect.poll(() => acts.map(({ ids, act }) => `${act.kind} ${ids.length}`)).toEqual(["close 3", "reopen 2"]);
  await bar(page).getByRole("button", { name: "Снять выбор" }).click();

  // Only those that the owner leads are given back.
  await boxOf(page, "Мария").click();
  await boxOf(page, "Иван").click();
  await bar(page).getByRole("button", { name: "Вернуть двойнику" }).click();
  await expectToast(page, "Диалог снова ведёт двойник");
  expect(acts.at(-1)).toMatchObject({ act: { kind: "hand-back" }, ids: [uuid(401)] });
});

test("the keys are listed, and none of them acts while somebody types", async ({ page }) => {
  const { acts } = await inbox(page);
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).focus();
  await page.keyboard.type("xhl?");
  await expect(page.getByRole("searchbox", { name: "Поиск диалогов" })).toHaveValue("xhl?");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Поиск диалогов" }).fill("");
  await page.locator("h1").click();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Клавиши" });
  await expect(keys.getByRole("region", { name: "Список" })).toContainText("отложить");
  await expectAccessibleCrosswise(page, "the keys");
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);
  // Nothing has the focus: the letters find nobody.
  for (const key of ["x", "h", "l"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(acts).toEqual([]);
});
