/**
 * The documented formats of the platforms' credentials, so that the form warns of a key that was cut off or copied from another field
 * before
 * the platform is called. A warning does not block: lengths are upper and lower bounds, not promises of the platforms.
 * https://core.telegram.org/bots/api#authorizing-your-bot https://docs.slack.dev/authentication/tokens
 * https://discord.com/developers/docs/reference#authentication https://developers.facebook.com/docs/whatsapp/cloud-api
 * https://dev.vk.com/ru/api/access-token/community-token/in-community-settings
 */

export interface Entered {
  platform: string;
  apiKey: string;
  apiId?: string | null | undefined;
  phoneNumber?: string | null | undefined;
  appToken?: string | null | undefined;
}

export interface CredentialTrouble {
  field: "apiKey" | "apiId" | "phoneNumber" | "appToken";
  message: string;
}

const BOT_TOKEN = /^\d{1,16}:[\w-]{30,64}$/;
const SLACK_BOT = /^xoxb-[\w-]+$/;
const SLACK_APP = /^xapp-[\w-]+$/;
const VK_KEY = /^[\w.-]{20,400}$/;
const DISCORD_BOT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** MAX documents no token format; a token is far longer than a name or a number. */
const MAX_BOT = /^[\w+/=.:-]{20,512}$/;

/**
 * Returns a warning for each field whose value does not match the platform's format; empty fields get none.
 * @param userbotKey `apiKey` of a Telegram user account, which has no bot token
 */
export function credentialWarnings(entered: Entered, userbotKey: string): CredentialTrouble[] {
  const { apiKey, phoneNumber, appToken } = entered;
  const found: CredentialTrouble[] = [];
  const demand = (right: boolean, field: CredentialTrouble["field"], message: string) => {
    if (!right && entered[field]) found.push({ field, message });
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
      if (phoneNumber) {
        demand(
          isNumber(phoneNumber),
          "phoneNumber",
          "Введите номер цифрами, например +79001234567, или его Phone number ID",
        );
      }
  }
  return found;
}

/** Whether the text is a telephone number in a usual notation or the platform's numeric id of one. */
function isNumber(text: string): boolean {
  const digits = text.replace(/[\s()+.-]/g, "");
  return /^\d{5,20}$/.test(digits);
}
