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
    await expect(target).toBeAttached();
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

  return { press, focus, type, follow, choose };
}
