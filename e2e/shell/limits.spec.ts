// Section 9, what holds on every screen: when queries are asked again, how toasts and tooltips come and go.
import type { Locator, Page } from "@playwright/test";
import { buildTwin } from "../factories/twin.ts";
import { type Answers, answering, json, plain } from "../support/answers.ts";
import { pauseClock } from "../support/clock.ts";
import { expect, test } from "../support/fixtures.ts";
import { movePointer } from "../support/pointer.ts";
import { toast } from "../support/toast.ts";
import { createTwin } from "../support/twin-form.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/], ownContext: true });

interface Given {
  at: string;
  answers?: Answers;
  /** The page's time stands until it is moved. */
  clock?: boolean;
}

/** Opens a screen as somebody who is signed in; gives back how often a call was made. */
async function open(page: Page, { at, answers = {}, clock = false }: Given) {
  const calls = await answering(page, answers);
  if (clock) await page.clock.install();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at);
  return (name: string) => calls.filter(({ call }) => call === name).length;
}

const list = "GET /api/digital-twins";

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
  await goTo("Настройки", "Настройки");
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
  await goTo("Настройки", "Настройки");
  await page.clock.runFor("04:50");
  await goTo("Цифровые двойники", "Цифровые двойники");
  await expect(page.getByText("Двойник 1")).toBeVisible();
  expect(count(list), "left for less than five minutes").toBe(1);

  await goTo("Настройки", "Настройки");
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
  const openForm = async (page: Page, clock: boolean) => {
    const code = json({ phoneCodeHash: "p", sessionId: "s" });
    const answers = { [list]: json([buildTwin(1)]), "POST /api/integrations/telegram/send-code": code };
    await open(page, { at: "/integrations?connect=account", answers, clock });
    const send = page.getByRole("button", { name: "Отправить код" });
    await expect(send).toBeVisible();
    const region = page.getByRole("region", { name: /^Уведомления/, includeHidden: true });
    if (clock) {
      // The toasts' code comes with the first press; it could not come while time stands still.
      await page.getByRole("heading", { level: 1 }).click();
      await expect(region).toBeAttached();
      await pauseClock(page);
    }
    return { send, show: () => send.click() };
  };

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

  test("a swipe to the right by more than 50 px dismisses one", async ({ page }) => {
    const { show } = await openForm(page, false);
    await show();
    const box = (await toast(page).boundingBox()) ?? { x: 0, y: 0 };
    const swipe = async (by: number) => {
      await page.mouse.move(box.x + 60, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 60 + by / 2, box.y + 20, { steps: 3 });
      await page.mouse.move(box.x + 60 + by, box.y + 20, { steps: 3 });
      await page.mouse.up();
    };
    await swipe(45);
    await expect(toast(page)).toHaveCount(1);
    await swipe(60);
    await expect(toast(page)).toHaveCount(0);
  });
});

test("9. A tooltip opens after 700 ms, its neighbour within 300 ms at once", async ({ page }) => {
  await open(page, { at: "/twins", answers: { [list]: json([buildTwin(1)]) }, clock: true });
  await expect(page.getByText("Двойник 1")).toBeVisible();
  const link = (name: string) =>
    page.getByRole("navigation", { name: "Основная навигация" }).getByRole("link", { name });
  const tip = (words: string) => page.getByRole("tooltip", { name: words });
  const over = async (target: Locator) => {
    // The first moves only tell that the way does not lead to the tooltip that is open.
    for (const x of [20, 24, 28, 32]) await target.hover({ position: { x, y: 10 } });
  };
  // The tooltips' code comes with the first move of the pointer, in its own time: the clock stands still only after one was seen.
  await over(link("Аналитика"));
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(1);
  // One move alone may still lead to the tooltip.
  await movePointer(page, { x: 200, y: 400 }, { x: 700, y: 700 });
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await pauseClock(page);
  await page.clock.runFor(400);
  await over(link("База знаний"));
  await page.clock.runFor(600);
  await expect(tip("Документы и обучающие материалы")).toHaveCount(0);
  await page.clock.runFor(150);
  await expect(tip("Документы и обучающие материалы")).toHaveCount(1);
  await over(link("CRM интеграция"));
  await page.clock.runFor(50);
  await expect(tip("Синхронизация с CRM системами")).toHaveCount(1);
  // Who was away for more than 300 ms waits again.
  await over(page.getByRole("heading", { level: 1 }));
  await page.clock.runFor(400);
  await over(link("Аналитика"));
  await page.clock.runFor(600);
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(0);
  await page.clock.runFor(150);
  await expect(tip("Подробная аналитика и отчеты")).toHaveCount(1);
});
