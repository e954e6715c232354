// /account: how the person is called, how the product looks, and notifications in a browser whose page is closed.
import { expectAccessibleCrosswise } from "../support/accessibility.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectTouchTargets } from "../support/touch-targets.ts";
import { card, openAccount, withPushService } from "./notifications-parts.ts";

// A permission and a service worker cannot be taken back.
test.use({ ownContext: true });

test("a browser is enabled, is notified while none of its pages is visible, and is disabled", async ({ page }) => {
  await withPushService(page);
  await openAccount(page);
  const notifications = card(page, "Уведомления");
  await expectAccessibleCrosswise(page, "the person's own page");
  await notifications.getByRole("button", { name: "Включить в этом браузере" }).click();
  await expect(page.getByText("Уведомления включены", { exact: true })).toBeVisible();
  const browsers = notifications.getByRole("list", { name: "Браузеры с уведомлениями" }).getByRole("listitem");
  await expect(browsers).toHaveText([/Chrome, Linux Этот браузер/]);
  await expectTouchTargets(page, "the choice of what to be notified of");

  await page.route(/\/devices\/[\w-]+\/test$/, (route) => route.fulfill({ json: { success: true } }));
  await notifications.getByRole("button", { name: "Проверить" }).click();
  await expect(page.getByText("Пробное уведомление отправлено", { exact: true })).toBeVisible();

  // The worker handles what the push service would deliver.
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  const shown = await worker.evaluate(async () => {
    const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: unknown[] };
    scope.shown = [];
    scope.registration.showNotification = async (title, options) => void scope.shown.push({ title, ...options });
    const data = { title: "Ждёт одобрения 1 ответ", body: "…", url: "/conversations?tab=approval", tag: "drafts" };
    const event = new Event("push");
    Object.assign(event, { data: { json: () => data }, waitUntil: () => {} });
    globalThis.dispatchEvent(event);
    return scope.shown;
  });
  expect(shown).toMatchObject([
    { title: "Ждёт одобрения 1 ответ", tag: "drafts", data: { url: "/conversations?tab=approval" } },
  ]);

  const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await notifications.getByRole("checkbox", { name: "Канал остановился: в браузер" }).uncheck();
  await saved;
  // The start of the application registers the browser again; it is switched off before that has come to its end.
  const renewal = Promise.withResolvers<void>();
  await page.route(/\/notifications\/devices$/, async (route) => {
    await renewal.promise;
    await route.continue();
  });
  const renewing = page.waitForRequest((request) => request.method() === "POST" && /\/devices$/.test(request.url()));
  await page.reload();
  await renewing;
  await expect(notifications.getByRole("checkbox", { name: "Канал остановился: в браузер" })).not.toBeChecked();
  await expect(
    notifications.getByRole("checkbox", { name: "Ответ или действие ждёт решения: в браузер" }),
  ).toBeChecked();
  await expect(browsers).toHaveCount(1);
  await notifications.getByRole("button", { name: "Выключить здесь" }).click();
  renewal.resolve();
  await expect(browsers).toHaveCount(0);
  await expect(notifications.getByRole("button", { name: "Включить в этом браузере" })).toBeVisible();
});

test("a browser that forbids notifications says so in its own row, and offers nothing to tick", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
  await openAccount(page);
  const inBrowser = page.getByRole("region", { name: "В браузере" });
  await expect(inBrowser.getByRole("button")).toHaveCount(0);
  await expect(inBrowser).toContainText("запрещены в браузере");
  await expect(card(page, "Уведомления").getByRole("checkbox", { name: /в браузер/ })).toHaveCount(0);
});

test("the site can be kept on the home screen: its manifest names icons that are there", async ({ page }) => {
  await page.goto("/login");
  const path = await page.locator('link[rel="manifest"]').getAttribute("href");
  const answer = await page.request.get(path!);
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons, start_url, display } = await answer.json();
  expect({ start_url, display }).toEqual({ start_url: "/dashboard", display: "standalone" });
  for (const { src, type } of icons) {
    const icon = await page.request.get(src);
    expect([src, icon.status(), icon.headers()["content-type"]]).toEqual([src, 200, type]);
  }
});
