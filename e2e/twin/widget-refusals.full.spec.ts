// The chat on a site, where the server takes no more messages in: on a phone, against the real server.
// What widget-refusals.spec.ts leaves to test:full.
import { expect, test } from "../support/fixtures.ts";
import { linesOf, openChat } from "./widget-refusals-parts.ts";

// The chat on a site, where the server takes no more messages in: on a phone, against the real server.

// The browser itself reports the refusals that these tests are about.
test.use({ allowedConsoleErrors: [/status of 429|net::ERR_FAILED/] });

test("the refusal of a minute's last message is read below it, and a long talk keeps to its frame", async ({
  page,
}) => {
  const { say, visitor } = await openChat(page, 1000);
  const long = "Здравствуйте! Подскажите, пожалуйста, сколько стоит доставка и когда её ждать?";
  for (const answer of await Promise.all(Array.from({ length: 10 }, () => say(long, visitor)))) {
    expect(answer.status(), await answer.text()).toBe(200);
  }
  await expect(linesOf(page)).toHaveCount(11);
  await page.getByRole("textbox", { name: "Сообщение" }).fill("спасибо");
  await page.getByRole("button", { name: "Отправить" }).click();
  const alert = linesOf(page).last().getByRole("alert");
  await expect(alert).toHaveText("Не отправлено. Слишком много сообщений подряд. Подождите минуту.");
  await page.waitForResponse(/\/talk\?/);
  await expect(alert).toBeInViewport({ ratio: 1 });
  const sizes = await page.evaluate(() => {
    const log = document.querySelector("[role=log]") as HTMLElement;
    return { page: document.documentElement.scrollHeight, scrolls: log.scrollHeight > log.clientHeight };
  });
  expect(sizes).toEqual({ page: 844, scrolls: true });
  await expect(page.getByRole("button", { name: "Отправить" })).toBeInViewport({ ratio: 1 });
});
