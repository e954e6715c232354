import type { Page } from "@playwright/test";

/**
 * Reads what the page copies from now on. Our pages may write to the clipboard and not read it (Permissions-Policy), a test's code in them
 * no more than they.
 */
export async function watchClipboard(page: Page): Promise<() => Promise<string | undefined>> {
  await page.evaluate(() => {
    const { clipboard } = navigator;
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = (text) => {
      document.documentElement.dataset.copied = text;
      return write(text);
    };
  });
  return () => page.evaluate(() => document.documentElement.dataset.copied);
}
