// On a phone a draft is decided by a swipe: to the right it is sent and can be taken back, to the left it is asked what to do.
import type { Page } from "@playwright/test";
import { buildApproval, buildConversation } from "../factories/conversation.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectToast, toast } from "../support/toast.ts";

async function queue(page: Page) {
  let waiting = [1, 2, 3].map((n) => buildApproval(n, { text: `Ответ ${n}. `.repeat(12) }));
  const first = waiting[0]!;
  const calls = await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/approvals": () => waiting,
    "GET /api/conversations": json([buildConversation(1)]),
    [`POST /api/approvals/${first.id}/approve`]: () => {
      waiting = waiting.slice(1);
      return { ...first, state: "pending", undoUntil: new Date(Date.now() + 5000).toISOString() };
    },
    [`POST /api/approvals/${first.id}/undo`]: () => {
      waiting = [first, ...waiting];
      return first;
    },
    [`POST /api/approvals/${first.id}/reject`]: () => {
      waiting = waiting.slice(1);
      return { ...first, state: "cancelled" };
    },
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/conversations?tab=approval");
  await expect(card(page, 1)).toBeVisible();
  return () => calls.map(({ call }) => call).filter((call) => /approvals\/.*\/(approve|reject|undo)/.test(call));
}

const card = (page: Page, n: number) => page.getByRole("article", { name: `Собеседник ${n}` });

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

test("to the left it is asked first; the buttons stay for whoever cannot swipe", async ({ page }) => {
  const decided = await queue(page);
  await expect(card(page, 1).getByRole("button", { name: "Отправить" })).toBeVisible();
  await expectAccessibleCrosswise(page, "drafts with a swipe");
  await page.setViewportSize({ width: 390, height: 844 });
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

test("a finger scrolls the page over the cards, and swipes where motion is reduced too", async ({ page }) => {
  const decided = await queue(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", x = 0, y = 0) =>
    devtools.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  const finger = async (dx: number, dy: number) => {
    const box = (await card(page, 1).getByRole("heading").boundingBox())!;
    const [x, y] = [box.x + 20, box.y + 10];
    await touch("touchStart", x, y);
    for (let step = 1; step <= 10; step++) await touch("touchMove", x + (dx * step) / 10, y + (dy * step) / 10);
    await touch("touchEnd");
  };
  const top = () => page.evaluate(() => Math.round(scrollY));
  await finger(10, -200);
  await expect.poll(top).toBeGreaterThan(80);
  expect(decided()).toEqual([]);
  // The page rolls on for a moment after the finger has left it.
  const rolledBack = () =>
    page.evaluate(async () => {
      scrollTo(0, 0);
      await new Promise((resolve) => setTimeout(resolve, 300));
      return Math.round(scrollY);
    });
  await expect.poll(rolledBack).toBe(0);
  await finger(170, 6);
  await expect.poll(() => decided().length).toBe(1);
  expect(decided()[0]).toMatch(/approve$/);
  await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: false });
});
