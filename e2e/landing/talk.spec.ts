// The hero's twin: asked without an account, on the real server, and what stands there when it cannot answer.
import type { Page } from "@playwright/test";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { openLanding } from "./parts.ts";

const talkOf = (page: Page) => page.getByRole("region", { name: "Спросите двойника сами" });
const logOf = (page: Page) => talkOf(page).getByRole("log");
const fieldOf = (page: Page) => talkOf(page).getByLabel("Ваш вопрос");

test("before anybody asks an answer stands there with its marked source, in the page as it comes and once scripts run", async ({
  page,
  request,
}) => {
  expect(await (await request.get("/landing")).text()).toMatch(/<mark[^>]*>Мелем бесплатно, есть шесть помолов/);
  const asked: string[] = [];
  page.on("request", (sent) => {
    if (sent.url().includes("/api/showcase/")) asked.push(sent.url());
  });
  await openLanding(page);
  await expect(logOf(page).getByText("Из документа «Заказ и оплата: частые вопросы»")).toBeVisible();
  await expect(logOf(page).locator("mark").first()).toBeInViewport();
  expect(asked).toEqual([]);
  await talkOf(page).getByRole("button", { name: "Сколько стоит доставка на Дальний Восток?" }).click();
  await expect(logOf(page).locator("mark").first()).toContainText("доставка стоит 450 ₽");
  await expect(logOf(page)).not.toContainText("Мелем бесплатно");
});

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

test("a ready question is answered from a document, whose sentence is marked, and the card keeps its size", async ({
  page,
}) => {
  await openLanding(page);
  const before = await talkOf(page).boundingBox();
  await talkOf(page).getByRole("button", { name: "Сколько стоит доставка на Дальний Восток?" }).click();
  await expect(logOf(page).getByText("Из документа «Доставка и самовывоз»")).toBeVisible();
  await expect(logOf(page).locator("mark").first()).toContainText("доставка стоит 450 ₽");
  await expect(logOf(page)).toHaveAttribute("aria-busy", "false");
  expect(await talkOf(page).boundingBox()).toEqual(before);
});

test("what the shop has not written down is «не знаю», and leads to a twin of one's own; by keys alone", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openLanding(page);
  await fieldOf(page).fill("Сколько лет вашему директору?");
  await page.keyboard.press("Enter");
  await expect(logOf(page)).toContainText("Двойник спросит владельца");
  await expect(logOf(page)).toContainText(/не знаю/i);
  await expect(fieldOf(page)).toHaveValue("");
  await expect(logOf(page).getByRole("link", { name: "Создать своего двойника" })).toHaveAttribute(
    "href",
    "/register?return=%2Fcreate-twin",
  );
  await expectAccessibleCrosswise(page, "landing, talk");
  await expectFitsNarrowPhone(page, "landing, talk");
});

test.describe("without an answer", () => {
  test.use({ allowedConsoleErrors: [/net::ERR_FAILED|status of 429/] });

  test("a failed question can be asked again, and a limit is told in words", async ({ page }) => {
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
