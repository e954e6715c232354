// The chat on a site, where the server takes no more messages in: on a phone, against the real server.
import { randomBytes, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asOwner } from "../support/owner.ts";

// The chat on a site, where the server takes no more messages in: on a phone, against the real server.

// The browser itself reports the refusals that these tests are about.
test.use({ allowedConsoleErrors: [/status of 429|net::ERR_FAILED/] });

/** A chat whose twin is paused: what comes in waits for a person. */
async function openChat(page: Page, dailyMessages: number) {
  const { id: twinId, put } = await asOwner(page, { name: "Анна" });
  await put(`/api/digital-twins/${twinId}`, { isActive: false });
  const save = async (dailyMessages: number): Promise<string> => {
    const look = { title: "Спросите магазин", greeting: "Здравствуйте!", color: "#0f5f63" };
    const data = { enabled: true, allowedSites: [], autonomy: "auto", dailyMessages, ...look };
    return (await put(`/api/digital-twins/${twinId}/widget`, data)).id;
  };
  const id = await save(dailyMessages);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/widget/${id}`);
  await expect(page.getByText("Здравствуйте!")).toBeVisible();
  const visitor = await page.evaluate((id) => localStorage.getItem(`visitor ${id}`) ?? "", id);
  const say = (text: string, visitor = randomBytes(32).toString("base64url")) =>
    page.request.post(`/widget/${id}/messages`, {
      headers: { "x-visitor": visitor },
      data: { id: randomUUID(), text },
    });
  const kept = async (): Promise<string[]> => {
    const talk = await page.request.get(`/widget/${id}/talk`, { headers: { "x-visitor": visitor } });
    return (await talk.json()).lines.map(({ text }: { text: string }) => text);
  };
  return { save, say, kept, visitor };
}

const linesOf = (page: Page) => page.getByRole("log").getByRole("listitem");
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
  // Also after the page has asked for news, and nothing claims that somebody has it.
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
