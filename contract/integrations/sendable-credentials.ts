/**
 * Rejects credentials with which no request could be made. Unusual key formats only cause a warning (credential-forms.ts), because formats
 * change.
 */
import type { CredentialTrouble, Entered } from "./credential-forms.ts";
import { looksLikeMailboxUrl, readMailboxUrl } from "./mailbox-url.ts";

/** Printable ASCII without spaces, which a header and a URL can carry. */
const ONE_WORD = /^[!-~]+$/;
/** Excludes URL delimiters, because a bot's token becomes a segment of the request path. */
const ONE_SEGMENT = /^[^/\\?#%]+$/;
const NUMBER = /^\d{1,12}$/;

const ONE_LINE = "Ключ — одна строка латинскими буквами, без пробелов. Скопируйте его целиком";

export function unsendable({ platform, apiKey, apiId, appToken }: Entered): CredentialTrouble[] {
  if (platform === "email") return mailboxTroubles(apiKey);
  const found: CredentialTrouble[] = [];
  const demand = (right: boolean, field: CredentialTrouble["field"], message: string) => {
    if (!right) found.push({ field, message });
  };
  demand(ONE_WORD.test(apiKey) && (platform !== "telegram" || ONE_SEGMENT.test(apiKey)), "apiKey", ONE_LINE);
  if (platform === "telegram" && apiId) demand(NUMBER.test(apiId), "apiId", "API ID — это число с my.telegram.org");
  if (platform === "slack" && appToken) demand(ONE_WORD.test(appToken), "appToken", ONE_LINE);
  return found;
}

function mailboxTroubles(apiKey: string): CredentialTrouble[] {
  if (!looksLikeMailboxUrl(apiKey)) return [];
  const mailbox = readMailboxUrl(apiKey);
  if (mailbox === null) return [{ field: "apiKey", message: "Введите адрес вида imaps://имя:пароль@сервер" }];
  if (isServer(mailbox.imap) && (mailbox.smtp === null || isServer(mailbox.smtp))) return [];
  const message = "Проверьте сервер: нужно имя, а порт — число от 1 до 65535, например mail.example.com:993";
  return [{ field: "apiKey", message }];
}

/** Whether the text is «сервер» or «сервер:порт»; the name may be Cyrillic. */
function isServer(text: string): boolean {
  const [, name = "", port] = /^([^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const labels = name.split(".");
  const named = name.length <= 253 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})$/u.test(label));
  return named && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
