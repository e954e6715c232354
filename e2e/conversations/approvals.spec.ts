// A contact writes to a bot that was connected by the form: the draft is seen, changed and sent; the owner takes the talk over and gives it back.
import type { Approval } from "#contract/conversations/approvals.ts";
import { buildApproval, buildConversation } from "../factories/conversation.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessible } from "../support/accessibility.ts";
import { answering, json, listOf } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { interceptCalls } from "../support/intercept.ts";
import { asNewUser } from "../support/session.ts";
import { DESKTOP } from "../support/viewports.ts";

// A contact writes to a bot that was connected by the form: the draft is seen, changed and sent; the owner takes the talk over and gives it back.

test.use({ allowedConsoleErrors: [/status of 50\d/] });

for (const width of [320, 1440]) {
  test(`the queue is read and decided at ${width} px, and its failure is shown`, async ({ page }) => {
    await asNewUser(page);
    const waiting = (n: number, more: Partial<Approval> = {}) =>
      buildApproval(n, {
        contactName: "Константин Константинопольский из отдела снабжения",
        question: "Сколько стоит доставка? ".repeat(6),
        text: "Доставка стоит 350 рублей. ".repeat(8),
        reason: "Двойник не уверен в ответе",
        confidence: 0.42,
        sources: [{ documentId: "1", name: "Доставка и оплата.md", text: "Доставка стоит 350 рублей." }],
        createdAt: new Date().toISOString(),
        ...more,
      });
    await page.setViewportSize({ width, height: 900 });
    let fails = true;
    let asked = 0;
    await interceptCalls(
      page,
      (route) => {
        asked++;
        return fails
          ? route.fulfill({
              status: 503,
              json: { message: "База данных временно недоступна", code: "x", requestId: "1" },
            })
          : route.fulfill({ json: [waiting(1), waiting(2, { state: "unknown", reason: "Связь прервалась" })] });
      },
      "*://*/api/approvals",
    );
    const earlier = [
      { by: "contact", text: "Здравствуйте!", at: "2026-11-20T10:00:00.000Z" },
      { by: "owner", text: "Добрый день", at: "2026-11-20T10:01:00.000Z" },
    ];
    await interceptCalls(page, (route) => route.fulfill({ json: earlier }), "*://*/api/approvals/*/earlier");
    await interceptCalls(
      page,
      (route) => route.fulfill({ json: [buildConversation(1)] }),
      "*://*/api/conversations\\?*",
    );
    await interceptCalls(page, (route) => route.fulfill({ json: [buildConversation(1)] }), "*://*/api/conversations");
    await page.goto("/conversations?tab=approval");
    await expect(page.getByRole("tabpanel")).toContainText("Не удалось загрузить ответы", { timeout: 15_000 });
    // Once the stream of changes is open, the queue is read again: from then on only the button does.
    await expect.poll(() => asked).toBeGreaterThan(1);
    fails = false;
    await page.getByRole("tabpanel").getByRole("button", { name: "Повторить" }).click();
    // At a desk one at a time, beside the list of all.
    const articles = page.getByRole("article");
    const waitingList = page.getByRole("navigation", { name: "Очередь ответов" }).getByRole("button");
    await expect(articles).toHaveCount(width === 320 ? 2 : 1);
    await expect(waitingList).toHaveCount(width === 320 ? 0 : 2);
    if (width > 320) await waitingList.last().click();
    await expect(articles.last()).toContainText("Неизвестно, дошло ли");
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await overflow()).toBe(false);
    // What was said before is read once the draft is in sight.
    await articles.last().scrollIntoViewIfNeeded();
    await expect(articles.last().getByRole("list", { name: "Что было раньше" })).toHaveText(
      /Константин.*: Здравствуйте!.*Вы: Добрый день/,
    );
    // At a desk the passage is read at once, on a phone it is a press away.
    if (width === 320) {
      await articles.last().getByRole("button", { name: "Доставка и оплата.md" }).click();
      await expect(page.getByRole("group", { name: "Доставка и оплата.md" })).toContainText("350 рублей");
    } else await expect(articles.last().getByRole("figure")).toContainText("«Доставка и оплата.md»");
    expect(await overflow()).toBe(false);
    await expectAccessible(page, "approvals");
  });
}

test("drafts are gone through by keys alone, and a key decides nothing that has no focus", async ({ page }) => {
  let waiting = [buildApproval(1), buildApproval(2), buildApproval(3)];
  const leaves = (id: string) => {
    waiting = waiting.filter((one) => one.id !== id);
  };
  const [first, second] = [buildApproval(1), buildApproval(2)];
  const calls = await answering(page, {
    ...listOf(buildTwin(1)),
    "GET /api/approvals": () => waiting,
    "GET /api/conversations": json([buildConversation(1)]),
    [`POST /api/approvals/${first.id}/reject`]: () => {
      leaves(first.id);
      return { ...first, state: "cancelled" };
    },
    [`POST /api/approvals/${second.id}/approve`]: () => {
      leaves(second.id);
      return { ...second, state: "pending" };
    },
  });
  const decided = () => calls.map(({ call }) => call).filter((call) => /approvals\/.*\/(approve|reject)/.test(call));
  await page.setViewportSize(DESKTOP);
  await page.goto("/conversations?tab=approval");
  const article = (n: number) => page.getByRole("article", { name: `Собеседник ${n}` });
  const rowOf = (n: number) =>
    page.getByRole("navigation", { name: "Очередь ответов" }).getByRole("button", { name: `Собеседник ${n}` });
  await expect(article(1)).toBeVisible();
  await expect(article(3)).toBeHidden();
  await expect(rowOf(1)).toHaveAttribute("aria-current", "true");
  for (const key of ["a", "r", "e"]) await page.keyboard.press(key);
  await expect(page.getByRole("textbox", { name: "Ваш ответ" })).toHaveCount(0);
  expect(decided()).toEqual([]);

  await page.keyboard.press("j");
  await expect(article(1)).toBeFocused();
  await page.keyboard.press("n");
  await expect(article(2)).toBeFocused();
  // What is typed into a draft is there when one comes back to it.
  await page.keyboard.press("e");
  await page.keyboard.type("Иначе. ");
  await rowOf(1).click();
  await expect(article(1)).toBeFocused();
  await rowOf(2).click();
  await expect(article(2).getByRole("textbox", { name: "Ваш ответ" })).toHaveValue(/Иначе\. /);
  await article(2).getByRole("button", { name: "Отмена" }).click();
  await article(2).focus();
  await page.keyboard.press("k");
  await expect(article(1)).toBeFocused();
  await page.keyboard.press("r");
  await expect(article(2)).toBeFocused();
  await page.keyboard.press("a");
  await expect(article(3)).toBeFocused();
  expect(decided()).toEqual([`POST /api/approvals/${first.id}/reject`, `POST /api/approvals/${second.id}/approve`]);
  await page.keyboard.press("e");
  const editor = article(3).getByRole("textbox", { name: "Ваш ответ" });
  await expect(editor).toBeFocused();
  // In the field a letter is a letter.
  await page.keyboard.type("ar");
  await expect(editor).toHaveValue(/ar/);
  expect(decided()).toHaveLength(2);
  await expectAccessible(page, "drafts by keys");
});
