// A server that is overloaded, or about to end, refuses calls for a moment: the page says so calmly and asks again.
import { answering, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

test("a refused call is retried automatically, and the page says what it waits for", async ({ page }) => {
  let asked = 0;
  await answering(page, {
    "GET /api/digital-twins": (route, request) => {
      asked++;
      if (asked > 2) return json([])(route, request);
      return route.fulfill({
        status: 503,
        headers: { "retry-after": "1" },
        contentType: "application/json",
        body: JSON.stringify({ message: "Сервер сейчас занят.", code: "overloaded", requestId: "r1" }),
      });
    },
  });
  await page.goto("/twins");
  await expect(toast(page)).toContainText("Сервер сейчас занят");
  await expect(toast(page)).toContainText("попробуем ещё раз");
  await expect(page.getByText("Пока нет цифровых двойников").first()).toBeVisible();
  expect(asked).toBeGreaterThanOrEqual(3);
  await expect(page.getByRole("alert")).toHaveCount(0);
});
