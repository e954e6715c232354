// A press is answered by a mark at once; the layout that it leads to is drawn after it, so that the next key need not wait.
import { expect, test } from "../../support/fixtures.ts";
import { asDemoUser } from "../../support/session.ts";
import { DESKTOP, PHONE } from "../../support/viewports.ts";

test("a press marks its row and its tab before the conversation and the list are drawn", async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await asDemoUser(page);
  await page.goto("/conversations");
  const row = page.getByRole("button", { name: /^Открыть чат/ }).nth(1);
  const thread = page.getByRole("region", { name: /^Диалог:/ });
  const shownThreads = () => document.querySelectorAll("section[aria-label^='Диалог:']").length;
  // Playwright's own press would wait until everything is drawn: the marks are read in the same task.
  const afterPress = await row.evaluate(async (button: HTMLElement) => {
    button.click();
    await Promise.resolve();
    return { marked: button.ariaCurrent, threads: document.querySelectorAll("section[aria-label^='Диалог:']").length };
  });
  expect(afterPress).toEqual({ marked: "true", threads: 0 });
  await expect(thread).toBeVisible();
  expect(await page.evaluate(shownThreads)).toBe(1);

  const rows = page.getByRole("list", { name: "Диалоги" }).getByRole("listitem");
  const before = await rows.count();
  const tab = page.getByRole("tab", { name: "Закрыты" });
  const afterTab = await tab.evaluate(async (button: HTMLElement) => {
    button.click();
    await Promise.resolve();
    const panel = document.querySelector("[role=tabpanel]")!;
    return {
      chosen: button.ariaSelected,
      busy: panel.ariaBusy,
      rows: panel.querySelectorAll("[data-conversation]").length,
    };
  });
  expect(afterTab).toEqual({ chosen: "true", busy: "true", rows: before });
  await expect(page.getByRole("tabpanel")).toHaveAttribute("aria-busy", "false");
});

test("on a phone the row from which a conversation was opened has the focus after leaving it", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await asDemoUser(page);
  await page.goto("/conversations");
  const row = page.getByRole("button", { name: /^Открыть чат/ }).nth(1);
  await row.click();
  await page.getByRole("button", { name: "К списку диалогов" }).click();
  await expect(row).toBeFocused();
});
