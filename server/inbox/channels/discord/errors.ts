/** Maps Discord's errors to results. https://docs.discord.com/developers/topics/opcodes-and-status-codes */
import { DiscordAPIError, RateLimitError } from "@discordjs/rest";
import { ChannelTrouble, type SendFailure } from "#server/inbox/channel-protocol/channel.ts";
import { isUnsent } from "#server/inbox/channel-protocol/is-unsent.ts";

export const TOKEN_REFUSED = "Discord не принимает ключ бота. Скопируйте новый в Developer Portal.";

/** The contact accepts no direct messages of the bot, or has left the server that they share. */
const BLOCKED = new Set<number | string>([50007, 50278, 10003, 50001]);

export function sendFailure(error: unknown): SendFailure {
  if (error instanceof RateLimitError) {
    return { ok: false, kind: "retry", afterMs: error.retryAfter, message: "Discord просит подождать" };
  }
  if (error instanceof DiscordAPIError) {
    if (error.status === 401) return { ok: false, kind: "auth", message: TOKEN_REFUSED };
    if (BLOCKED.has(error.code))
      return { ok: false, kind: "blocked", message: "Собеседник не принимает сообщения бота" };
    return { ok: false, kind: "invalid", message: "Discord не принял сообщение" };
  }
  if (isUnsent(error)) return { ok: false, kind: "retry", afterMs: 5_000, message: "Discord недоступен", away: true };
  return { ok: false, kind: "unknown", message: "Связь с Discord прервалась: дошло ли сообщение, неизвестно" };
}

/** @throws ChannelTrouble always */
export function rethrowTrouble(error: unknown): never {
  if (error instanceof ChannelTrouble) throw error;
  if (error instanceof RateLimitError) throw new ChannelTrouble("away", "Discord просит подождать", error.retryAfter);
  if (error instanceof DiscordAPIError && error.status === 401) throw new ChannelTrouble("auth", TOKEN_REFUSED);
  throw new ChannelTrouble("away", "Discord недоступен");
}
