/** Words errors of MTProto for the person who can act on them (https://core.telegram.org/api/errors). */
import { pluralForm } from "#server/platform/text/plural.ts";

/** mtcute's RpcError, recognised by its shape, because importing the class would load the whole client. */
interface RpcFailure extends Error {
  code: number;
  /** With `%d` in place of a number: FLOOD_WAIT_%d. */
  text: string;
  seconds?: number;
}

export const isRpcFailure = (error: unknown): error is RpcFailure =>
  error instanceof Error && "text" in error && typeof error.text === "string" && "code" in error;

/** Returns the seconds that Telegram asks to wait, or null. */
export function floodSeconds(error: unknown): number | null {
  if (!isRpcFailure(error) || error.code !== 420) return null;
  return error.seconds ?? Number(/\d+/.exec(error.text)?.[0] ?? 60);
}

/** Returns the wait in words, rounded up: «40 секунд», «5 минут», «3 часа». */
export function waitWords(seconds: number): string {
  if (seconds < 120) return counted(seconds, "секунду", "секунды", "секунд");
  if (seconds < 7200) return counted(Math.ceil(seconds / 60), "минуту", "минуты", "минут");
  return counted(Math.ceil(seconds / 3600), "час", "часа", "часов");
}

const counted = (count: number, ...forms: [string, string, string]): string => `${count} ${pluralForm(count, forms)}`;

const SIGN_IN_AGAIN = "Войдите в аккаунт заново через мастер на странице «Интеграции».";

/** Shown for an account with stored keys that is not signed in yet. */
export const SIGN_IN_FIRST = "В аккаунт ещё не вошли: запросите код в мастере на странице «Интеграции»";

/** Errors of ended sessions: nothing works until the owner signs in again. */
const ENDED: Record<string, string> = {
  AUTH_KEY_UNREGISTERED: `Telegram завершил сеанс. ${SIGN_IN_AGAIN}`,
  AUTH_KEY_INVALID: `Telegram завершил сеанс. ${SIGN_IN_AGAIN}`,
  SESSION_REVOKED: `Сеанс завершён в настройках Telegram. ${SIGN_IN_AGAIN}`,
  SESSION_EXPIRED: `Сеанс Telegram истёк. ${SIGN_IN_AGAIN}`,
  SESSION_PASSWORD_NEEDED: `Telegram просит пароль двухэтапной аутентификации. ${SIGN_IN_AGAIN}`,
  AUTH_KEY_DUPLICATED: `Telegram завершил сеанс: им пользовались из двух мест сразу. ${SIGN_IN_AGAIN}`,
  USER_DEACTIVATED: "Аккаунт Telegram удалён.",
  USER_DEACTIVATED_BAN: "Telegram заблокировал этот аккаунт. Обратитесь в поддержку Telegram.",
};

/** Returns the reason why the session has ended, or null. */
export const endedSession = (error: unknown): string | null =>
  isRpcFailure(error) ? (ENDED[error.text] ?? null) : null;

const GONE = new Set(["CHANNEL_INVALID", "CHANNEL_PRIVATE", "CHAT_ID_INVALID", "CHAT_FORBIDDEN", "PEER_ID_INVALID"]);

/** Returns whether the account has lost access to the dialog: it was left or deleted, or the account was removed from it. */
export const isDialogGone = (error: unknown): boolean => isRpcFailure(error) && GONE.has(error.text);

const LOGIN: Record<string, string> = {
  API_ID_INVALID:
    "Telegram не принимает API ID и API Hash. Сверьте их с разделом API development tools на my.telegram.org.",
  API_ID_PUBLISHED_FLOOD: "Этот API ID известен всем и ограничен. Получите свой на my.telegram.org.",
  PHONE_NUMBER_INVALID: "Telegram не знает такого номера телефона. Укажите его с кодом страны: +7XXXXXXXXXX.",
  PHONE_NUMBER_UNOCCUPIED: "На этот номер нет аккаунта Telegram.",
  PHONE_NUMBER_BANNED: "Telegram заблокировал этот номер. Обратитесь в поддержку Telegram.",
  PHONE_NUMBER_FLOOD: "На этот номер запросили слишком много кодов. Попробуйте завтра.",
  PHONE_PASSWORD_FLOOD: "С этим номером слишком часто входили. Попробуйте завтра.",
  PHONE_PASSWORD_PROTECTED:
    "Аккаунт защищён паролем, который нельзя ввести здесь. Войдите сначала в приложении Telegram.",
  ...ENDED,
};

/** Returns the reason why no code was sent or the sign-in failed; null for errors that are only logged. */
export const loginRefusal = (error: unknown): string | null =>
  isRpcFailure(error) ? (LOGIN[error.text] ?? null) : null;

const UNDELIVERABLE: Record<string, string> = {
  PEER_FLOOD: "Telegram ограничил аккаунт: незнакомым людям писать пока нельзя. Подробности у бота @SpamBot.",
  USER_PRIVACY_RESTRICTED: "Собеседник ограничил в настройках, кто может ему писать",
  PRIVACY_PREMIUM_REQUIRED: "Собеседник принимает сообщения только от подписчиков Telegram Premium",
  ALLOW_PAYMENT_REQUIRED: "Собеседник принимает только платные сообщения",
  USER_IS_BLOCKED: "Собеседник заблокировал вас",
  YOU_BLOCKED_USER: "Вы заблокировали этого собеседника",
  INPUT_USER_DEACTIVATED: "Собеседник удалил свой аккаунт",
  USER_BANNED_IN_CHANNEL: "Telegram ограничил аккаунт: писать пока нельзя. Подробности у бота @SpamBot.",
  CHAT_WRITE_FORBIDDEN: "В этот чат нельзя писать",
};

/** Returns the reason why nothing can be sent to this contact, or null. */
export const undeliverable = (error: unknown): string | null =>
  isRpcFailure(error) ? (UNDELIVERABLE[error.text] ?? null) : null;
