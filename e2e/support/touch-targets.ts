import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { PHONE } from "./viewports.ts";

/** WCAG 2.5.5, in CSS pixels. */
const SMALLEST = 44;

/** Every control that a finger can reach at 390 px is 44 px wide and high at least, counting the area around it that it is hit in too. */
export async function expectTouchTargets(page: Page, what: string) {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect.soft(await page.evaluate(findSmallTargets, SMALLEST), `${what}: targets below 44 px`).toEqual([]);
  if (before) await page.setViewportSize(before);
}

function findSmallTargets(smallest: number): string[] {
  const controls = "a[href], button, summary, select, input:not([type=hidden]), textarea, [role=tab], [role=switch]";
  const small = new Set<string>();
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (isForScreenReaders(control) || isWithinText(control)) continue;
    // A checkbox and its label are one target, and so is a hidden field of files and what is dropped upon.
    const areas = [control, ...(control.closest("label") ? [control.closest("label")!] : [])].flatMap(areasOf);
    const width = Math.max(...areas.map((area) => area.width));
    const height = Math.max(...areas.map((area) => area.height));
    if (width >= smallest - 0.5 && height >= smallest - 0.5) continue;
    const name = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim().slice(0, 40);
    small.add(`${control.localName} «${name}» ${Math.round(width)} × ${Math.round(height)}`);
  }
  return [...small];

  function areasOf(node: Element): { width: number; height: number }[] {
    const areas: { width: number; height: number }[] = [node.getBoundingClientRect()];
    for (const pseudo of ["::before", "::after"]) {
      const style = getComputedStyle(node, pseudo);
      if (style.content === "none" || style.position !== "absolute") continue;
      areas.push({ width: Number.parseFloat(style.width), height: Number.parseFloat(style.height) });
    }
    return areas;
  }

  function isForScreenReaders(node: Element): boolean {
    const { width, height } = node.getBoundingClientRect();
    return (width <= 1 && height <= 1) || node.closest(".sr-only") !== null;
  }

  /** The size of a link in a sentence is that of its line, which WCAG excepts. */
  function isWithinText(node: Element): boolean {
    if (getComputedStyle(node).display !== "inline") return false;
    return [...(node.parentElement?.childNodes ?? [])].some(
      (other) => other !== node && other.nodeType === Node.TEXT_NODE && other.textContent?.trim(),
    );
  }
}
