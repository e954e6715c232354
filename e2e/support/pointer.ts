import type { Page } from "@playwright/test";

/**
 * Moves the pointer in a straight line, each step in a frame of its own. Chromium makes one event of all moves within a frame, and on a
 * busy machine that is the whole way: what follows the pointer's course, as a tooltip does, would see a single jump.
 */
export async function movePointer(page: Page, from: Point, to: Point, steps = 6): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    const part = step / steps;
    await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
    await nextFrame(page);
  }
}

interface Point {
  x: number;
  y: number;
}

/** Listeners of input run before the callbacks of the same frame. Playwright's clock, where it is installed, does not hold this one. */
const nextFrame = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new IntersectionObserver((_, observer) => {
          observer.disconnect();
          resolve();
        }).observe(document.body);
      }),
  );
