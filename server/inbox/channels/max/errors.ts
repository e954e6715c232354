/** Maps MAX's errors and missing responses to results. https://dev.max.ru/docs-api */
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import { MaxRefusal, MaxSilence } from "./api.ts";

const TOKEN_REFUSED = "MAX не принимает ключ бота. Скопируйте его в кабинете «MAX для бизнеса» заново.";
const UNTRUSTED =
  "Сервер не доверяет сертификату MAX: администратору нужно добавить корневой сертификат Минцифры в настройке MAX_CA_FILE";
const AWAY = "MAX недоступен";
const WAIT = "MAX просит подождать";
export const CONNECTION_LOST = "Связь с MAX прервалась: дошло ли сообщение, неизвестно";
/** The shortest wait after «too many requests»; inbox/outbox lengthens it with each attempt. */
const TOO_FAST_MS = 2_000;

export function sendFailure(error: unknown): SendFailure {
  if (error instanceof MaxRefusal) {
    const { status, afterMs } = error;
    if (status === 429) return { ok: false, kind: "retry", afterMs: afterMs ?? TOO_FAST_MS, message: WAIT };
    if (status === 401) return { ok: false, kind: "auth", message: TOKEN_REFUSED };
    if (status === 403) return { ok: false, kind: "blocked", message: "Собеседник остановил бота или закрыл диалог" };
    if (status === 404) return { ok: false, kind: "blocked", message: "Такого диалога в MAX больше нет" };
    if (status < 500) return { ok: false, kind: "invalid", message: "MAX не принял сообщение" };
  }
  if (error instanceof MaxSilence && error.unsent) {
    const message = error.untrusted ? UNTRUSTED : AWAY;
    return { ok: false, kind: "retry", afterMs: 5_000, message, away: true };
  }
  return { ok: false, kind: "unknown", message: CONNECTION_LOST };
}

/** Throws an error with a text for the owner, because the platform's own wording must not be shown. */
export function rethrowTrouble(error: unknown): never {
  if (error instanceof ChannelTrouble) throw error;
  if (error instanceof MaxRefusal) {
    if (error.status === 401) throw new ChannelTrouble("auth", TOKEN_REFUSED);
    if (error.status === 429) throw new ChannelTrouble("away", WAIT, error.afterMs);
  }
  throw new ChannelTrouble("away", error instanceof MaxSilence && error.untrusted ? UNTRUSTED : AWAY);
}
