/** What a Slack message consists of. https://docs.slack.dev/reference/events/message */
import * as z from "zod/mini";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import {
  type Content,
  type ContentKinds,
  factsLine,
  joined,
  kindOf,
  nothingLost,
} from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf } from "#server/inbox/channel-protocol/identifiers.ts";
import { slackBlockMarkup } from "#server/inbox/channel-protocol/slack-blocks.ts";

const SERVICE = { fate: "silent", name: "Служебное сообщение" } as const;
const KINDS: Record<string, string> = { image: "Фото", video: "Видео", audio: "Аудио" };
const FORWARDED = "Пересланное сообщение";

/** Parts of a message, and the subtypes that are no person's message. A message of any other subtype is read. */
export const SLACK_CONTENT: ContentKinds = {
  text: { fate: "read", name: "Текст" },
  blocks: { fate: "read", name: "Текст из блоков" },
  me_message: { fate: "read", name: "Сообщение о себе (/me)" },
  thread_broadcast: { fate: "read", name: "Ответ из ветки" },
  forwarded: { fate: "read", name: FORWARDED },
  image: { fate: "read", name: "Фото" },
  audio: { fate: "read", name: "Аудио" },
  video: { fate: "line", name: "Видео" },
  file: { fate: "line", name: "Файл" },
  link: { fate: "line", name: "Вложение" },
  ...Object.fromEntries(
    `bot_message bot_add bot_remove message_replied channel_join channel_leave channel_topic
    channel_purpose channel_name channel_archive channel_unarchive channel_posting_permissions channel_convert_to_private
    channel_convert_to_public group_join group_leave group_topic group_purpose group_name group_archive group_unarchive
    pinned_item unpinned_item reminder_add ekm_access_denied huddle_thread sh_room_created file_comment file_mention
    document_mention reply_broadcast assistant_app_thread app_conversation_join tombstone`
      .split(/\s+/)
      .map((subtype) => [subtype, SERVICE]),
  ),
};

const said = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.optional(z.number()), undefined);
const File = z.object({ mimetype: said, url_private: said, size: count, duration_ms: count });
type File = z.infer<typeof File>;
const nameOf = ({ mimetype }: File): string => KINDS[mimetype?.split("/")[0] ?? ""] ?? "Файл";

/** Returns null for a message of Slack itself or of a program. */
export function contentOf(message: unknown): Content | null {
  const subtype = fieldOf(message, "subtype");
  if (typeof subtype === "string" && kindOf(SLACK_CONTENT, subtype)?.fate === "silent") return null;
  const files = listOf(fieldOf(message, "files")).map((file) => File.safeParse(file).data ?? File.parse({}));
  const attached = listOf(fieldOf(message, "attachments"));
  // Forwarded words count as the contact's own, because he sends them to say the same. Other attachments are previews of his links.
  const shares = attached.filter(
    (each) => fieldOf(each, "is_share") === true || fieldOf(each, "is_msg_unfurl") === true,
  );
  const words = joined("", plainText(fieldOf(message, "text"))) || blockWords(fieldOf(message, "blocks"));
  const forwarded = shares.map((share) => wordsOfAttachment(share));
  const text = joined("\n", words, ...forwarded);
  const files2 = shares.flatMap((share) => listOf(fieldOf(share, "files")));
  const attachments = [
    ...files.map(nameOf),
    ...shares.map((share) => factsLine(FORWARDED, joined(" ", fieldOf(share, "author_name")))),
    ...files2.map((file) => nameOf(File.safeParse(file).data ?? File.parse({}))),
  ];
  if (text !== "" || attachments.length > 0) return nothingLost({ text, attachments, ...mediaField(files) }, message);
  const previews = attached.map((each) =>
    factsLine("Вложение", wordsOfAttachment(each) || plainText(fieldOf(each, "title"))),
  );
  return nothingLost({ text, attachments: previews }, message);
}

const wordsOfAttachment = (share: unknown): string =>
  joined("", plainText(fieldOf(share, "text"))) ||
  blockWords(listOf(fieldOf(share, "message_blocks")).map((each) => fieldOf(fieldOf(each, "message"), "blocks"))) ||
  joined("", plainText(fieldOf(share, "fallback")));

const blockWords = (blocks: unknown): string => joined("", plainText(slackBlockMarkup(blocks)));

function mediaField(files: readonly File[]): { media?: PlatformMedia[] } {
  const media = files.flatMap(({ mimetype, url_private: url, size, duration_ms: ms }): PlatformMedia[] => {
    const family = mimetype?.split("/")[0];
    if ((family !== "audio" && family !== "image") || url === undefined) return [];
    const told = {
      ...(size === undefined ? {} : { bytes: size }),
      ...(ms === undefined ? {} : { seconds: ms / 1000 }),
    };
    return [{ kind: family === "audio" ? "speech" : "picture", name: KINDS[family]!, at: { url }, ...told }];
  });
  return media.length === 0 ? {} : { media };
}

/** Replaces Slack's markup for people, channels and links by what the author saw. */
function plainText(text: unknown): string {
  if (typeof text !== "string") return "";
  return text
    .replace(
      /<([@#!])?([^<>|]*)(?:\|([^<>]*))?>/g,
      (_whole, kind: string | undefined, target: string, label?: string) => {
        if (label) return kind === "#" ? `#${label}` : label;
        return kind === undefined ? target : `@${target.replace(/^subteam\^/, "")}`;
      },
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
