/** Converts Discord's messages to `Inbound`. Only people's direct messages are for the twin. */
import { type APIMessage, type APIUser, MessageFlags, MessageType } from "@discordjs/core";
import * as z from "zod/mini";
import type { PlatformMedia, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

const KINDS: Record<string, string> = { image: "Фото", video: "Видео", audio: "Аудио" };
const ANSWERED = new Set<MessageType>([MessageType.Default, MessageType.Reply]);

/** A message as the gateway sends it; one that is fetched has no `guild_id`. */
export type DiscordMessage = APIMessage & { guild_id?: string };

const Snowflake = z.string().check(z.regex(/^[1-9]\d{0,19}$/));
/** The ids of a direct message, by which it is counted to a person and recognised when it comes again. */
export const DirectMessage = z.object({ id: Snowflake, channel_id: Snowflake, author: z.object({ id: Snowflake }) });

/** Most events of a server's gateway are not for us and are dropped at once. */
export const isDirect = (message: unknown): boolean =>
  !Snowflake.safeParse(fieldOf(message, "guild_id")).success && !isOfProgram(fieldOf(message, "author"));
const isOfProgram = (author: unknown): boolean => fieldOf(author, "bot") === true || fieldOf(author, "system") === true;

/** Returns null for what is not for the twin. */
export function reportedOf(raw: unknown): Reported | null {
  if (!isDirect(raw)) return null;
  if (!DirectMessage.safeParse(raw).success) return unidentified(raw);
  const message = raw as DiscordMessage;
  const { id, author, channel_id: conversation } = message;
  if (!ANSWERED.has(message.type)) return null;
  const text = sanitizeText(plainText(message));
  const attachments = attachmentsOf(message);
  if (text === "" && attachments.length === 0) return null;
  return {
    eventId: id,
    messageId: id,
    conversation,
    // The position is a snowflake's time and most of its counter, because the whole exceeds a number's precision.
    position: Number(BigInt(id) >> 10n),
    // Exports have ids of this form.
    peer: { id: author.id, name: nameOf(author) },
    text,
    attachments,
    ...mediaField(message),
    sentAt: new Date(message.timestamp).toISOString(),
    automated: false,
  };
}

const nameOf = (user: APIUser): string => sanitizeText(user.global_name ?? "") || user.username;

function attachmentsOf({ attachments, sticker_items: stickers, flags }: DiscordMessage): string[] {
  const voice = ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  const files = attachments.map(({ content_type: type }) =>
    voice ? "Голосовое сообщение" : (KINDS[type?.split("/")[0] ?? ""] ?? "Файл"),
  );
  return [...files, ...(stickers ?? []).map(() => "Стикер")];
}

/** The URLs are signed and valid for a day. */
function mediaField({ attachments, flags }: DiscordMessage): { media?: PlatformMedia[] } {
  const voice = ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  const media = attachments.flatMap(({ content_type: type, url, size, duration_secs: seconds }): PlatformMedia[] => {
    const family = type?.split("/")[0];
    if (family !== "audio" && family !== "image") return [];
    const sound = family === "audio";
    const name = voice ? "Голосовое сообщение" : KINDS[family]!;
    const length = sound && seconds != null ? { seconds } : {};
    return [{ kind: sound ? "speech" : "picture", name, at: { url }, bytes: size, ...length }];
  });
  return media.length === 0 ? {} : { media };
}

/** Replaces mentions and emoji by their names, as the author saw them. */
function plainText({ content, mentions }: DiscordMessage): string {
  const names = new Map(mentions.map((user) => [user.id, nameOf(user)]));
  return content
    .replace(/<@!?(\d+)>/g, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
    .replace(/<a?:(\w+):\d+>/g, ":$1:");
}
