/** Describes attachments of MAX messages, and what can be fetched of them. https://dev.max.ru/docs-api/objects/Attachment */
import { extname } from "node:path";
import * as z from "zod/mini";
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";

/** Hosts where MAX stores attachments; a file's URL may redirect between them. */
export const MEDIA_HOSTS = [".oneme.ru", ".max.ru", ".okcdn.ru", ".mycdn.me"];
export const MEDIA_REDIRECTS = 3;

const said = z.catch(z.optional(z.nullable(z.string())), undefined);
export const Attachment = z.object({
  type: z.string(),
  payload: z.catch(z.optional(z.nullable(z.object({ url: said }))), undefined),
  /** MAX's own transcript of a voice message. */
  transcription: said,
  filename: said,
  size: z.catch(z.optional(z.number()), undefined),
});
type Attachment = z.infer<typeof Attachment>;

const NAMES: Record<string, string> = {
  image: "Фото",
  video: "Видео",
  audio: "Голосовое сообщение",
  file: "Файл",
  sticker: "Стикер",
  contact: "Контакт",
  location: "Геопозиция",
};

/** Returns no name for buttons and other attachments without content. */
export const nameOfAttachment = ({ type }: Attachment): string[] => (NAMES[type] === undefined ? [] : [NAMES[type]]);

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
