/** What the owner reads of a platform's refusal, and whether the answer is sent again: of each platform, each kind of refusal. */
import { DiscordAPIError, RateLimitError } from "@discordjs/rest";
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { GrammyError, HttpError } from "grammy";
import { describe, expect, test } from "vitest";
import { ChannelTrouble } from "#server/inbox/channel-protocol/channel.ts";
import * as discord from "./discord/errors.ts";
import { MaxRefusal, MaxSilence } from "./max/api.ts";
import * as max from "./max/errors.ts";
import * as slack from "./slack/errors.ts";
import * as telegram from "./telegram/errors.ts";
import { VkRefusal } from "./vk/api.ts";
import * as vk from "./vk/errors.ts";
import { whatsappFailure } from "./whatsapp/errors.ts";

const codeOf = (code: string) => Object.assign(new Error("https://host/token"), { code });
/** Nothing has left this machine. */
const UNSENT = codeOf("ECONNREFUSED");
const RESET = codeOf("ECONNRESET");

const ofMax = (status: number, afterMs: number | null = null) => new MaxRefusal(status, "code", afterMs);
const ofTelegram = (error_code: number, parameters: object = {}) =>
  new GrammyError("refused", { ok: false, error_code, description: "refused", parameters }, "sendMessage", {});
const ofDiscord = (status: number, code: number) =>
  new DiscordAPIError({ code, message: "refused" }, code, status, "POST", "https://host/token", {
    files: [],
    body: {},
  });
const discordLimit = new RateLimitError({
  ...{ timeToReset: 1, limit: 1, method: "POST", hash: "h", url: "u", route: "r", majorParameter: "m" },
  ...{ global: false, retryAfter: 700, sublimitTimeout: 0, scope: "user" },
});
const ofSlack = (error: string) => new WebAPIPlatformError({ ok: false, error });

type Found = { kind: string; message: string; afterMs?: number | null };
const SEND: Record<string, (error: unknown) => unknown> = {
  MAX: max.sendFailure,
  VK: vk.sendFailure,
  Discord: discord.sendFailure,
  Slack: slack.sendFailure,
  Telegram: telegram.sendFailure,
};
const RECEIVE: Record<string, (error: unknown) => never> = {
  MAX: max.rethrowTrouble,
  VK: vk.rethrowTrouble,
  Discord: discord.rethrowTrouble,
  Slack: slack.rethrowTrouble,
  Telegram: telegram.rethrowTrouble,
};

describe("an answer", () => {
  test.each<[string, unknown, string, string, number?]>([
    ["MAX", ofMax(429), "retry", "MAX просит подождать", 2000],
    ["MAX", ofMax(429, 9000), "retry", "MAX просит подождать", 9000],
    ["MAX", ofMax(401), "auth", "MAX не принимает ключ бота"],
    ["MAX", ofMax(403), "blocked", "Собеседник остановил бота"],
    ["MAX", ofMax(404), "blocked", "Такого диалога в MAX больше нет"],
    ["MAX", ofMax(400), "invalid", "MAX не принял сообщение"],
    ["MAX", ofMax(502), "unknown", "дошло ли сообщение, неизвестно"],
    ["MAX", new MaxSilence(UNSENT, true), "retry", "MAX недоступен", 5000],
    ["MAX", new MaxSilence(codeOf("SELF_SIGNED_CERT_IN_CHAIN"), true), "retry", "не доверяет сертификату MAX"],
    ["MAX", new MaxSilence(RESET, false), "unknown", "дошло ли сообщение, неизвестно"],
    ["VK", new VkRefusal(6), "retry", "ВКонтакте просит подождать", 1000],
    ["VK", new VkRefusal(14), "retry", "подтвердить, что пишет не программа"],
    ["VK", new VkRefusal(5), "auth", "ВКонтакте не принимает ключ"],
    ["VK", new VkRefusal(15), "auth", "Ключу не хватает прав"],
    ["VK", new VkRefusal(902), "blocked", "ограничил в настройках"],
    ["VK", new VkRefusal(914), "invalid", "оно слишком длинное"],
    ["VK", new VkRefusal(100), "invalid", "ВКонтакте не принял сообщение"],
    ["VK", new VkRefusal(10), "unknown", "дошло ли сообщение, неизвестно"],
    ["VK", new ChannelTrouble("auth", "Нет ключа"), "auth", "Нет ключа"],
    ["VK", new ChannelTrouble("away", "Подождите", 70), "retry", "Подождите", 70],
    ["VK", new ChannelTrouble("away", "Нет связи"), "retry", "Нет связи", 5000],
    ["VK", UNSENT, "retry", "ВКонтакте недоступен", 5000],
    ["Discord", discordLimit, "retry", "Discord просит подождать", 700],
    ["Discord", ofDiscord(401, 0), "auth", "Discord не принимает ключ бота"],
    ["Discord", ofDiscord(403, 50007), "blocked", "Собеседник не принимает сообщения бота"],
    ["Discord", ofDiscord(400, 50035), "invalid", "Discord не принял сообщение"],
    ["Discord", UNSENT, "retry", "Discord недоступен", 5000],
    ["Discord", RESET, "unknown", "дошло ли сообщение, неизвестно"],
    ["Slack", new WebAPIRateLimitedError(3), "retry", "Slack просит подождать", 3000],
    ["Slack", ofSlack("ratelimited"), "retry", "Slack просит подождать", 5000],
    ["Slack", ofSlack("token_revoked"), "auth", "Slack не принимает ключ бота"],
    ["Slack", ofSlack("missing_scope"), "auth", "Боту не хватает права"],
    ["Slack", ofSlack("is_archived"), "blocked", "Собеседнику в Slack больше нельзя написать"],
    ["Slack", ofSlack("msg_too_long"), "invalid", "Slack не принял сообщение"],
    ["Slack", ofSlack("internal_error"), "unknown", "дошло ли сообщение, неизвестно"],
    ["Slack", new WebAPIRequestError(UNSENT), "retry", "Slack недоступен", 5000],
    ["Slack", new WebAPIRequestError(RESET), "unknown", "дошло ли сообщение, неизвестно"],
    ["Telegram", ofTelegram(429, { retry_after: 7 }), "retry", "Telegram просит подождать", 7000],
    ["Telegram", ofTelegram(429), "retry", "Telegram просит подождать", 5000],
    ["Telegram", ofTelegram(401), "auth", "Telegram не принимает ключ бота"],
    ["Telegram", ofTelegram(403), "blocked", "Собеседник заблокировал бота"],
    ["Telegram", ofTelegram(400), "invalid", "Telegram не принял сообщение"],
    ["Telegram", ofTelegram(500), "unknown", "дошло ли сообщение, неизвестно"],
    ["Telegram", new HttpError("failed", UNSENT), "retry", "Telegram недоступен", 5000],
    ["Telegram", new HttpError("failed", RESET), "unknown", "дошло ли сообщение, неизвестно"],
  ])("to %s that meets %o: %s", (platform, error, kind, message, afterMs) => {
    const found = SEND[platform]!(error) as Found;
    expect(found).toMatchObject({ ok: false, kind, message: expect.stringContaining(message) });
    if (afterMs !== undefined) expect(found.afterMs).toBe(afterMs);
  });

  test.each<[number, number | null, string | null, string]>([
    [400, 131056, "retry", "писать этому собеседнику реже"],
    [400, 130429, "retry", "WhatsApp просит подождать"],
    [429, null, "retry", "WhatsApp просит подождать"],
    [400, 131047, "window_closed", "больше 24 часов"],
    [401, 190, "auth", "WhatsApp не принимает ключ"],
    [401, null, "auth", "WhatsApp не принимает ключ"],
    [403, 10, "auth", "У ключа нет права"],
    [400, 131031, "auth", "Meta заблокировала бизнес-аккаунт"],
    [400, 131050, "invalid", "Собеседник отказался от сообщений"],
    [400, 7, "invalid", "WhatsApp не принял сообщение"],
    [500, null, null, ""],
  ])("to WhatsApp that meets status %i with code %s: %s", (status, code, kind, message) => {
    const found = whatsappFailure(status, code);
    if (kind === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ ok: false, kind, message: expect.stringContaining(message) });
  });
});

