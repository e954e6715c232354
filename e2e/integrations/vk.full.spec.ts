// A VK community is connected as a new owner would: the card, the drawn steps, the key, the community's name, its first message. MAX's steps are drawn too.
import type { Page } from "@playwright/test";
import { onOwnServer } from "../servers/demo-data.ts";
import { type Platforms, startPlatforms } from "../servers/platforms.ts";
import type { StartedServer } from "../servers/server.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { choosePlatform } from "../support/choose-platform.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";

/** A server of the test's own: the shared ones know no platforms. */
const test = base.extend<{ platforms: Platforms; own: StartedServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names from the pattern
  platforms: async ({}, use) => {
    const platforms = await startPlatforms();
    await use(platforms);
    await platforms.close();
  },
  own: ({ platforms }, use) => onOwnServer(platforms.environment, use),
  baseURL: ({ own }, use) => use(own.url),
});
test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const key = (page: Page) => page.getByLabel("Ключ доступа", { exact: true });
const submit = (page: Page) => page.getByRole("button", { name: "Создать интеграцию" }).click();
/** With SHOTS=FOLDER the pictures are kept there, to be looked at. */
async function shoot(page: Page, name: string) {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(300);
      await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.setViewportSize(DESKTOP);
}

test("by the drawn steps to a key; a key that lacks a right is refused in words, a right one connects the community live", async ({
  page,
  own,
  platforms,
}) => {
  test.slow();
  await asOwner(page, {}, own);
  await page.goto("/add-integration");
  await choosePlatform(page, "vk");
  const guide = page.getByRole("region", { name: "Платформы и инструкции" });
  await expect(guide.getByRole("listitem").getByRole("img", { name: /^Рисунок: / })).toHaveCount(6);
  await expect(guide.getByRole("link", { name: "Мои сообщества" })).toHaveAttribute(
    "href",
    "https://vk.com/groups?tab=admin",
  );
  await shoot(page, "vk-steps");
  await expectAccessibleCrosswise(page, "/add-integration, ВКонтакте");
  await expectFitsNarrowPhone(page);
  await page.setViewportSize(DESKTOP);

  await page.getByText("Дополнительно", { exact: true }).click();
  await expect(page.getByLabel("Прокси", { exact: true })).toBeVisible();
  await page.getByLabel("Цифровой двойник").selectOption("Анна Чайникова");
  await key(page).fill("vk1.a");
  await expect(
    page.getByRole("status").filter({ hasText: "Ключ доступа сообщества — одна длинная строка" }),
  ).toBeVisible();
  await key(page).fill("vk1.a.nomanage-of-community-501");
  await submit(page);
  await expectToast(page, "Ошибка создания интеграции", "Ключу не хватает прав");
  await page.getByRole("button", { name: "Закрыть уведомление" }).click();
  await key(page).fill("vk1.a.key-of-community-501");
  await submit(page);
  await expectToast(page, "Интеграция создана!");
  const live = page.getByRole("region", { name: "Подключение" });
  await expect(live.getByText("Сообщество «Чайная лавка 501» подключено")).toBeVisible();
  await expect(live.getByText("Напишите сообществу «Привет»")).toBeVisible();
  await page.getByRole("button", { name: "Закрыть уведомление" }).click();
  await shoot(page, "vk-connected");
  platforms.write("vk", "Здравствуйте! Сколько стоит доставка?");
  await expect(live.getByText("Иван Петров 45:")).toBeVisible({ timeout: 15_000 });
  await expectAccessibleCrosswise(page, "/add-integration, ВКонтакте подключено");
  await shoot(page, "vk-message");

  await page.goto("/integrations");
  await expect(page.getByRole("listitem").filter({ hasText: "Чайная лавка 501" }).first()).toContainText("ВКонтакте");
  await shoot(page, "vk-list");
});

test("MAX draws its steps too, says that its bot is seen after its moderation, and names the field for the token", async ({
  page,
  own,
}) => {
  await asOwner(page, {}, own);
  await page.goto("/add-integration");
  await choosePlatform(page, "max");
  const guide = page.getByRole("region", { name: "Платформы и инструкции" });
  await expect(guide.getByRole("listitem").getByRole("img", { name: /^Рисунок: / })).toHaveCount(3);
  await expect(guide).toContainText("Дождитесь модерации MAX");
  await expect(page.getByLabel("API ключ", { exact: true })).toBeVisible();
  await shoot(page, "max-steps");
  await expectAccessibleCrosswise(page, "/add-integration, MAX");
  await expectFitsNarrowPhone(page);
});
