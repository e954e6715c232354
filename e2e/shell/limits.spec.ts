// Section 9, what holds on every screen: when queries are asked again, how toasts and tooltips come and go.
import { buildTwin } from "../factories/twin.ts";
import { json, plain } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect, test } from "../support/fixtures.ts";
import { toast } from "../support/toast.ts";
import { createTwin } from "../support/twin-form.ts";
import { list, open, openForm } from "./limits-parts.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/], ownContext: true });

test("9. Queries: no interval, no refetch on focus, never stale, kept for 5 minutes", async ({ page }) => {
  const count = await open(page, { at: "/twins", answers: { [list]: json([buildTwin(1)]) }, clock: true });
  await expect(page.getByText("Двойник 1")).toBeVisible();
  expect(count(list)).toBe(1);

  const goTo = async (name: string, h1: string) => {
    await page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link", { name }).click();
    await page.clock.runFor(100);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(h1);
  };
  // The code of both screens is there from now on: it could not come while time stands still.
  await goTo("Настройки", "Супер-админ панель");
  await goTo("Цифровые двойники", "Цифровые двойники");
  await expect(page.getByText("Двойник 1")).toBeVisible();
  await pauseClock(page);
  await page.clock.runFor("10:00");
  await page.evaluate(() => {
    for (const target of [window, document]) {
      for (const name of ["focus", "visibilitychange", "online"]) target.dispatchEvent(new Event(name));
    }
  });
  await page.clock.runFor(1000);
  expect(count(list), "after ten minutes and a focus").toBe(1);

  // A screen that does not read the twins.
  await goTo("Настройки", "Супер-админ панель");
  await page.clock.runFor("04:50");
  await goTo("Цифровые двойники", "Цифровые двойники");
  await expect(page.getByText("Двойник 1")).toBeVisible();
  expect(count(list), "left for less than five minutes").toBe(1);

  await goTo("Настройки", "Супер-админ панель");
  await page.clock.runFor("05:10");
  await goTo("Цифровые двойники", "Цифровые двойники");
  await expect.poll(() => count(list), "left for more than five minutes").toBe(2);
});

test("9. Neither queries nor mutations are retried", async ({ page }) => {
  const count = await open(page, {
    at: "/twins",
    answers: { [list]: plain(500, ""), "POST /api/digital-twins": plain(500, "") },
    clock: true,
  });
  await expect(page.getByText("Не удалось загрузить двойников")).toBeVisible();
  await page.clock.runFor("01:00");
  expect(count(list)).toBe(1);

  await page.goto("/create-twin");
  await createTwin(page);
  // 8. The text of an answer that is not ok: status, colon, space, body or status text.
  await expect(toast(page)).toContainText("500: Internal Server Error");
  await page.clock.runFor(4000);
  expect(count("POST /api/digital-twins")).toBe(1);
});

test.describe("9. Toasts", () => {
  test("one at a time, for 5000 ms, at most 420 px wide; F8 leads to them", async ({ page }) => {
    const { send, show } = await openForm(page, true);
    await show();
    await page.clock.runFor(50);
    await expect(toast(page)).toHaveText(/Заполните все поля/);
    await page.getByLabel("API ID").fill("1");
    await page.getByLabel("API Hash").first().fill("h");
    await page.getByLabel("Номер телефона").fill("+7");
    await page.getByLabel("Цифровой двойник").selectOption({ index: 1 });
    await send.click();
    await page.clock.runFor(50);
    await expect(toast(page)).toHaveText(/Код отправлен/);
    await expect(toast(page)).toHaveCount(1);

    const region = page.getByRole("region", { name: /^Уведомления/ }).locator("ol");
    expect((await region.boundingBox())?.width).toBe(420);
    await page.keyboard.press("F8");
    await expect(region).toBeFocused();
    // While the region has the focus, its time stands still.
    await page.clock.runFor(6000);
    await expect(toast(page)).toHaveCount(1);
    await page.getByRole("heading", { level: 1 }).click();
    await page.getByLabel("Код подтверждения").focus();
    await page.clock.runFor(4000);
    await expect(toast(page)).toHaveCount(1);
    await page.clock.runFor(1500);
    await expect(toast(page)).toHaveCount(0);
  });
});
