// The hero's twin: asked without an account, on the real server, and what stands there when it cannot answer.
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { openLanding } from "./parts.ts";
import { fieldOf, logOf, talkOf } from "./talk-parts.ts";

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
  await talkOf(page).scrollIntoViewIfNeeded();
  await expect(logOf(page).locator("mark").first()).toBeInViewport();
  expect(asked).toEqual([]);
  await talkOf(page).getByRole("button", { name: "Сколько стоит доставка на Дальний Восток?" }).click();
  await expect(logOf(page).locator("mark").first()).toContainText("доставка стоит 450 ₽");
  await expect(logOf(page)).not.toContainText("Мелем бесплатно");
});

test("a ready question is answered from a document, whose sentence is marked, and the card keeps its size", async ({
  page,
}) => {
  await openLanding(page);
  const question = talkOf(page).getByRole("button", { name: "Сколько стоит доставка на Дальний Восток?" });
  await question.scrollIntoViewIfNeeded();
  const before = await talkOf(page).boundingBox();
  await question.click();
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
