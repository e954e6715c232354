import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Every statement is looked for although another one fails. */
const softly = expect.configure({ soft: true });

/**
 * Why each of the elements is not seen by somebody who only looks; empty: it is seen. Playwright calls visible what has a size, also
 * when it is transparent, cut down to one pixel for screen readers, scrolled out of its row or ended by an ellipsis.
 */
const findHidingReasons = (nodes: Element[]) =>
  nodes.map(function findReason(found): string {
    // An option is drawn by its list alone.
    const node = found.closest("select") ?? found;
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) {
      return "it is not rendered, or transparent";
    }
    const box = node.getBoundingClientRect();
    if (box.width < 4 || box.height < 4) return `it measures ${box.width} × ${box.height} px`;
    const seen = Math.min(box.right, innerWidth) - Math.max(box.left, 0);
    if (seen < box.width - 1) return `${Math.round(box.width - seen)} px of it stand beside the screen`;
    for (let around: Element | null = node; around !== null; around = around.parentElement) {
      const { clip, clipPath, overflowX, textOverflow } = getComputedStyle(around);
      if (clip === "rect(0px, 0px, 0px, 0px)" || clipPath === "inset(50%)") return "it is for screen readers alone";
      const frame = around.getBoundingClientRect();
      if (around !== node && overflowX !== "visible" && box.left + 1 >= frame.right)
        return "it is scrolled out of its row";
      if (around === node && textOverflow === "ellipsis" && around.scrollWidth > around.clientWidth + 1) {
        return "an ellipsis cuts it off";
      }
    }
    // Text that is given its background's look is drawn by nothing.
    const { color } = getComputedStyle(node);
    return /rgba\(.*, 0\)$|transparent/.test(color) ? "its colour is transparent" : "";
  });

/** At least one of what `locator` finds is in sight: rendered, opaque, whole, within the screen's width, not for screen readers alone. */
export async function expectInSight(locator: Locator, what: string, timeout = 4000) {
  const reason = async () => {
    const reasons = await locator.evaluateAll(findHidingReasons);
    if (reasons.length === 0) return "it is not there";
    return reasons.includes("") ? "" : reasons[0];
  };
  await softly.poll(reason, { message: what, timeout }).toBe("");
}

/** At how many heights of the screen from its top the first that `locator` finds ends. */
export async function screensDown(page: Page, locator: Locator): Promise<number> {
  const bottom = await locator.first().evaluate((node) => node.getBoundingClientRect().bottom + scrollY);
  return bottom / (page.viewportSize()?.height ?? 1);
}
