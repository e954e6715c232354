// Section 2, Add integration; sections 3, 5, 7 and 8 for its fields and what it sends.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectFitsNarrowPhone } from "../support/accessibility.ts";
import { cut, hangs, json, plain } from "../support/answers.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, heading, one, options, specify, text } from "../support/specify.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const form = (page: Page) => page.locator("main form");

/** The fields that a platform shows: labels in order, without the two selects and what is folded away. */
const shownFields = (page: Page) => form(page).locator("label:not(details label)");
const choose = (page: Page, platform: string) => page.getByLabel("Платформа", { exact: true }).selectOption(platform);
const submit = (page: Page) => page.getByRole("button", { name: "Создать интеграцию" }).click();
const CREATE = "POST /api/integrations/create";

async function fill(page: Page, platform: string, values: Record<string, string>) {
  await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
  await choose(page, platform);
  for (const [label, value] of Object.entries(values)) {
    await form(page).getByLabel(label, { exact: true }).fill(value);
  }
  await submit(page);
}

const nothing = { apiId: null, apiHash: null, phoneNumber: null };
const settings = { phone_number: null, webhook_url: null };

specify("2. Add integration (/add-integration)", {
  at: "/add-integration",
  answers: { "GET /api/digital-twins": json([buildTwin(1), buildTwin(2)]) },
  calls: ["GET /api/digital-twins"],
  shows: [
    heading("Добавить интеграцию"),
    options("Цифровой двойник", ["Выберите двойника", "Двойник 1", "Двойник 2"]),
    options("Платформа", [
      "Выберите платформу",
      "Telegram",
      "WhatsApp",
      "Email",
      "Slack",
      "Discord",
      "MAX",
      "ВКонтакте",
    ]),
    button("Создать интеграцию", { disabled: true }),
    heading("Платформы и инструкции"),
    text(/Все API ключи хранятся в зашифрованном виде/),
  ],
  acts: [
    {
      name: "the fields that each platform shows; keys are masked",
      does: async (page) => {
        const all = ["API ID", "API Hash", "Номер телефона", "Bot Token", "API ключ", "Webhook URL", "Ключ доступа"];
        for (const [platform, fields, masked] of [
          ["telegram", ["Bot Token", "API ID", "API Hash", "Номер телефона"], ["API Hash", "Bot Token"]],
          ["whatsapp", ["API ключ", "Номер телефона"], ["API ключ"]],
          ["email", ["API ключ"], ["API ключ"]],
          ["slack", ["API ключ", "Webhook URL"], ["API ключ"]],
          ["discord", ["API ключ"], ["API ключ"]],
          ["max", ["API ключ"], ["API ключ"]],
          ["vk", ["Ключ доступа"], ["Ключ доступа"]],
        ] as const) {
          await choose(page, platform);
          await expect.soft(shownFields(page), platform).toHaveText(["Цифровой двойник", "Платформа", ...fields]);
          for (const label of all) {
            const isThere = fields.some((name) => name === label);
            await expect
              .soft(page.getByLabel(label, { exact: true }), `${platform}: ${label}`)
              .toHaveCount(isThere ? 1 : 0);
          }
          for (const label of fields) {
            const type = await form(page).getByLabel(label, { exact: true }).getAttribute("type");
            const isMasked = masked.some((name) => name === label);
            expect.soft(type === "password", `${platform}: ${label}`).toBe(isMasked);
          }
          await expect.soft(form(page).getByRole("button", { name: "Создать интеграцию" })).toBeEnabled();
        }
        await choose(page, "telegram");
      },
      shows: [text(/Поддерживает Bot API или Userbot/)],
    },
    {
      name: "a card chooses the platform before any field is seen, and its steps lead to where the keys are given out",
      does: async (page) => {
        const cards = page.getByRole("list", { name: "Каналы" });
        const card = (name: string) => cards.getByRole("button", { name });
        const others = page.getByRole("button", { name: "Все каналы" });
        const guide = page.getByRole("region", { name: "Платформы и инструкции" });
        if (await others.isVisible()) await others.click();
        // Under its field, so that the platform is chosen in one place.
        await expect(form(page).getByRole("list", { name: "Каналы" })).toBeVisible();
        // No manual before a choice, and none of a platform that is not chosen.
        await expect(guide.getByRole("listitem")).toHaveCount(0);
        await expect(guide).toContainText("Выберите платформу");
        await expect(cards.getByRole("link", { name: "Чат на сайте" })).toHaveAttribute(
          "href",
          `/twin-access/${uuid(1)}?tab=widget`,
        );
        await card("Slack").click();
        await expect(page.getByLabel("Платформа", { exact: true })).toHaveValue("slack");
        await expect(cards).toHaveCount(0);
        await form(page).getByLabel("API ключ", { exact: true }).fill("xoxb-secret");
        await others.click();
        await card("Telegram").click();
        await expect(shownFields(page)).toContainText(["Цифровой двойник", "Платформа", "Bot Token"]);
        await expect(guide.getByRole("heading", { level: 3 })).toHaveText(["Telegram"]);
        await expect(guide.getByRole("link", { name: "Открыть @BotFather" })).toHaveAttribute(
          "href",
          "https://t.me/BotFather",
        );
        await others.click();
        await card("Slack").click();
        await expect(form(page).getByLabel("API ключ", { exact: true })).toHaveValue("");
        await others.click();
        await card("Telegram").click();
      },
    },
    {
      name: "a key is masked until it is shown; the form fits 320 px",
      here: true,
      does: async (page) => {
        for (const label of ["API Hash", "Bot Token"]) {
          const key = page.getByLabel(label, { exact: true });
          await key.locator("..").getByRole("button", { name: "Показать введённое" }).click();
          await expect.soft(key).toHaveAttribute("type", "text");
        }
        await expectFitsNarrowPhone(page);
        await page.setViewportSize({ width: 1440, height: 900 });
      },
    },
    {
      name: "7. telegram's payload carries the success rate 0.95",
      answers: { [CREATE]: json({}, 201) },
      does: (page) =>
        fill(page, "telegram", {
          "API ID": "123",
          "API Hash": "hash",
          "Номер телефона": "+79001234567",
          "Bot Token": "1:token-of-a-bot-0123456789abcdefghij",
        }),
      sends: {
        call: CREATE,
        body: {
          digitalTwinId: uuid(1),
          platform: "telegram",
          apiKey: "1:token-of-a-bot-0123456789abcdefghij",
          apiId: "123",
          apiHash: "hash",
          phoneNumber: "+79001234567",
          settings: { phone_number: "+79001234567", webhook_url: null, success_rate: 0.95 },
          status: "active",
        },
      },
      toast: ["Интеграция создана!"],
    },
    {
      name: "7. the optional fields may stay empty",
      answers: { [CREATE]: json({}, 201) },
      does: (page) => fill(page, "discord", { "API ключ": "three.parts.token" }),
      sends: {
        call: CREATE,
        body: {
          digitalTwinId: uuid(1),
          platform: "discord",
          apiKey: "three.parts.token",
          ...nothing,
          settings,
          status: "active",
        },
      },
      toast: ["Интеграция создана!"],
    },
    {
      name: "a secret that was typed for one platform is not there for another",
      does: async (page) => {
        await choose(page, "telegram");
        await form(page).getByLabel("Bot Token", { exact: true }).fill("1:secret-of-telegram");
        await choose(page, "discord");
        await expect(form(page).getByLabel("API ключ", { exact: true })).toHaveValue("");
        await choose(page, "telegram");
        await expect(form(page).getByLabel("Bot Token", { exact: true })).toHaveValue("");
      },
    },
    {
      name: "a token that is not written as the platform writes its tokens is told before it is sent",
      does: async (page) => {
        await fill(page, "telegram", { "Bot Token": "123456:cut-off" });
        await expect(form(page).getByText(/Токен бота — это число, двоеточие/)).toBeVisible();
        await choose(page, "slack");
        await form(page).getByLabel("API ключ", { exact: true }).fill("xoxp-1");
        await submit(page);
        await expect(form(page).getByText(/Токен бота Slack начинается с xoxb-/)).toBeVisible();
      },
    },
    {
      name: "8. what is no sentence of the server's is its status and body",
      answers: { [CREATE]: plain(500, "boom") },
      does: (page) => fill(page, "email", { "API ключ": "key" }),
      toast: ["Ошибка создания интеграции", "500: boom"],
    },
    {
      name: "a network that is away is not the data's fault",
      answers: { [CREATE]: cut },
      does: (page) => fill(page, "email", { "API ключ": "key" }),
      toast: ["Ошибка создания интеграции", "Проверьте подключение к интернету"],
    },
    {
      name: "busy",
      here: true,
      answers: { [CREATE]: hangs },
      does: (page) => fill(page, "email", { "API ключ": "key" }),
      shows: [one("busy", (page) => form(page).locator("button[type=submit]"), { "aria-busy": "true" })],
    },
  ],
});
