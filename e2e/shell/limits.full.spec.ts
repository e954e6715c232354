// Section 9, what holds on every screen: when queries are asked again, how toasts and tooltips come and go.
// What limits.spec.ts leaves to test:full.
import type { Locator } from "@playwright/test";
import { buildTwin } from "../factories/twin.ts";
import { json } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect, test } from "../support/fixtures.ts";
import { movePointer } from "../support/pointer.ts";
import { toast } from "../support/toast.ts";
import { list, open, openForm } from "./limits-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/], ownContext: true });

test.describe("9. Toasts", () => {
  test("a swipe to the right by more than 50 px dismisses one", async ({ page }) => {
    const { show } = await openForm(page, false);
    await show();
    const box = (await toast(page).boundingBox()) ?? { x: 0, y: 0 };
    const swipe = async (by: number) => {
      await page.mouse.move(box.x + 60, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 60 + by / 2, box.y + 20, { steps: 3 });
      await page.mouse.move(box.x + 60 + by, box.y + 20, { steps: 3 });
      await page.mouse.up();
    };
    await swipe(45);
    await expect(toast(page)).toHaveCount(1);
    await swipe(60);
    await expect(toast(page)).toHaveCount(0);
  });
});

test("9. A tooltip opens after 700 ms, its neighbour within 300 ms at once", async ({ page }) => {
  await open(page, { at: "/twins", answers: { [list]: json([buildTwin(1)]) }, clock: true });
  await expect(page.getByText("Двойник 1")).toBeVisible();
  // The wide menu says all in sight; the collapsed one has tooltips.
  await page.getByRole("button", { name: "Свернуть меню" }).click();
  const link = (name: string) =>
    page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link", { name });
  const tip = (words: string) => page.getByRole("tooltip", { name: words });
  const over = async (target: Locator) => {
    // The first moves only tell that the way does not lead to the tooltip that is open.
    for (const x of [32, 24, 16, 8]) await target.hover({ position: { x, y: 10 } });
  };
  // The tooltips' code comes with the first move of the pointer, in its own time: the clock stands still only after one was seen.
  await over(link("Аналитика"));
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(1);
  // One move alone may still lead to the tooltip.
  await movePointer(page, { x: 200, y: 400 }, { x: 700, y: 700 });
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await pauseClock(page);
  await page.clock.runFor(400);
  await over(link("База знаний"));
  await page.clock.runFor(600);
  await expect(tip("Документы и обучающие материалы")).toHaveCount(0);
  await page.clock.runFor(150);
  await expect(tip("Документы и обучающие материалы")).toHaveCount(1);
  await over(link("CRM интеграция"));
  await page.clock.runFor(50);
  await expect(tip("Синхронизация с CRM системами")).toHaveCount(1);
  // Who was away for more than 300 ms waits again.
  await over(page.getByRole("heading", { level: 1 }));
  await page.clock.runFor(400);
  await over(link("Аналитика"));
  await page.clock.runFor(600);
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(0);
  await page.clock.runFor(150);
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(1);
});
