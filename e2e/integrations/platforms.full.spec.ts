// Each platform is connected by the form, on a real server and local platforms: a message comes in, its draft is approved and delivered.
import { onOwnServer } from "../servers/demo-data.ts";
import { type Platforms, startPlatforms } from "../servers/platforms.ts";
import type { StartedServer } from "../servers/server.ts";
import { choosePlatform } from "../support/choose-platform.ts";
import { test as base, expect } from "../support/fixtures.ts";
import { asOwner } from "../support/owner.ts";
import { expectToast } from "../support/toast.ts";

// Each platform is connected by the form, on a real server and local platforms: a message comes in, its draft is approved and delivered.

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

interface Case {
  fields: Record<string, string>;
  /** How its integration is named on the list. */
  account: string;
  contact?: string;
}
/** WhatsApp delivers to servers with an address on the internet alone. */
const CASES: Record<string, Case> = {
  slack: {
    fields: { "API ключ": "xoxb-1", "App-Level Token": "xapp-1" },
    account: "@twin (Команда)",
    contact: "Иван Петров",
  },
  max: { fields: { "API ключ": "max-7-token-of-a-bot-0123456789" }, account: "@shop7_bot", contact: "Иван" },
  discord: { fields: { "API ключ": "good.form.key" }, account: "twin_bot", contact: "Иван" },
  vk: {
    fields: { "Ключ доступа": "vk1.a.key-of-community-501" },
    account: "Чайная лавка 501",
    contact: "Иван Петров 45",
  },
  email: {
    fields: { "API ключ": "app password", "Адрес ящика": "anna@mail.test" },
    account: "anna@mail.test",
    contact: "Ivan",
  },
  whatsapp: {
    fields: { "API ключ": "EAA-15", "Номер телефона": "8 (999) 000-00-15", "App Secret": "secret" },
    account: "Только отправка: WhatsApp доставляет сообщения лишь серверу с адресом https",
  },
};

test("by the form: connected, a draft, approved, delivered", async ({ page, own, platforms }) => {
  test.slow();
  await asOwner(page, {}, own);
  const cases = Object.entries(CASES).filter(([platform]) => platform !== "email" || platforms.hasMail);
  await page.goto("/add-integration");
  for (const [platform, { fields, contact }] of cases) {
    await page.getByLabel("Цифровой двойник").selectOption("Анна Чайникова");
    await choosePlatform(page, platform);
    const more = page.getByText("Дополнительно");
    for (const [label, value] of Object.entries(fields)) {
      const field = page.getByLabel(label, { exact: true });
      if (!(await field.isVisible())) await more.click();
      await field.fill(value);
    }
    await page.getByRole("button", { name: "Создать интеграцию" }).click();
    await expectToast(page, "Интеграция создана!", "Двойник пока только готовит черновики");
    await page.getByRole("button", { name: "Закрыть уведомление" }).click();
    if (platform === "max") {
      await expect(page.getByText("Бот @shop7_bot подключён")).toBeVisible();
      await expect(page.getByRole("link", { name: "Открыть @shop7_bot" })).toHaveAttribute(
        "href",
        "https://max.ru/shop7_bot",
      );
    }
    if (contact !== undefined) platforms.write(platform, `Сколько стоит доставка? Это ${platform}.`);
  }
  await page.goto("/integrations");
  for (const [, { account }] of cases) {
    await expect(page.getByRole("listitem").filter({ hasText: account }).first()).toContainText("Активна");
  }

  await page.goto("/conversations?tab=approval");
  const queue = page.getByRole("list", { name: "Ответы, которые ждут решения" });
  for (const [platform, { contact }] of cases.filter(([, one]) => one.contact !== undefined)) {
    // Namesakes write on several platforms.
    const row = page
      .getByRole("navigation", { name: "Очередь ответов" })
      .getByRole("button")
      .filter({ hasText: `Сколько стоит доставка? Это ${platform}.` });
    const card = queue
      .getByRole("article", { name: contact!, exact: true })
      .filter({ hasText: `Сколько стоит доставка? Это ${platform}.` });
    // The last one stands there alone.
    await expect(row.or(card).first()).toBeVisible();
    if (await row.isVisible()) await row.click();
    await expect(card).toBeVisible();
    await card.getByRole("button", { name: "Изменить" }).click();
    await card.getByRole("textbox", { name: "Ваш ответ" }).fill(`300 rub, ${platform}`);
    await card.getByRole("button", { name: "Отправить" }).click();
    await expect.poll(async () => (await platforms.delivered())[platform]).toHaveLength(1);
    expect((await platforms.delivered())[platform]![0]).toContain(`300 rub, ${platform}`);
  }
});
