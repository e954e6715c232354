// The chat on a site, where the server takes no more messages in: on a phone, against the real server.
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { linesOf, openChat } from "./widget-refusals-parts.ts";

// The chat on a site, where the server takes no more messages in: on a phone, against the real server.

// The browser itself reports the refusals that these tests are about.
test.use({ allowedConsoleErrors: [/status of 429|net::ERR_FAILED/] });

const again = { name: "Повторить" };

test("a message beyond an address's hour stands as not sent, with the reason, until it is sent again", async ({
  page,
}) => {
  const { save, say, kept } = await openChat(page, 100);
  for (const answer of await Promise.all(Array.from({ length: 10 }, () => say("Здравствуйте!")))) {
    expect(answer.status(), await answer.text()).toBe(200);
  }
  await page.getByRole("textbox", { name: "Сообщение" }).fill("Доставка бесплатная?");
  await page.getByRole("button", { name: "Отправить" }).click();
  const alert = linesOf(page).last().getByRole("alert");
  const reason = "С вашего адреса пришло очень много сообщений. Напишите, пожалуйста, через час.";
  await expect(alert).toHaveText(`Не отправлено. ${reason}`);
  // Also after the page has asked for news, and nothing claims that the owner has it.
  await page.waitForResponse(/\/talk\?/);
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("status")).toHaveText("");
  expect(await kept()).toEqual([]);
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `a message that was not sent, ${colorScheme}`);
  }

  await save(1000);
  await keyboardOf(page).follow(page.getByRole("button", again));
  await expect.poll(kept).toEqual(["Доставка бесплатная?"]);
  await expect(page.getByRole("button", again)).toHaveCount(0);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(linesOf(page)).toHaveCount(2);
  await expect(page.getByRole("status")).toHaveText("Передали сотруднику");
});

test("without a connection a message stands as not sent, and sent again it arrives once", async ({ page }) => {
  const { kept } = await openChat(page, 1000);
  await page.route(/\/messages$/, (route) => route.abort());
  await page.getByRole("textbox", { name: "Сообщение" }).fill("Есть кто?");
  await page.getByRole("textbox", { name: "Сообщение" }).press("Enter");
  await expect(linesOf(page).last().getByRole("alert")).toHaveText("Не отправлено. Нет связи.");
  expect(await kept()).toEqual([]);
  await page.unroute(/\/messages$/);
  await page.getByRole("button", again).click();
  await expect.poll(kept).toEqual(["Есть кто?"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("an answer of several messages stands as several lines, another one as one", async ({ page }) => {
  const line = { from: "twin", at: new Date().toISOString() };
  const lines = [
    { ...line, id: 1, text: "Да, возим.\n\nКуда вам?", parted: true },
    { ...line, id: 2, text: "Или заберёте сами?\n\nМы до восьми." },
  ];
  await page.route(/\/talk\?/, (route) => route.fulfill({ json: { lines, human: false } }));
  await openChat(page, 1000);
  await expect(linesOf(page).filter({ hasText: "Да, возим." })).not.toContainText("Куда вам?");
  await expect(linesOf(page).filter({ hasText: "Куда вам?" })).toHaveCount(1);
  await expect(linesOf(page).filter({ hasText: "Или заберёте сами?" })).toContainText("Мы до восьми.");
});
