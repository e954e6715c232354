import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The one toast. An open dialog hides its region from the tree; Radix announces it apart. */
export const toast = (page: Page) =>
  page.getByRole("region", { name: /^Уведомления/, includeHidden: true }).locator("li");

export async function expectToast(page: Page, title: string | RegExp, description?: string | RegExp) {
  await expect(toast(page)).toContainText(title);
  if (description !== undefined) await expect(toast(page)).toContainText(description);
}

/** Both its lines are these words and no others. */
export async function expectWholeToast(page: Page, title: string, description: string) {
  await expect(toast(page).getByText(title, { exact: true })).toBeVisible();
  await expect(toast(page).getByText(description, { exact: true })).toBeVisible();
}

/**
 * Notes every toast of the page's following loads, for one that may have gone before a test comes to look: it stands for five seconds.
 * Gives back the texts so far.
 */
export async function recordToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const key = "test:toasts";
    new MutationObserver(() => {
      const texts: string[] = JSON.parse(sessionStorage.getItem(key) ?? "[]");
      for (const item of document.querySelectorAll("[role=region][aria-label^='Уведомления'] li")) {
        const text = item.textContent;
        if (!texts.includes(text)) texts.push(text);
      }
      sessionStorage.setItem(key, JSON.stringify(texts));
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem("test:toasts") ?? "[]"));
}
