// Conversations are put off, labelled, closed and given back, one by one and several at once, by keys and by pointer.
import type { Page } from "@playwright/test";
import { uuid } from "../../factories/ids.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../../support/accessibility.ts";
import { expect, test } from "../../support/fixtures.ts";
import { expectToast, toast } from "../../support/toast.ts";
import { DESKTOP } from "../../support/viewports.ts";
import { inbox, NAMES, rowOf } from "./triage-parts.ts";

const bar = (page: Page) => page.getByRole("region", { name: "Выбранные диалоги" });
const boxOf = (page: Page, name: string) => page.getByRole("checkbox", { name: `Выбрать: ${name}` });

test("several are chosen with X, a click and a range with Shift, and failures are shown for each of them", async ({
  page,
}) => {
  const { acts } = await inbox(page);
  // Under the pointer the box stands in the avatar's place, and nothing moves.
  const height = () => rowOf(page, "Мария").evaluate((row) => row.getBoundingClientRect().height);
  expect(await height()).toBe(60);
  await rowOf(page, "Мария").hover();
  await expect(boxOf(page, "Мария")).toBeVisible();
  expect(await height()).toBe(60);
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
  await page.setViewportSize(DESKTOP);
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

test("the keys are listed, and none of them acts while the user types", async ({ page }) => {
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
  // Nothing has the focus, so the typed letters go nowhere.
  for (const key of ["x", "h", "l"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(acts).toEqual([]);
});