describe("a connection", () => {
  const known = new ChannelTrouble("conflict", "Другая программа");
  test.each<[string, unknown, string, string, number?]>([
    ["MAX", ofMax(401), "auth", "MAX не принимает ключ бота"],
    ["MAX", ofMax(429, 9000), "away", "MAX просит подождать", 9000],
    ["MAX", ofMax(500), "away", "MAX недоступен"],
    ["MAX", new MaxSilence(codeOf("CERT_HAS_EXPIRED"), true), "away", "не доверяет сертификату MAX"],
    ["MAX", known, "conflict", "Другая программа"],
    ["VK", new VkRefusal(29), "away", "Дневной лимит ВКонтакте исчерпан", 300_000],
    ["VK", new VkRefusal(7), "auth", "Ключу не хватает прав"],
    ["VK", new VkRefusal(27), "auth", "ВКонтакте не принимает ключ"],
    ["VK", new VkRefusal(100), "away", "ВКонтакте недоступен"],
    ["VK", known, "conflict", "Другая программа"],
    ["Discord", discordLimit, "away", "Discord просит подождать", 700],
    ["Discord", ofDiscord(401, 0), "auth", "Discord не принимает ключ бота"],
    ["Discord", ofDiscord(403, 1), "away", "Discord недоступен"],
    ["Discord", known, "conflict", "Другая программа"],
    ["Slack", new WebAPIRateLimitedError(3), "away", "Slack просит подождать", 3000],
    ["Slack", ofSlack("not_allowed_token_type"), "auth", "Это ключ другого вида"],
    ["Slack", ofSlack("internal_error"), "away", "Slack недоступен"],
    ["Slack", new WebAPIHTTPError(401, "Unauthorized", {}), "auth", "Slack не принимает ключ бота"],
    ["Slack", known, "conflict", "Другая программа"],
    ["Telegram", ofTelegram(404), "auth", "Telegram не принимает ключ бота"],
    ["Telegram", ofTelegram(409), "conflict", "уже слушает другая программа"],
    ["Telegram", ofTelegram(429, { retry_after: 7 }), "away", "Telegram просит подождать", 7000],
    ["Telegram", ofTelegram(429), "away", "Telegram просит подождать"],
    ["Telegram", RESET, "away", "Telegram недоступен"],
  ])(
    "to %s that meets %o is trouble of the kind %s, in words that quote nothing",
    (platform, error, kind, message, afterMs) => {
      let trouble: unknown;
      try {
        RECEIVE[platform]!(error);
      } catch (thrown) {
        trouble = thrown;
      }
      expect(trouble).toMatchObject({ kind, message: expect.stringContaining(message), afterMs: afterMs ?? null });
      expect((trouble as Error).message).not.toContain("token");
    },
  );
});
