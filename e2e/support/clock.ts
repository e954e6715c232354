import type { Page } from "@playwright/test";

/**
 * From now on the time of a page with an installed clock goes only by `runFor`. The moment is a minute ahead: on a busy machine a second
 * may have passed before the clock learns of it, and no clock stops in the past.
 */
export const pauseClock = async (page: Page) => page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
