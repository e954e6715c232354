// On a phone a draft is decided by a swipe: to the right it is sent and can be taken back, to the left it is asked what to do.
import type { Page } from "@playwright/test";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast, toast } from "../support/toast.ts";
import { PHONE } from "../support/viewports.ts";
import { card, queue } from "./swipe-parts.ts";

/** A pen or a mouse goes the same way: the card listens to pointers. */
async function drag(page: Page, n: number, dx: number, dy = 0) {
  const box = (await card(page, n).getByRole("heading").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 4 });
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  return () => page.mouse.up();
}

test("to the right a draft is sent and can be taken back; a short swipe and an upright one decide nothing", async ({
  page,
}) => {
  const decided = await queue(page);
  await (await drag(page, 1, 60))();
  await (await drag(page, 1, 60, 160))();
  expect(decided()).toEqual([]);

  const letGo = await drag(page, 1, 160);
  await expect(page.locator("[data-swipe]")).toHaveCount(1);
  await expect(page.getByText("Отправить", { exact: true }).first()).toBeVisible();
  await letGo();
  await expectToast(page, "Ответ отправляется");
  await expect(card(page, 1)).toHaveCount(0);
  await toast(page).getByRole("button", { name: "Отменить" }).click();
  await expect(card(page, 1)).toBeVisible();
  expect(decided().map((call) => call.split("/").at(-1))).toEqual(["approve", "undo"]);
});

test("to the left it is asked first; the buttons stay for users who cannot swipe", async ({ page }) => {
  const decided = await queue(page);
  await expect(card(page, 1).getByRole("button", { name: "Отправить" })).toBeVisible();
  await expectAccessibleCrosswise(page, "drafts with a swipe");
  await page.setViewportSize(PHONE);
  await (await drag(page, 1, -150))();
  const sheet = page.getByRole("dialog", { name: "Что сделать с ответом?" });
  await expectAccessible(page, "what to do with a draft");
  expect(decided()).toEqual([]);
  await sheet.getByRole("button", { name: "Изменить" }).click();
  await expect(card(page, 1).getByRole("textbox", { name: "Ваш ответ" })).toBeFocused();
  await page.keyboard.press("Escape");
  await (await drag(page, 1, -150))();
  await sheet.getByRole("button", { name: "Отклонить" }).click();
  await expect(card(page, 1)).toHaveCount(0);
  expect(decided().map((call) => call.split("/").at(-1))).toEqual(["reject"]);
});
