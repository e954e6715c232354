/** Maps VK's error codes to results. https://dev.vk.com/ru/reference/errors https://dev.vk.com/ru/method/messages.send */
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import { isUnsent } from "#server/inbox/channel-protocol/is-unsent.ts";
import { VkRefusal } from "./api.ts";

const KEY_REFUSED =
  "ВКонтакте не принимает ключ доступа. Создайте новый: «Управление», «Работа с API», «Ключи доступа».";
export const NO_RIGHTS =
  "Ключу не хватает прав. Создайте новый и отметьте «Управление сообществом» и «Сообщения сообщества».";
export const NOT_A_COMMUNITY = "Это ключ не сообщества. Создайте его в управлении сообществом, раздел «Работа с API».";
export const DENIED = "Собеседник запретил сообществу писать ему во ВКонтакте";

const AUTH: Record<number, string> = {
  5: KEY_REFUSED,
  27: KEY_REFUSED,
  28: KEY_REFUSED,
  1116: KEY_REFUSED,
  1117: KEY_REFUSED,
  15: NO_RIGHTS,
  203: NO_RIGHTS,
};

const BLOCKED: Record<number, string> = {
  7: "ВКонтакте не разрешает сообществу писать этому собеседнику",
  18: "Страница собеседника удалена или заблокирована",
  900: "Собеседник в чёрном списке сообщества",
  901: DENIED,
  902: "Собеседник ограничил в настройках, кто может ему писать",
};

const INVALID: Record<number, string> = {
  912: "Включите «Возможности ботов» в настройках сообщений сообщества",
  913: "ВКонтакте не принял сообщение: в нём слишком много пересланных",
  914: "ВКонтакте не принял сообщение: оно слишком длинное",
};

interface Wait {
  afterMs: number;
  message: string;
}

const WAITS: Record<number, Wait> = {
  6: { afterMs: 1_000, message: "ВКонтакте просит подождать" },
  9: { afterMs: 30_000, message: "ВКонтакте просит писать реже" },
  14: { afterMs: 5 * 60_000, message: "ВКонтакте просит подтвердить, что пишет не программа: попробуем позже" },
  29: { afterMs: 5 * 60_000, message: "Дневной лимит ВКонтакте исчерпан: попробуем позже" },
};

/** Faults inside VK, after which it may have accepted the message nevertheless. */
const OWN_FAULTS = new Set([1, 10]);

export function sendFailure(error: unknown): SendFailure {
  if (error instanceof ChannelTrouble) {
    const { kind, message, afterMs } = error;
    return kind === "auth"
      ? { ok: false, kind: "auth", message }
      : { ok: false, kind: "retry", afterMs: afterMs ?? 5_000, message, away: afterMs === null };
  }
  if (error instanceof VkRefusal && !OWN_FAULTS.has(error.code)) {
    const { code } = error;
    const wait = WAITS[code];
    if (wait !== undefined) return { ok: false, kind: "retry", ...wait };
    const auth = AUTH[code];
    if (auth !== undefined) return { ok: false, kind: "auth", message: auth };
    const blocked = BLOCKED[code];
    if (blocked !== undefined) return { ok: false, kind: "blocked", message: blocked };
    return { ok: false, kind: "invalid", message: INVALID[code] ?? "ВКонтакте не принял сообщение" };
  }
  if (isUnsent(error)) return { ok: false, kind: "retry", afterMs: 5_000, message: "ВКонтакте недоступен", away: true };
  return { ok: false, kind: "unknown", message: "Связь с ВКонтакте прервалась: дошло ли сообщение, неизвестно" };
}

/** @throws ChannelTrouble always */
export function rethrowTrouble(error: unknown): never {
  if (error instanceof ChannelTrouble) throw error;
  if (error instanceof VkRefusal) {
    const wait = WAITS[error.code];
    if (wait !== undefined) throw new ChannelTrouble("away", wait.message, wait.afterMs);
    if (error.code === 7) throw new ChannelTrouble("auth", NO_RIGHTS);
    const auth = AUTH[error.code];
    if (auth !== undefined) throw new ChannelTrouble("auth", auth);
  }
  throw new ChannelTrouble("away", "ВКонтакте недоступен");
}
