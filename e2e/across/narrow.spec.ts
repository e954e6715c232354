// What long words of other programs and people do to a phone's screen.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildSource } from "../factories/knowledge.ts";
import { buildPlan, buildSubscription } from "../factories/organization.ts";
import { buildUser, user } from "../factories/people.ts";
import { buildTwin } from "../factories/twin.ts";
import { answering, frame, json } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { DESKTOP, PHONE } from "../support/viewports.ts";

test.beforeEach(({ page }) => page.setViewportSize(PHONE));

const long = "Корпоративныйпланссамымдлиннымназваниемкотороеможнозадатьздесь";
const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test("a plan's name of sixty letters stays on the screen", async ({ page }) => {
  const plan = buildPlan("long", { name: long });
  await answering(page, {
    [`GET /api/organizations/${user.organizationId}/subscription`]: json(buildSubscription({ plan, since: null })),
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
    "GET /api/digital-twins": json([buildTwin(1)]),
    "GET /api/knowledge-base/sources": json([
      buildSource(5, { platform: long, kind: "export", digitalTwinId: uuid(1), lastImport: "не дата" }),
    ]),
  });
  await page.goto("/knowledge");
  await expect(page.getByText(long)).toBeVisible();
  expect(await widthOf(page)).toBeLessThanOrEqual(390);
  const box = (await page.getByText(long).boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(390);
});

test("the landing's brand stands in one line beside the way in, also for who is signed in; its menus are at the foot", async ({
  page,
}) => {
  const wayIn = (name: string) => page.getByRole("banner").getByRole("link", { name });
  for (const name of ["Войти", "Панель управления"]) {
    if (name !== "Войти") await answering(page, {});
    await page.goto("/landing");
    await expect(wayIn(name)).toBeVisible();
    const brand = page.getByRole("link", { name: /о продукте/ });
    expect(await brand.evaluate((link) => link.scrollWidth - link.clientWidth)).toBeLessThanOrEqual(0);
    const box = (await brand.boundingBox())!;
    expect(box.height).toBeLessThanOrEqual(44);
    expect(box.x + box.width).toBeLessThanOrEqual((await wayIn(name).boundingBox())!.x);
    await expect(page.getByRole("contentinfo").getByRole("button", { name: /Язык|Language/ })).toBeVisible();
  }
});

test("a user with an unconfirmed address loses one line to the notice, and reads the rest on request", async ({
  page,
}) => {
  const unconfirmed = buildUser({ email: "anna.konstantinova@chayniki.example", emailConfirmed: false });
  await answering(page, { ...frame, "GET /api/auth/verify": json({ user: unconfirmed }) });
  await page.goto("/twins");
  const banner = page.getByRole("region", { name: "Подтверждение email" });
  await expect(banner).toContainText("Подтвердите email.");
  expect((await banner.boundingBox())!.height).toBeLessThanOrEqual(60);
  const again = banner.getByRole("button", { name: "Отправить письмо ещё раз" });
  await expect(again).toBeHidden();
  await banner.getByRole("button", { name: "Подробнее" }).press("Enter");
  await expect(again).toBeVisible();
  const words = banner.getByText("До этого нельзя");
  expect(await words.evaluate((text) => text.scrollWidth - text.clientWidth)).toBeLessThanOrEqual(0);
  await banner.getByRole("button", { name: "Свернуть" }).click();
  await expect(again).toBeHidden();
  await page.setViewportSize(DESKTOP);
  await expect(again).toBeVisible();
  expect((await banner.boundingBox())!.height).toBeLessThanOrEqual(60);
});
