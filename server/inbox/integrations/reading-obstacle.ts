import type { ErrorCode } from "#contract/error-codes.ts";
import { SIGN_IN_FIRST } from "#server/inbox/telegram-account/failures.ts";
import type { integrations } from "#server/platform/db/schema/channels.ts";

type Account = Pick<
  typeof integrations.$inferSelect,
  "platform" | "status" | "accountId" | "phoneNumber" | "statusReason"
>;

/** Returns why the history of an account cannot be read: the problem's code and a sentence for the owner; null: it can. */
export function readingObstacle(account: Account): [code: ErrorCode, message: string] | null {
  const { platform, status, accountId, phoneNumber, statusReason } = account;
  if (platform !== "telegram") return ["not_telegram", "Это интеграция другой платформы"];
  if (status === "inactive") return ["integration_inactive", "Интеграция приостановлена: сначала включите её"];
  if (status === "error") return ["integration_failed", statusReason ?? "Интеграция не подключена"];
  // A user signs in by phone number; a bot's account is known only once Telegram has responded.
  const isBot = phoneNumber === null && statusReason !== SIGN_IN_FIRST;
  if (accountId === null && !isBot) return ["not_signed_in", SIGN_IN_FIRST];
  if (phoneNumber === null) {
    return ["bot_without_history", "У бота нет истории переписки: войдите в аккаунт на странице «Интеграции»"];
  }
  return null;
}

/** Returns the same sentence for the button «Sync Now». */
export function syncObstacle(account: Account): string | null {
  if (account.platform !== "telegram") {
    return "Новые сообщения приходят сами. Прошлую переписку можно загрузить файлом на странице «Обучение ИИ»";
  }
  return readingObstacle(account)?.[1] ?? null;
}
