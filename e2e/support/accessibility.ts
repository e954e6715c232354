import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import type { ElementContext, RunOptions } from "axe-core";
import { expect } from "./fixtures.ts";

/** For a page: less than half of what the package itself gives as its source. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const LOOK: RunOptions = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
  resultTypes: ["violations"],
  // Our style sheets need no second download: no rule that runs here reads them.
  preload: false,
};

/** What can differ between two themes of one screen. */
const COLOURS: RunOptions = { ...LOOK, runOnly: ["color-contrast", "link-in-text-block"] };

/**
 * With TEST_FULL=1 each state of a screen is looked at as a whole, in each theme. Otherwise it is looked at where it differs from its
 * route, which `expectAccessibleEverywhere` sees whole: in the overlay that is open, else within <main>.
 */
export const FULL = process.env.TEST_FULL === "1";

const OVERLAYS = "[role=dialog], [role=alertdialog], [role=menu]";

// What is just opening is half there for a moment: only a fault that stays is one.
const PASSING_MS = 3000;

/** Fails with each broken rule and the first places that break it. */
export async function expectAccessible(page: Page, what: string, look = LOOK) {
  const where = FULL ? "document" : await findChangedPart(page);
  await expectNoFaults(page, what, look, where);
}

/** A selector of what a state shows beside its route. */
async function findChangedPart(page: Page): Promise<string> {
  return page.evaluate((overlays) => {
    const present = [overlays, "main"].find((selector) => document.querySelector(selector) !== null);
    return present ?? "document";
  }, OVERLAYS);
}

async function expectNoFaults(page: Page, what: string, look: RunOptions, where = "document") {
  let faults = await findFaults(page, look, where);
  for (const until = Date.now() + PASSING_MS; faults.length > 0 && Date.now() < until; ) {
    faults = await findFaults(page, look, where);
  }
  expect.soft(faults, `axe: ${what}`).toEqual([]);
}

async function findFaults(page: Page, look: RunOptions, where: string): Promise<string[]> {
  // One copy of axe for all the looks at a page; the builder for Playwright injects one for each and costs three times as much.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([look, where]) => {
      // An overlay may have closed since it was found.
      const isThere = where !== "document" && document.querySelector(where) !== null;
      const context: ElementContext = isThere ? where : document;
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(context, look);
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`,
      );
    },
    [look, where] as const,
  );
}

/** Lets the system's theme change and waits until the page wears it. */
export async function wearTheme(page: Page, colorScheme: "light" | "dark") {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
}

const WIDE_LIGHT = [1440, 900, "light", LOOK] as const;
const NARROW_DARK = [390, 844, "dark", LOOK] as const;

/**
 * Light and wide, dark and narrow, for the states of a screen. Without TEST_FULL=1 a state has one look, at the denser measure and in
 * the theme with the fainter colours: its route is seen in both.
 */
export async function expectAccessibleCrosswise(page: Page, what: string) {
  for (const [width, height, colorScheme, look] of FULL ? [WIDE_LIGHT, NARROW_DARK] : [NARROW_DARK]) {
    await page.setViewportSize({ width, height });
    await wearTheme(page, colorScheme);
    await expectAccessible(page, `${what}, ${width} px, ${colorScheme}`, look);
  }
}

/** A screen as it stands, in both themes; without TEST_FULL=1 in the dark one. */
export async function expectAccessibleInBothThemes(page: Page, what: string) {
  if (FULL) {
    await wearTheme(page, "light");
    await expectAccessible(page, `${what}, light`);
  }
  await wearTheme(page, "dark");
  await expectAccessible(page, `${what}, dark`, FULL ? COLOURS : LOOK);
}

/** Every route as it opens, whole: light and wide, dark and narrow; with TEST_FULL=1 each theme at each of the two measures. */
export async function expectAccessibleEverywhere(page: Page, what: string) {
  const others = [
    [1440, 900, "dark", COLOURS],
    [390, 844, "light", COLOURS],
  ] as const;
  for (const [width, height, colorScheme, look] of [WIDE_LIGHT, NARROW_DARK, ...(FULL ? others : [])]) {
    await page.setViewportSize({ width, height });
    await wearTheme(page, colorScheme);
    await expectNoFaults(page, `${what}, ${width} px, ${colorScheme}`, look);
  }
}

/** At no width of a phone, a tablet or a desktop is there anything beside the screen. */
export async function expectNoSidewaysScroll(page: Page) {
  for (const width of [320, 390, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

/** At none of these widths is there anything beside the screen. */
export async function expectFits(page: Page, widths: readonly number[], what = page.url()) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    // Parts that measure themselves are laid out a frame later.
    const whole = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(document.documentElement.scrollWidth))),
        ),
    );
    expect.soft(whole, `${what} at ${width} px`).toBeLessThanOrEqual(width);
  }
}

/** Nothing stands beside the screen of the narrowest phone. It stays that narrow. */
export async function expectFitsNarrowPhone(page: Page, what = page.url()) {
  await page.setViewportSize({ width: 320, height: 700 });
  expect
    .soft(await page.evaluate(() => document.documentElement.scrollWidth), `${what} at 320 px`)
    .toBeLessThanOrEqual(320);
}
