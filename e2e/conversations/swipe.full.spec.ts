// On a phone a draft is decided by a swipe: to the right it is sent and can be taken back, to the left it is asked what to do.
// What swipe.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { card, queue } from "./swipe-parts.ts";

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
