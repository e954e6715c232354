// Every address of the product opens, for who is signed in and who is not.
import type { Page } from "@playwright/test";
import { expectAccessibleEverywhere, expectFits, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { openInside } from "../support/open-inside.ts";
import { SCREENS } from "../support/screens.ts";
import { asDemoUser } from "../support/session.ts";
import { expectTouchTargets } from "../support/touch-targets.ts";
import { DESKTOP } from "../support/viewports.ts";

/** Those that are walked, as others are visited by the tests of their own folder. */
const walked = SCREENS.flatMap(({ h1, ...screen }) => (h1 === undefined ? [] : [{ ...screen, h1 }]));
const openRoutes = walked.filter(({ as }) => as === "nobody");
const guardedRoutes = [
  ...walked.filter(({ as }) => as !== "nobody"),
  { at: "/conversations?tab=approval", h1: "Диалоги", also: [] },
];

/** Where the layout changes. */
const WIDTHS = [768, 1024, 1280];

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

/** The screen stands with its data: nothing waits any more. */
async function expectSettled(page: Page, h1: string) {
  await expect(headingOf(page)).toHaveText(h1);
  await expect(page.locator("main [class*=animate-pulse], main [class*=animate-spin]")).toHaveCount(0);
}

async function demoTwinId(page: Page, token: string): Promise<string> {
  const answer = await page.request.get("/api/digital-twins", { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json())[0].id;
}

test.describe("every address", () => {
  for (const [part, routes] of [guardedRoutes.slice(0, 5), guardedRoutes.slice(5)].entries()) {
    test(`signed in: opens, fits 320, 768, 1024 and 1280 px and is accessible in both themes, part ${part + 1}`, async ({
      page,
    }) => {
      test.slow();
      const id = await demoTwinId(page, await asDemoUser(page));
      for (const { at, h1 } of routes) {
        await page.setViewportSize(DESKTOP);
        // The server gives the interface at each address; who is signed in is led there within it.
        if (page.url() !== "about:blank") expect((await page.request.get(at.replace("{id}", id))).ok(), at).toBe(true);
        await openInside(page, at.replace("{id}", id));
        await expectSettled(page, h1);
        // The demo's drafts wait on every screen.
        await expect(page).toHaveTitle(`(3) ${h1} · Цифровые двойники`);
        await expectAccessibleEverywhere(page, at);
        await expectFits(page, WIDTHS, at);
        await expectFitsNarrowPhone(page, at);
        await expectTouchTargets(page, at);
      }
    });
  }

  test("has its second names", async ({ page }) => {
    await asDemoUser(page);
    for (const { also = [], h1 } of guardedRoutes) {
      for (const at of also) {
        await openInside(page, at);
        await expect(headingOf(page)).toHaveText(h1);
        await expect(page).toHaveURL(at);
      }
    }
  });

  test("not signed in: the open ones are whole, the others lead to the login and back", async ({ page }) => {
    for (const { at, h1 } of openRoutes) {
      await page.setViewportSize(DESKTOP);
      await page.goto(at);
      await expectSettled(page, h1);
      await expectAccessibleEverywhere(page, at);
      await expectFitsNarrowPhone(page, at);
    }
    await page.goto("/");
    await expect(headingOf(page)).toHaveText("ИИ, который отвечает вашими словами");
    for (const { at, also = [] } of guardedRoutes) {
      for (const path of [at.replace("{id}", "of-a-twin"), ...also]) {
        if (path === "/") continue;
        const asked = `${path}${path.includes("?") ? "&" : "?"}q=1`;
        await openInside(page, asked);
        await expect(page).toHaveURL(`/login?return=${encodeURIComponent(asked)}`);
      }
    }
  });

  test("that is unknown is a 404 page", async ({ page }) => {
    await page.goto("/no/such/page");
    await expect(headingOf(page)).toHaveText("Страница не найдена");
    await expect(page).toHaveTitle("Страница не найдена · Цифровые двойники");
    await expectAccessibleEverywhere(page, "404");
    await expectFitsNarrowPhone(page, "404");
    await page.getByRole("link", { name: "На главную" }).click();
    await expect(page).toHaveURL("/");
  });
});
