/** Describes attachments of VK messages, and what can be fetched of them. https://dev.vk.com/ru/reference/objects/message */
import * as z from "zod/mini";
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

/** Hosts where VK stores attachments; a document's URL is at vk.com and redirects to the others. */
export const MEDIA_HOSTS = ["vk.com", "vk.ru", ".userapi.com", ".vkuserphoto.ru", ".vkuser.net"];
export const MEDIA_REDIRECTS = 3;

const NAMES: Record<string, string> = {
  photo: "Фото",
  video: "Видео",
  video_message: "Видеосообщение",
  audio: "Аудио",
  audio_message: "Голосовое сообщение",
  doc: "Документ",
  link: "Ссылка",
  market: "Товар",
  market_album: "Подборка товаров",
  wall: "Запись со стены",
  wall_reply: "Комментарий",
  article: "Статья",
  poll: "Опрос",
  story: "История",
  sticker: "Стикер",
  ugc_sticker: "Стикер",
  gift: "Подарок",
  graffiti: "Граффити",
  call: "Звонок",
  podcast: "Подкаст",
};
const TITLE_CHARS = 100;

const said = z.catch(z._default(z.string(), ""), "");
const count = z.catch(z.optional(z.number()), undefined);
const part = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.catch(z.optional(z.object(shape)), undefined);

const Attachment = z.object({
  type: z.string(),
  audio_message: part({ transcript: said, link_ogg: said, link_mp3: said, duration: count }),
  photo: part({ sizes: z.array(z.object({ url: z.string(), width: z.number(), height: z.number() })) }),
  doc: part({ url: z.string(), type: z.number(), size: count }),
  market: part({ title: said }),
});
type Attachment = z.infer<typeof Attachment>;

/** The kinds of readable documents: animations, pictures and sound. https://dev.vk.com/ru/reference/objects/doc */
const DOCUMENT_KINDS: Record<number, MediaKind> = { 3: "picture", 4: "picture", 5: "speech" };

interface VkAttachments {
  /** VK's transcripts of voice messages whose file it does not provide. */
  heard: string[];
  names: string[];
  media: PlatformMedia[];
}

export function attachmentsOf(raw: readonly unknown[]): VkAttachments {
  const found: VkAttachments = { heard: [], names: [], media: [] };
  for (const each of raw.flatMap((one) => Attachment.safeParse(one).data ?? [])) {
    const title = sanitizeText(each.market?.title ?? "").slice(0, TITLE_CHARS);
    const name = title === "" ? (NAMES[each.type] ?? "Вложение") : `Товар: ${title}`;
    const media = mediaOf(each, name);
    found.names.push(name);
    if (media !== null) found.media.push(media);
    else found.heard.push(sanitizeText(each.audio_message?.transcript ?? ""));
  }
  return found;
}

function mediaOf({ audio_message: voice, photo, doc }: Attachment, name: string): PlatformMedia | null {
  if (voice !== undefined) {
    const { link_ogg: ogg, link_mp3: mp3, transcript: heard, duration: seconds } = voice;
    const url = ogg || mp3;
    if (url === "") return null;
    const told = { ...(seconds === undefined ? {} : { seconds }), ...(heard === "" ? {} : { heard }) };
    return { kind: "speech", name, at: { url }, ...told };
  }
  // VK lists a photo in several sizes, in no documented order.
  const area = (size: { width: number; height: number }) => size.width * size.height;
  const [largest] = photo?.sizes.toSorted((one, other) => area(other) - area(one)) ?? [];
  if (largest !== undefined) return { kind: "picture", name, at: { url: largest.url } };
  const kind = doc && DOCUMENT_KINDS[doc.type];
  if (kind === undefined) return null;
  return { kind, name, at: { url: doc!.url }, ...(doc!.size === undefined ? {} : { bytes: doc!.size }) };
}
