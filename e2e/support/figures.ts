import type { Locator, Page } from "@playwright/test";

/** The card with a figure that is called so. */
export const cardOf = (page: Page, label: string): Locator =>
  page.locator("main dl").filter({ has: page.locator("dt", { hasText: label }) });

/** The figure itself; what stands beside it, as its change, comes behind. */
export const figureOf = (page: Page, label: string): Locator => cardOf(page, label).locator("dd").first();
