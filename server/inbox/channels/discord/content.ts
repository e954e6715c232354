/** What a Discord message consists of. https://discord.com/developers/docs/resources/message */
import { type APIMessage, MessageFlags, MessageType } from "@discordjs/core";
import * as z from "zod/mini";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import {
  type Content,
  type ContentKinds,
  joined,
  lineFor,
  nothingLost,
  unreadLine,
} from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

const KINDS: Record<string, string> = { image: "Фото", video: "Видео", audio: "Аудио" };
const FORWARDED = "Пересланное сообщение";

export const DISCORD_CONTENT: ContentKinds = {
  content: { fate: "read", name: "Текст" },
  image: { fate: "read", name: "Фото" },
  audio: { fate: "read", name: "Аудио" },
  voice: { fate: "read", name: "Голосовое сообщение" },
  video: { fate: "line", name: "Видео" },
  file: { fate: "line", name: "Файл" },
  sticker_items: { fate: "line", name: "Стикер" },
  message_snapshots: { fate: "read", name: FORWARDED },
  poll: {
    fate: "read",
    name: "Опрос",
    facts: (poll) =>
      joined(
        " — ",
        fieldOf(fieldOf(poll, "question"), "text"),
        joined(" / ", ...listOf(fieldOf(poll, "answers")).map((each) => fieldOf(fieldOf(each, "poll_media"), "text"))),
      ),
  },
  embeds: {
    fate: "line",
    name: "Вставка",
    facts: (embeds) =>
      joined(
        "; ",
        ...listOf(embeds).map((each) => joined(" — ", fieldOf(each, "title"), fieldOf(each, "description"))),
      ),
  },
  activity: { fate: "unread", name: "Приглашение в игру" },
  components: { fate: "unread", name: "Кнопки и блоки" },
  shared_client_theme: { fate: "unread", name: "Тема оформления" },
  service: { fate: "silent", name: "Сообщения самого Discord: звонки, закрепления, переименования" },
};

/** People's messages; the library's other types are Discord's own. */
const OF_PEOPLE = new Set<MessageType>([MessageType.Default, MessageType.Reply]);
const OF_DISCORD = new Set<unknown>(Object.values(MessageType).filter((type) => !OF_PEOPLE.has(type as MessageType)));

interface Named {
  id: string;
  username?: string | undefined;
  global_name?: string | null | undefined;
}
export const nameOf = ({ id, username, global_name: name }: Named): string =>
  sanitizeText(name ?? "") || sanitizeText(username ?? "") || id;

const said = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.optional(z.nullable(z.number())), undefined);
const File = z.object({ content_type: said, url: said, size: count, duration_secs: count });
/** What a message and a forwarded one have in common. A part of another form counts as missing. */
const Part = z.object({
  content: z.catch(z._default(z.string(), ""), ""),
  mentions: z.catch(z._default(z.array(z.unknown()), []), []),
  attachments: z.catch(z._default(z.array(z.catch(File, {})), []), []),
  sticker_items: z.catch(z._default(z.array(z.unknown()), []), []),
  flags: z.catch(z._default(z.number(), 0), 0),
  poll: z.optional(z.unknown()),
});
type Part = z.infer<typeof Part>;

/** Returns null for a message of Discord itself. */
export function contentOf(message: APIMessage): Content | null {
  if (OF_DISCORD.has(message.type)) return null;
  const snapshots = listOf(message.message_snapshots).flatMap(
    (each) => Part.safeParse(fieldOf(each, "message")).data ?? [],
  );
  const parts = [Part.parse(message), ...snapshots];
  // Forwarded words count as the contact's own, because he sends them to say the same.
  const text = joined("\n", ...parts.map(plainText));
  const attachments = [...parts.flatMap(fileNames), ...snapshots.map(() => FORWARDED), ...parts.flatMap(pollLine)];
  if (text === "" && attachments.length === 0) attachments.push(...otherLines(message));
  if (!OF_PEOPLE.has(message.type)) attachments.push(unreadLine(`вид ${String(message.type)}`));
  return nothingLost({ text, attachments, ...mediaField(parts) }, message);
}

const pollLine = ({ poll }: Part): string[] =>
  poll === undefined || poll === null ? [] : [lineFor(DISCORD_CONTENT, "poll", poll)!];

/** Lines for what stands beside words and files and counts only where there are none. */
const otherLines = (message: APIMessage): string[] =>
  ["embeds", "activity", "components", "shared_client_theme"].flatMap((kind) => {
    const content = fieldOf(message, kind);
    const empty = content === undefined || content === null || (Array.isArray(content) && content.length === 0);
    return empty ? [] : [lineFor(DISCORD_CONTENT, kind, content)!];
  });

const isVoice = ({ flags }: Part): boolean => (flags & MessageFlags.IsVoiceMessage) !== 0;

function fileNames(part: Part): string[] {
  const files = part.attachments.map(({ content_type: type }) =>
    isVoice(part) ? "Голосовое сообщение" : (KINDS[type?.split("/")[0] ?? ""] ?? "Файл"),
  );
  return [...files, ...part.sticker_items.map(() => "Стикер")];
}

/** The URLs are signed and valid for a day. */
function mediaField(parts: readonly Part[]): { media?: PlatformMedia[] } {
  const media = parts.flatMap((part) =>
    part.attachments.flatMap(({ content_type: type, url, size, duration_secs: seconds }): PlatformMedia[] => {
      const family = type?.split("/")[0];
      if ((family !== "audio" && family !== "image") || url === undefined) return [];
      const sound = family === "audio";
      const name = isVoice(part) ? "Голосовое сообщение" : KINDS[family]!;
      const told = { ...(size == null ? {} : { bytes: size }), ...(sound && seconds != null ? { seconds } : {}) };
      return [{ kind: sound ? "speech" : "picture", name, at: { url }, ...told }];
    }),
  );
  return media.length === 0 ? {} : { media };
}

const Mentioned = z.object({
  id: z.string(),
  username: said,
  global_name: z.catch(z.nullable(z.optional(z.string())), null),
});

/** Replaces mentions and emoji by their names, as the author saw them. */
function plainText({ content, mentions }: Part): string {
  const people = mentions.flatMap((each) => Mentioned.safeParse(each).data ?? []);
  const names = new Map(people.map((user) => [user.id, nameOf(user)]));
  return content
    .replace(/<@!?(\d+)>/g, (whole, id: string) => (names.has(id) ? `@${names.get(id)}` : whole))
    .replace(/<a?:(\w+):\d+>/g, ":$1:");
}
