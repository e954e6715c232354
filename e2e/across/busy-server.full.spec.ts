// A server that is overloaded, or about to end, refuses calls for a moment: the page says so calmly and asks again.
// What busy-server.spec.ts leaves to test:full.
import { answering } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("what a server that ends has refused is asked once more, and then its own sentence is shown", async ({ page }) => {
  let asked = 0;
  await answering(page, {
    "GET /api/digital-twins": (route) => {
      asked++;
      return route.fulfill({
        status: 503,
        headers: { "retry-after": "1" },
        contentType: "application/json",
        body: JSON.stringify({ message: "Сервер перезапускается.", code: "stopping", requestId: "r1" }),
      });
    },
  });
  await page.goto("/twins");
  await expect(page.getByRole("alert").first()).toContainText("Сервер перезапускается.");
  expect(asked % 2).toBe(0);
});
