/** Words errors of the Bot API for the person who can act on them. */
import { GrammyError, HttpError } from "grammy";
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import { isUnsent } from "#server/inbox/channel-protocol/is-unsent.ts";

const TOKEN_REFUSED = "Telegram не принимает ключ бота. Скопируйте его у @BotFather заново.";

export function sendFailure(error: unknown): SendFailure {
  if (error instanceof GrammyError) {
    const { error_code: code, parameters } = error;
    const afterMs = (parameters.retry_after ?? 5) * 1000;
    if (code === 429) return { ok: false, kind: "retry", afterMs, message: "Telegram просит подождать" };
    if (code === 401 || code === 404) return { ok: false, kind: "auth", message: TOKEN_REFUSED };
    if (code === 403) return { ok: false, kind: "blocked", message: "Собеседник заблокировал бота" };
    if (code < 500) return { ok: false, kind: "invalid", message: "Telegram не принял сообщение" };
  }
  // The connection was refused before a byte was sent; other failures may have happened after Telegram accepted the message.
  if (isUnsent(error instanceof HttpError ? error.error : error)) {
    return { ok: false, kind: "retry", afterMs: 5_000, message: "Telegram недоступен", away: true };
  }
  return {
    ok: false,
    kind: "unknown",
    message: "Связь с Telegram прервалась: дошло ли сообщение, неизвестно",
  };
}

/** Throws an error in our own words, because the client's errors quote the URL and with it the token. */
export function rethrowTrouble(error: unknown): never {
  if (error instanceof GrammyError) {
    const { error_code: code, parameters } = error;
    if (code === 401 || code === 404) throw new ChannelTrouble("auth", TOKEN_REFUSED);
    if (code === 409) throw new ChannelTrouble("conflict", "Этого бота уже слушает другая программа");
    const after = parameters.retry_after;
    if (code === 429)
      throw new ChannelTrouble("away", "Telegram просит подождать", after === undefined ? null : after * 1000);
  }
  throw new ChannelTrouble("away", "Telegram недоступен");
}
