// /twin-access/{id}: keys for programs, webhooks and the chat on a site, against the real server.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expectAccessible, expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { keyboardOf } from "../support/keyboard.ts";
import { asOwner } from "../support/owner.ts";

/** A page of another origin, like a customer's site. */
async function siteWith(script: () => string): Promise<{ url: string; close: () => void }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-security-policy", "style-src 'self'");
    response.end(
      `<!doctype html><html lang="ru"><title>Магазин</title><main><h1>Магазин</h1><a href="#">Каталог</a></main>${script()}</html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test.describe("the chat on a site", () => {
  // Chromium says so when a page that is not named shows the frame.
  test.use({ allowedConsoleErrors: [/frame-ancestors|Refused to frame|Framing/] });

  test("is set up, stands on the named site alone, answers by keyboard, and says when a person answers", async ({
    page,
    browser,
    server,
  }) => {
    const { id, headers, get, post } = await asOwner(page, { name: "Анна" });
    const text = "Доставка по Москве занимает один день и стоит 350 рублей. Возврат возможен в течение 14 дней.";
    const data = { digitalTwinId: id, name: "Доставка", content: text, type: "faq", tags: [] };
    await post("/api/knowledge/upload", data);
    const code = (widget: string) => `<script src="${server.url}/widget.js" data-twin="${widget}" async></script>`;
    let widget = "";
    const site = await siteWith(() => code(widget));

    await page.goto(`/twin-access/${id}?tab=widget`);
    await page.getByLabel("Сайты, где стоит чат").fill(`магазин, ${site.url}`);
    await page.getByRole("button", { name: "Сохранить" }).click();
    await expect(page.getByText("Адрес сайта без пути, например https://shop.example.ru")).toBeVisible();
    await page.getByLabel("Сайты, где стоит чат").fill(site.url);
    await page.getByLabel("Заголовок").fill("Спросите магазин");
    await expect(page.getByRole("figure", { name: "Так выглядит чат" })).toContainText("Спросите магазин");
    await page.getByLabel("Как отвечает двойник").selectOption("auto");
    await page.getByRole("checkbox", { name: /Чат включён/ }).check();
    await page.getByRole("button", { name: "Сохранить" }).click();
    const tag = page.getByRole("region", { name: "Строка кода" });
    await expect(tag).toContainText("data-twin");
    await expectAccessibleCrosswise(page, "the chat's settings");
    widget = /data-twin="([^"]+)"/.exec((await tag.textContent()) ?? "")![1]!;

    const visitors = await browser.newContext({ viewport: { width: 320, height: 640 }, reducedMotion: "reduce" });
    const visit = await visitors.newPage();
    await visit.goto(site.url);
    const { follow, press } = keyboardOf(visit);
    await follow(visit.getByRole("button", { name: "Спросите магазин" }));
    const chat = visit.frameLocator("#twin-chat-frame");
    await expect(chat.getByRole("dialog", { name: "Спросите магазин" })).toBeVisible();
    await expect(chat.getByRole("textbox", { name: "Сообщение" })).toBeFocused();
    await visit.keyboard.type("Сколько стоит доставка по Москве?");
    await press("Enter");
    const lines = chat.getByRole("log").getByRole("listitem");
    await expect(lines.last()).toContainText("350 рублей");
    await expect(lines.last()).toContainText("Отвечает ИИ-помощник");
    expect(await visit.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

    const talks = await get("/api/conversations?platform=web");
    await page.request.post(`/api/conversations/${talks[0].id}/pause`, { headers });
    // While the answer is still being written nothing else is sent.
    await expect(chat.getByRole("button", { name: "Отправить" })).toBeEnabled();
    await visit.keyboard.type("А возврат?");
    await press("Enter");
    // Taken in by the server: what is only being sent is marked as such.
    await expect(lines.last()).toContainText("А возврат?");
    await expect(chat.locator(".visitor[data-waiting]")).toHaveCount(0);
    await expect(chat.getByRole("status")).toHaveText("Передали сотруднику");
    for (let tabs = 0; tabs < 5; tabs++) await press("Tab");
    await expect(visit.locator("#twin-chat-frame")).toBeFocused();
    await press("Escape");
    await expect(visit.getByRole("button", { name: "Спросите магазин" })).toBeFocused();
    await visit.reload();
    await visit.getByRole("button", { name: "Спросите магазин" }).click();
    await expect(chat.getByText("А возврат?")).toBeVisible();
    const alone = await visitors.newPage();
    for (const colorScheme of ["light", "dark"] as const) {
      await alone.emulateMedia({ colorScheme });
      await alone.goto(`${server.url}/widget/${widget}`);
      await expect(alone.getByText("А возврат?")).toBeVisible();
      await expectAccessible(alone, `the frame, ${colorScheme}`);
    }

    const elsewhere = await siteWith(() => code(widget));
    await visit.goto(elsewhere.url);
    await expect(visit.locator("#twin-chat-frame")).toBeAttached();
    await expect.poll(() => visit.frames().at(-1)?.url()).toMatch(/^chrome-error:/);
    await expect(visit.getByRole("button", { name: "Спросите магазин" })).toHaveCount(0);
    await visitors.close();
    site.close();
    elsewhere.close();
  });
});
