/**
 * The documented formats of the platforms' credentials, so that a key that was cut off or copied from another field is reported before
 * the platform is called. Lengths are upper and lower bounds, not promises of the platforms.
 * https://core.telegram.org/bots/api#authorizing-your-bot https://docs.slack.dev/authentication/tokens
 * https://discord.com/developers/docs/reference#authentication https://developers.facebook.com/docs/whatsapp/cloud-api
 * https://dev.vk.com/ru/api/access-token/community-token/in-community-settings
 */

import { looksLikeMailboxUrl, readMailboxUrl } from "./mailbox-url.ts";

export interface Entered {
  platform: string;
  apiKey: string;
  apiId?: string | null | undefined;
  phoneNumber?: string | null | undefined;
  appToken?: string | null | undefined;
}

export interface CredentialTrouble {
  field: "apiKey" | "apiId" | "phoneNumber" | "appToken";
  /** A Russian sentence for the user who fills in the form. */
  message: string;
}

const BOT_TOKEN = /^\d{1,16}:[\w-]{30,64}$/;
const SLACK_BOT = /^xoxb-[\w-]+$/;
const SLACK_APP = /^xapp-[\w-]+$/;
const VK_KEY = /^[\w.-]{20,400}$/;
const DISCORD_BOT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** The documentation gives no form; a token is far longer than a name or a number. */
const MAX_BOT = /^[\w+/=.:-]{20,512}$/;
/** Printable ASCII without spaces. */
const ONE_WORD = /^[!-~]+$/;
const TELEGRAM_API_ID = /^\d{1,12}$/;

/** @param userbotKey `apiKey` of a Telegram account, which has no bot */
export function credentialTroubles(entered: Entered, userbotKey: string): CredentialTrouble[] {
  const { apiKey, apiId, phoneNumber, appToken } = entered;
  const found: CredentialTrouble[] = [];
  const demand = (right: boolean, field: CredentialTrouble["field"], message: string) => {
    if (!right) found.push({ field, message });
  };
  switch (entered.platform) {
    case "telegram":
      if (apiKey !== userbotKey) {
        demand(
          BOT_TOKEN.test(apiKey),
          "apiKey",
          "Ключ бота — это число, двоеточие и ещё 35 знаков. Скопируйте его у @BotFather целиком",
        );
      }
      if (apiId) demand(TELEGRAM_API_ID.test(apiId), "apiId", "API ID — это число с my.telegram.org");
      break;
    case "slack":
      demand(SLACK_BOT.test(apiKey), "apiKey", "Ключ бота Slack начинается с xoxb-. Скопируйте его целиком");
      if (appToken) demand(SLACK_APP.test(appToken), "appToken", "App-Level Token начинается с xapp-");
      break;
    case "discord":
      demand(
        DISCORD_BOT.test(apiKey),
        "apiKey",
        "Ключ бота Discord — это три части через точку. Скопируйте его целиком",
      );
      break;
    case "max":
      demand(MAX_BOT.test(apiKey), "apiKey", "Ключ бота MAX — одна строка без пробелов. Скопируйте его целиком");
      break;
    case "vk":
      demand(
        VK_KEY.test(apiKey),
        "apiKey",
        "Ключ доступа сообщества — одна длинная строка латинскими буквами и цифрами. Скопируйте его целиком",
      );
      break;
    case "whatsapp":
      demand(ONE_WORD.test(apiKey), "apiKey", "Ключ (access token) — одна строка латинскими буквами, без пробелов");
      if (phoneNumber) {
        demand(
          isNumber(phoneNumber),
          "phoneNumber",
          "Введите номер цифрами, например +79001234567, или его Phone number ID",
        );
      }
      break;
    case "email": {
      if (!looksLikeMailboxUrl(apiKey)) break;
      const mailbox = readMailboxUrl(apiKey);
      demand(mailbox !== null, "apiKey", "Введите адрес вида imaps://имя:пароль@сервер");
      if (mailbox === null) break;
      demand(
        isServer(mailbox.imap) && (mailbox.smtp === null || isServer(mailbox.smtp)),
        "apiKey",
        "Проверьте сервер: нужно имя, а порт — число от 1 до 65535, например mail.example.com:993",
      );
    }
  }
  return found;
}

/** A telephone number in any usual notation, or the platform's numeric id of one. */
function isNumber(text: string): boolean {
  const digits = text.replace(/[\s()+.-]/g, "");
  return /^\d{5,20}$/.test(digits);
}

/** «сервер» or «сервер:порт»; the name may be in Cyrillic. */
function isServer(text: string): boolean {
  const [, name = "", port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const labels = name.split(".");
  const named = name.length <= 253 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})$/u.test(label));
  return named && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
