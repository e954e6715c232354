// What long words of other programs and people do to a phone's screen.
import type { Page } from "@playwright/test";
import { answering, json, twin, user, uuid } from "./answers.ts";
import { expect, test } from "./fixtures.ts";

test.beforeEach(({ page }) => page.setViewportSize({ width: 390, height: 844 }));

const long = "Корпоративныйпланссамымдлиннымназваниемкотороеможнозадатьздесь";
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test("a plan's name of sixty letters stays on the screen", async ({ page }) => {
  const plan = {
    id: "long",
    name: long,
    description: "Для всех",
    price: 4999,
    billingPeriod: "month",
    isActive: true,
    features: ["Всё"],
  };
  await answering(page, {
    [`GET /api/organizations/${user.organizationId}/subscription`]: json({
      plan,
      status: "active",
      since: null,
      pending: null,
    }),
    "GET /api/subscription-plans": json([plan]),
  });
  await page.goto("/org-admin");
  await expect(page.getByText(long)).toBeVisible();
  expect(await widthOf(page)).toBeLessThanOrEqual(390);
  const box = (await page.getByText(long).boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
});

test("a platform that nobody knows stays on the screen", async ({ page }) => {
  await answering(page, {
    "GET /api/digital-twins": json([twin(1)]),
    "GET /api/knowledge-base/sources": json([
      {
        id: uuid(5),
        name: "Источник",
        platform: long,
        kind: "export",
        status: "active",
        digitalTwinId: uuid(1),
        digitalTwinName: "Анна",
        messagesCount: 3,
        lastImport: "не дата",
      },
    ]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText(long)).toBeVisible();
  expect(await widthOf(page)).toBeLessThanOrEqual(390);
  const box = (await page.getByText(long).boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
});

test("the landing's language does not stand on its brand, also for who is signed in", async ({ page }) => {
  await answering(page, {});
  await page.goto("/landing");
  await expect(page.getByRole("link", { name: "Панель управления" })).toBeVisible();
  const brand = (await page.getByRole("link", { name: /о продукте/ }).boundingBox())!;
  const inside = await page
    .getByRole("link", { name: /о продукте/ })
    .evaluate((link) => link.scrollWidth - link.clientWidth);
  expect(inside).toBeLessThanOrEqual(0);
  const language = (await page.getByRole("button", { name: /Язык|Language/ }).boundingBox())!;
  expect(brand.x + brand.width).toBeLessThanOrEqual(language.x + 1);
  await page.screenshot({ path: "/tmp/budgets-landing.png", clip: { x: 0, y: 0, width: 390, height: 120 } });
});
