// The hero's twin: asked without an account, on the real server, and what stands there when it cannot answer.
// What talk.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { openLanding } from "./parts.ts";
import { fieldOf, logOf } from "./talk-parts.ts";

test("no line of the heading is a single word, and on a phone the example's source ends within the talk", async ({
  page,
}) => {
  await openLanding(page);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page.getByRole("heading", { level: 1 }).evaluate((heading) => {
      const { lineHeight } = getComputedStyle(heading);
      return Math.round(heading.getBoundingClientRect().height / Number.parseFloat(lineHeight));
    });
    expect(lines, `${width}`).toBe(2);
  }
  const [log, source] = await Promise.all(
    [logOf(page), logOf(page).locator("blockquote")].map((place) => place.boundingBox()),
  );
  expect(source!.y + source!.height).toBeLessThanOrEqual(log!.y + log!.height);
});

test.describe("without an answer", () => {
  test.use({ allowedConsoleErrors: [/net::ERR_FAILED|status of 429/] });

  test("a failed question can be asked again, and a limit is explained in words", async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openLanding(page);
    await page.route("**/api/showcase/ask", (route) => route.abort(), { times: 1 });
    await fieldOf(page).fill("Вы мелете кофе?");
    await page.keyboard.press("Enter");
    await expect(logOf(page).getByRole("alert")).toContainText("Не удалось получить ответ");
    await logOf(page).getByRole("button", { name: "Повторить" }).click();
    await expect(logOf(page)).toContainText("шесть помолов");
    await page.route("**/api/showcase/ask", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/problem+json",
        json: {
          code: "too_many_requests",
          message: "Слишком много вопросов подряд. Подождите немного.",
          requestId: "r",
        },
      }),
    );
    await fieldOf(page).fill("Ещё вопрос");
    await page.keyboard.press("Enter");
    await expect(logOf(page).getByRole("alert")).toContainText("Слишком много вопросов подряд. Подождите немного.");
  });
});
