import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/**
 * Leads to another screen of the interface that is open, as a link would: a document of its own for each costs twice as much. The screen
 * that is left has gone when this ends. Another query of the same path keeps its screen, so that is loaded.
 */
export async function openInside(page: Page, address: string): Promise<void> {
  const isOpen = page.url().startsWith("http");
  const target = isOpen ? new URL(address, page.url()) : undefined;
  if (target === undefined || target.pathname === new URL(page.url()).pathname) {
    await page.goto(address);
    return;
  }
  // The landing page stands before React runs; left before it is hydrated, React finds another screen's place there (error 418).
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("#root > *") ?? {}).some((key) => key.startsWith("__reactFiber")),
  );
  await page.evaluate((path) => {
    for (const heading of document.querySelectorAll("h1")) heading.dataset.left = "";
    // The router listens to it.
    history.pushState(null, "", path);
  }, address);
  await expect(page.locator("h1[data-left]"), `${address} takes the former screen's place`).toHaveCount(0);
}
