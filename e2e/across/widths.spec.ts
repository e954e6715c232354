// No main screen scrolls sideways at the widths where the layout changes.
import { expect, test } from "../support/fixtures.ts";
import { asDemoUser } from "../support/session.ts";

// No main screen scrolls sideways at the widths where the layout changes.

const WIDTHS = [768, 1024, 1280];

test("no main screen scrolls sideways at 768, 1024 and 1280 px", async ({ page }) => {
  test.slow();
  const headers = { authorization: `Bearer ${await asDemoUser(page)}` };
  const [{ id }] = await (await page.request.get("/api/digital-twins", { headers })).json();
  const screens = [
    ...["/dashboard", "/twins", "/conversations", "/conversations?tab=approval", "/analytics", "/knowledge"],
    ...["/integrations", "/add-integration", "/crm", "/create-twin", `/edit-twin/${id}`, `/twin-settings/${id}`],
    ...[`/twin-gaps/${id}`, "/train-ai", "/onboarding", "/account", "/org-admin", "/admin"],
  ];
  const wide: string[] = [];
  for (const at of screens) {
    await page.goto(at);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("main [class*=animate-pulse], main [class*=animate-spin]")).toHaveCount(0);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const whole = await page.evaluate(
        () =>
          new Promise<number>((is) =>
            requestAnimationFrame(() => requestAnimationFrame(() => is(document.documentElement.scrollWidth))),
          ),
      );
      if (whole > width) wide.push(`${at} is ${whole} px wide at ${width}`);
    }
  }
  expect(wide).toEqual([]);
});
