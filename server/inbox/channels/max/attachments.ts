/** Describes attachments of MAX messages, and what can be fetched of them. https://dev.max.ru/docs-api/objects/Attachment */
import { extname } from "node:path";
import * as z from "zod/mini";
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import { type ContentKinds, coordinates, joined, lineFor } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf } from "#server/inbox/channel-protocol/identifiers.ts";

/** Hosts where MAX stores attachments; a file's URL may redirect between them. */
export const MEDIA_HOSTS = [".oneme.ru", ".max.ru", ".okcdn.ru", ".mycdn.me"];
export const MEDIA_REDIRECTS = 3;

const said = z.catch(z.optional(z.nullable(z.string())), undefined);
export const Attachment = z.looseObject({
  type: z.catch(z.string(), ""),
  payload: z.catch(z.optional(z.nullable(z.looseObject({ url: said }))), undefined),
  /** MAX's own transcript of a voice message. */
  transcription: said,
  filename: said,
  size: z.catch(z.optional(z.number()), undefined),
});
type Attachment = z.infer<typeof Attachment>;

const CARD_NAME = /^FN[^:\r\n]{0,200}:([^\r\n]{1,200})/m;
const CARD_NUMBER = /^TEL[^:\r\n]{0,200}:([^\r\n]{1,200})/m;
const inCard = (card: unknown, line: RegExp): string => (typeof card === "string" ? (line.exec(card)?.[1] ?? "") : "");

/** By an attachment's `type`. */
export const MAX_CONTENT: ContentKinds = {
  text: { fate: "read", name: "Текст" },
  forward: { fate: "read", name: "Пересланное сообщение" },
  image: { fate: "read", name: "Фото" },
  video: { fate: "line", name: "Видео" },
  audio: { fate: "read", name: "Голосовое сообщение" },
  file: { fate: "line", name: "Файл" },
  sticker: { fate: "line", name: "Стикер" },
  contact: {
    fate: "read",
    name: "Контакт",
    facts: (attachment) => {
      const payload = fieldOf(attachment, "payload");
      const [card, user] = [fieldOf(payload, "vcf_info"), fieldOf(payload, "max_info")];
      const named = joined(" ", fieldOf(user, "first_name"), fieldOf(user, "last_name")) || fieldOf(user, "name");
      return joined(", ", named || fieldOf(payload, "name") || inCard(card, CARD_NAME), inCard(card, CARD_NUMBER));
    },
  },
  location: {
    fate: "read",
    name: "Геопозиция",
    facts: (place) => coordinates(fieldOf(place, "latitude"), fieldOf(place, "longitude")),
  },
  share: {
    fate: "line",
    name: "Ссылка",
    facts: (link) => joined(" — ", fieldOf(link, "title"), fieldOf(fieldOf(link, "payload"), "url")),
  },
  inline_keyboard: { fate: "silent", name: "Кнопки бота" },
  reply_keyboard: { fate: "silent", name: "Кнопки бота" },
};

/** Returns no name for buttons and other attachments without content. */
export function nameOfAttachment(attachment: Attachment): string[] {
  const line = lineFor(MAX_CONTENT, attachment.type, attachment);
  return line === null ? [] : [line];
}

/** Guesses a file's kind by its name, because only readable files are fetched. Afterwards the bytes decide. */
const KINDS_BY_NAME: Record<string, MediaKind> = {
  ...Object.fromEntries([".jpg", ".jpeg", ".png", ".webp", ".gif"].map((name) => [name, "picture"])),
  ...Object.fromEntries([".ogg", ".oga", ".opus", ".mp3", ".wav", ".m4a", ".flac"].map((name) => [name, "speech"])),
};

export function mediaField(attached: readonly Attachment[]): { media?: PlatformMedia[] } {
  const media = attached.flatMap((each): PlatformMedia[] => {
    const { type, payload, transcription, size } = each;
    const kind = kindOf(each);
    const [name] = nameOfAttachment(each);
    if (kind === null || !payload?.url || name === undefined) return [];
    const heard = type === "audio" && transcription ? { heard: transcription } : {};
    return [{ kind, name, at: { url: payload.url }, ...(size === undefined ? {} : { bytes: size }), ...heard }];
  });
  return media.length === 0 ? {} : { media };
}

function kindOf({ type, filename }: Attachment): MediaKind | null {
  if (type === "image") return "picture";
  if (type === "audio") return "speech";
  return type === "file" ? (KINDS_BY_NAME[extname(filename ?? "").toLowerCase()] ?? null) : null;
}
