// All windows of a browser are current, hidden ones too, over one connection; whichever of them is closed.
import type { Page } from "@playwright/test";
import { expect, test } from "../servers/bot.ts";
import { asOwner, connectBot } from "../support/owner.ts";

const rowIn = (window: Page) => window.getByRole("list", { name: "Диалоги" }).getByRole("listitem");
const SOON = { timeout: 15_000 };

/** As a window that lies under another, out of sight. */
const hide = (window: Page) =>
  window.addInitScript(() => {
    Object.defineProperty(document, "hidden", { get: () => true });
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
  });

test("a message is in every window within two seconds, over one connection, also after the window that has it is closed", async ({
  page,
  bot,
}) => {
  await connectBot(await asOwner(page), bot);
  const streams: Page[] = [];
  const others = [await page.context().newPage(), await page.context().newPage()];
  const windows = [page, ...others];
  for (const window of others) await hide(window);
  for (const window of windows) {
    window.on("request", (request) => request.url().endsWith("/api/events") && streams.push(window));
    await window.goto("/conversations");
    await expect(window.getByRole("main")).toContainText("Пока нет диалогов");
  }
  await expect.poll(() => streams.length, SOON).toBe(1);
  // Long enough for each of them to have asked for a stream of its own.
  await page.waitForTimeout(2500);
  expect(streams).toEqual([page]);
  await bot.say("Первое сообщение");
  await expect(rowIn(page)).toContainText("Первое сообщение", SOON);
  for (const window of others) await expect(rowIn(window)).toContainText("Первое сообщение", { timeout: 2000 });

  await page.close();
  await expect.poll(() => streams.length, SOON).toBe(2);
  await others[0]!.waitForTimeout(1000);
  await bot.say("Второе сообщение");
  const [leader, follower] = streams[1] === others[0] ? [others[0]!, others[1]!] : [others[1]!, others[0]!];
  await expect(rowIn(leader)).toContainText("Второе сообщение", SOON);
  await expect(rowIn(follower)).toContainText("Второе сообщение", { timeout: 2000 });
  expect(streams).toHaveLength(2);
});
