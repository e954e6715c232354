/** Maps Meta's error codes to results. https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes */
import type { SendFailure } from "#server/inbox/channel-protocol/channel.ts";

export const TOKEN_REFUSED = "WhatsApp не принимает ключ (access token). Выпустите новый в кабинете Meta.";
export const WINDOW_CLOSED =
  "Прошло больше 24 часов с последнего сообщения собеседника: WhatsApp не даёт ответить, пока он не напишет снова";

const TOO_FAST = new Set([4, 80007, 130429, 131048]);
const PAIR_RATE = 131056;
/** Meta allows one message in 6 seconds to one person. */
const PAIR_MS = 6_000;

export const isTooFast = (status: number, code: number | null): boolean =>
  status === 429 || (code !== null && (TOO_FAST.has(code) || code === PAIR_RATE));

const AUTH: Record<number, string> = {
  0: TOKEN_REFUSED,
  190: TOKEN_REFUSED,
  3: "У ключа нет права отправлять сообщения WhatsApp",
  10: "У ключа нет права отправлять сообщения WhatsApp",
  200: "У ключа нет права отправлять сообщения WhatsApp",
  131005: "У ключа нет права отправлять сообщения WhatsApp",
  368: "Meta заблокировала бизнес-аккаунт за нарушение правил",
  131031: "Meta заблокировала бизнес-аккаунт за нарушение правил",
  131042: "Meta не принимает оплату аккаунта WhatsApp",
  131045: "Номер не зарегистрирован в WhatsApp Cloud API",
  133010: "Номер не зарегистрирован в WhatsApp Cloud API",
};

const INVALID: Record<number, string> = {
  131021: "Номер собеседника совпадает с вашим",
  131026: "WhatsApp не может доставить сообщение этому номеру",
  131030: "Номера собеседника нет в списке разрешённых для тестового номера",
  131049: "WhatsApp не доставил сообщение, чтобы не беспокоить собеседника",
  131050: "Собеседник отказался от сообщений",
};

/** Returns null when the platform may have accepted the message nevertheless. */
export function whatsappFailure(status: number, code: number | null): SendFailure | null {
  if (code === PAIR_RATE)
    return { ok: false, kind: "retry", afterMs: PAIR_MS, message: "WhatsApp просит писать этому собеседнику реже" };
  if (isTooFast(status, code))
    return { ok: false, kind: "retry", afterMs: 5_000, message: "WhatsApp просит подождать" };
  if (code === 131047) return { ok: false, kind: "window_closed", message: WINDOW_CLOSED };
  const auth = code === null ? undefined : AUTH[code];
  if (auth !== undefined || status === 401) return { ok: false, kind: "auth", message: auth ?? TOKEN_REFUSED };
  const invalid = code === null ? undefined : INVALID[code];
  if (invalid !== undefined) return { ok: false, kind: "invalid", message: invalid };
  return status < 500 ? { ok: false, kind: "invalid", message: "WhatsApp не принял сообщение" } : null;
}
