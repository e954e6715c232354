import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

type ChosenFile = { name: string; mimeType: string; buffer: Buffer };

/** Acts of somebody without a mouse: each control is reached in the order of the focus and works by its own keys. */
export function keyboardOf(page: Page) {
  const press = (key: string) => page.keyboard.press(key);
  // While somebody listens, Chromium's own dialog is held back; that must not begin together with the key that opens it.
  page.on("filechooser", () => {});

  /** Presses Tab (or Shift+Tab) until `target` has the focus. */
  async function focus(target: Locator, key: "Tab" | "Shift+Tab" = "Tab") {
    // Tab passes by what is not there yet or cannot be used yet.
    await expect(target).toBeVisible();
    await expect(target).toBeEnabled();
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((node) => node === document.activeElement)) return;
      await press(key);
    }
    throw new Error(`${key} does not reach ${target}`);
  }

  async function type(target: Locator, text: string) {
    await focus(target);
    await page.keyboard.type(text);
    await expect(target).toHaveValue(text);
  }

  /** Enter on a link or a button. */
  async function follow(target: Locator) {
    await focus(target);
    await press("Enter");
  }

  async function choose(target: Locator, file: ChosenFile) {
    await focus(target);
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), press("Space")]);
    await chooser.setFiles(file);
  }

  /** Types into the palette and opens what it offers first; it offers that only once it has drawn what it found. */
  async function openFromPalette(words: string, offered: string) {
    await press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type(words);
    await expect(page.getByRole("option", { name: offered, selected: true })).toBeVisible();
    await press("Enter");
  }

  return { openFromPalette, press, focus, type, follow, choose };
}
