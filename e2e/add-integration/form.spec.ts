// Section 2, Add integration; sections 3, 5, 7 and 8 for its fields and what it sends.
import type { Page } from "@playwright/test";
import { uuid } from "../factories/ids.ts";
import { buildIntegration } from "../factories/integration.ts";
import { buildTwin } from "../factories/twin.ts";
import { expectAccessibleCrosswise, expectFitsNarrowPhone } from "../support/accessibility.ts";
import { cut, hangs, json, plain } from "../support/answers.ts";
import { choosePlatform as choose, platformGroup, platformRadio, takeWay } from "../support/choose-platform.ts";
import { expect, test } from "../support/fixtures.ts";
import { button, heading, one, options, specify, text, texts } from "../support/specify.ts";
import { toast } from "../support/toast.ts";
import { DESKTOP } from "../support/viewports.ts";

test.use({ allowedConsoleErrors: [/Failed to load resource/] });

const form = (page: Page) => page.locator("main form");

/** The fields that a platform has: labels in order, without the choices before them and what is folded away. */
const shownFields = (page: Page) => form(page).locator("label:not(details label, :has(input[type=radio]))");
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

const guide = (page: Page) => page.getByRole("region", { name: "Платформы и инструкции" });

specify("2. Add integration (/add-integration)", {
  at: "/add-integration",
  inSight: true,
  answers: { "GET /api/digital-twins": json([buildTwin(1), buildTwin(2)]) },
  calls: ["GET /api/digital-twins"],
  shows: [
    heading("Добавить интеграцию"),
    options("Цифровой двойник", ["Выберите двойника", "Двойник 1", "Двойник 2"]),
    texts("the platforms", (page) => platformGroup(page).locator("label"), [
      /^Telegram/,
      /^WhatsApp/,
      /^Email/,
      /^Slack/,
      /^Discord/,
      /^MAX/,
      /^ВКонтакте/,
    ]),
    button("Создать интеграцию", { disabled: true }),
    heading("Платформы и инструкции"),
    ...["Telegram", "WhatsApp", "Email", "Slack", "Discord"].map((name) =>
      one(`the panel lists ${name}`, (page) => guide(page).getByText(new RegExp(`^${name} `))),
    ),
    one("instructions from the start", (page) => guide(page).getByText("Выберите двойника и платформу.")),
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
          await expect.soft(shownFields(page), platform).toHaveText(["Цифровой двойник", ...fields]);
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
      name: "a platform is chosen before any field is seen, stays marked among the others, and its steps lead to where the keys are given out",
      does: async (page) => {
        const platforms = platformGroup(page);
        await page.reload();
        await expect(platformRadio(page, "telegram")).not.toBeChecked();
        // The panel stands beside the form at a desk.
        const [panel, card] = [await guide(page).boundingBox(), await platforms.boundingBox()];
        expect.soft(panel!.x).toBeGreaterThanOrEqual(card!.x + card!.width);
        expect.soft(panel!.y).toBeLessThan(card!.y + card!.height);
        // No steps of a platform that is not chosen.
        await expect(guide(page).getByRole("heading", { level: 3 })).toHaveCount(0);
        await expect(platforms.getByRole("link", { name: "Чат на сайте" })).toHaveAttribute(
          "href",
          `/twin-access/${uuid(1)}?tab=widget`,
        );
        await platforms.getByText("Slack", { exact: true }).click();
        await form(page).getByLabel("API ключ", { exact: true }).fill("xoxb-secret");
        await expectAccessibleCrosswise(page, "/add-integration, a platform is chosen");
        // By the arrows of the keyboard too.
        await platformRadio(page, "slack").focus();
        await page.keyboard.press("ArrowLeft");
        await expect(platformRadio(page, "email")).toBeChecked();
        await choose(page, "slack");
        await expect(form(page).getByLabel("API ключ", { exact: true })).toHaveValue("");
      },
    },
    {
      name: "telegram's two ways stand with their fields; steps and warning are those of the chosen one",
      full: true,
      does: async (page) => {
        const ways = page.getByRole("group", { name: "Способ подключения" });
        const warning = page.getByText(/Telegram может ограничить аккаунт/);
        await page.setViewportSize(DESKTOP);
        await choose(page, "telegram");
        await expect(ways.getByRole("radio", { name: "Бот" })).toBeChecked();
        await expect(form(page).getByLabel("Bot Token", { exact: true })).toBeVisible();
        await expect(form(page).getByLabel("API ID", { exact: true })).toBeVisible();
        await expect(warning).toBeHidden();
        await expect(guide(page).getByRole("heading", { level: 3 })).toHaveText(["Telegram"]);
        await expect(guide(page).getByRole("link")).toHaveText(["Открыть @BotFather"]);
        await expect(guide(page).getByRole("link")).toHaveAttribute("href", "https://t.me/BotFather");
        // Typing into a field chooses its way.
        await form(page).getByLabel("API ID", { exact: true }).fill("1");
        await expect(ways.getByRole("radio", { name: "Личный аккаунт" })).toBeChecked();
        await form(page).getByLabel("API ID", { exact: true }).fill("");
        await expect(form(page).getByLabel("Bot Token", { exact: true })).toBeVisible();
        await expect(warning).toBeVisible();
        await expect(guide(page).getByRole("link")).toHaveText(["my.telegram.org"]);
        await expectAccessibleCrosswise(page, "/add-integration, a personal account of Telegram");
      },
    },
    {
      name: "a personal account says which of its own fields is empty, and a draft of it opens its way again",
      full: true,
      answers: { [CREATE]: json({}, 201) },
      does: async (page) => {
        await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
        await choose(page, "telegram");
        await takeWay(page, "Личный аккаунт");
        await form(page).getByLabel("API ID", { exact: true }).fill("123");
        await submit(page);
        await expect(form(page).getByRole("alert")).toHaveText(["Заполните это поле"]);
        await expect(form(page).getByLabel("API Hash", { exact: true })).toBeFocused();
        await page.reload();
        await expect(form(page).getByLabel("API ID", { exact: true })).toHaveValue("123");
        await takeWay(page, "Бот");
        await submit(page);
        await expect(form(page).getByRole("alert")).toHaveCount(1);
        await expect(form(page).getByLabel("Bot Token", { exact: true })).toBeFocused();
      },
    },
    {
      name: "a key is masked until it is shown; the form fits 320 px",
      here: true,
      does: async (page) => {
        await choose(page, "telegram");
        for (const [label, way] of [
          ["API Hash", "Личный аккаунт"],
          ["Bot Token", "Бот"],
        ] as const) {
          await takeWay(page, way);
          const key = page.getByLabel(label, { exact: true });
          await key.locator("..").getByRole("button", { name: "Показать введённое" }).click();
          await expect.soft(key).toHaveAttribute("type", "text");
        }
        await expectFitsNarrowPhone(page);
        await page.setViewportSize(DESKTOP);
      },
    },
    {
      name: "7. telegram's payload carries the success rate 0.95 and all that is filled in",
      answers: { [CREATE]: json({}, 201) },
      does: async (page) => {
        await fill(page, "telegram", {
          "API ID": "123",
          "API Hash": "hash",
          "Номер телефона": "+79001234567",
          "Bot Token": "1:token-of-a-bot-0123456789abcdefghij",
        });
      },
      sends: {
        call: CREATE,
        body: {
          digitalTwinId: uuid(1),
          platform: "telegram",
          apiKey: "1:token-of-a-bot-0123456789abcdefghij",
          ...nothing,
          apiId: "123",
          apiHash: "hash",
          phoneNumber: "+79001234567",
          settings: { ...settings, phone_number: "+79001234567", success_rate: 0.95 },
          status: "active",
        },
      },
      toast: ["Интеграция создана!"],
    },
    {
      name: "7. telegram's payload of a personal account",
      full: true,
      answers: { [CREATE]: json({}, 201) },
      does: async (page) => {
        await choose(page, "telegram");
        await takeWay(page, "Личный аккаунт");
        await fill(page, "telegram", { "API ID": "123", "API Hash": "hash", "Номер телефона": "+79001234567" });
      },
      sends: {
        call: CREATE,
        body: {
          digitalTwinId: uuid(1),
          platform: "telegram",
          apiKey: "userbot",
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
      full: true,
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
      name: "a token that is not written as the platform writes its tokens is warned of, and sent",
      answers: { [CREATE]: json({}, 201) },
      does: async (page) => {
        await choose(page, "telegram");
        await form(page).getByLabel("Bot Token", { exact: true }).fill("123456:cut-off");
        await expect(form(page).getByRole("status")).toHaveText(/Ключ бота — это число, двоеточие/);
        await choose(page, "slack");
        await form(page).getByLabel("API ключ", { exact: true }).fill("xoxp-1");
        await expect(form(page).getByRole("status")).toHaveText(/Ключ бота Slack начинается с xoxb-/);
        await page.getByLabel("Цифровой двойник").selectOption(uuid(1));
        await submit(page);
      },
      sends: { call: CREATE, body: { platform: "slack", apiKey: "xoxp-1" } },
      toast: ["Интеграция создана!"],
    },
    {
      name: "an integration that is made is a success, also while its platform is away",
      answers: { [CREATE]: json(buildIntegration(1, { trouble: "Discord недоступен" }), 201) },
      does: async (page) => {
        await fill(page, "discord", { "API ключ": "three.parts.token" });
        await expect(toast(page)).toContainText("Пока не подключена. Discord недоступен");
        await expect.soft(toast(page).locator("svg").first()).toHaveClass(/text-success-text/);
      },
      toast: ["Интеграция создана!"],
    },
    {
      name: "8. what is no sentence of the server's is its status and body",
      answers: { [CREATE]: plain(500, "boom") },
      does: (page) => fill(page, "email", { "API ключ": "key" }),
      toast: ["Ошибка создания интеграции", "500: boom"],
    },
    {
      name: "a network that is away is not the data's fault",
      full: true,
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
