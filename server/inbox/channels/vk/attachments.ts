/** Describes attachments of VK messages, and what can be fetched of them. https://dev.vk.com/ru/reference/objects/message */
import * as z from "zod/mini";
import type { MediaKind } from "#contract/models/media-readers.ts";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import {
  type ContentKinds,
  coordinates,
  joined,
  lineFor,
  unreadLine,
} from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

/** Hosts where VK stores attachments; a document's URL is at vk.com and redirects to the others. */
export const MEDIA_HOSTS = ["vk.com", "vk.ru", ".userapi.com", ".vkuserphoto.ru", ".vkuser.net"];
export const MEDIA_REDIRECTS = 3;

const titled = (attachment: unknown): string => joined("", fieldOf(attachment, "title"), fieldOf(attachment, "name"));

/** Parts of a message and its attachments by their `type`. */
export const VK_CONTENT: ContentKinds = {
  text: { fate: "read", name: "Текст" },
  photo: { fate: "read", name: "Фото" },
  video: { fate: "line", name: "Видео" },
  video_message: { fate: "line", name: "Видеосообщение" },
  audio: { fate: "line", name: "Аудио" },
  audio_message: { fate: "read", name: "Голосовое сообщение" },
  doc: { fate: "line", name: "Документ" },
  link: { fate: "line", name: "Ссылка" },
  market: { fate: "read", name: "Товар", facts: titled },
  market_album: { fate: "line", name: "Подборка товаров" },
  wall: { fate: "line", name: "Запись со стены" },
  wall_reply: { fate: "line", name: "Комментарий" },
  article: { fate: "line", name: "Статья" },
  poll: {
    fate: "read",
    name: "Опрос",
    facts: (poll) =>
      joined(
        " — ",
        fieldOf(poll, "question"),
        joined(" / ", ...listOf(fieldOf(poll, "answers")).map((each) => fieldOf(each, "text"))),
      ),
  },
  story: { fate: "line", name: "История" },
  sticker: { fate: "line", name: "Стикер" },
  ugc_sticker: { fate: "line", name: "Стикер" },
  gift: { fate: "line", name: "Подарок" },
  graffiti: { fate: "line", name: "Граффити" },
  call: { fate: "line", name: "Звонок" },
  podcast: { fate: "line", name: "Подкаст" },
  fwd_messages: { fate: "read", name: "Пересланное сообщение" },
  geo: {
    fate: "read",
    name: "Геопозиция",
    facts: (geo) => {
      const [point, place] = [fieldOf(geo, "coordinates"), fieldOf(geo, "place")];
      return joined(
        ", ",
        fieldOf(place, "title"),
        fieldOf(place, "address"),
        coordinates(fieldOf(point, "latitude"), fieldOf(point, "longitude")),
      );
    },
  },
  action: { fate: "silent", name: "События беседы" },
};

const said = z.catch(z._default(z.string(), ""), "");
const count = z.catch(z.optional(z.number()), undefined);
const part = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.catch(z.optional(z.object(shape)), undefined);

const Attachment = z.object({
  type: z.string(),
  audio_message: part({ transcript: said, link_ogg: said, link_mp3: said, duration: count }),
  photo: part({ sizes: z.array(z.object({ url: z.string(), width: z.number(), height: z.number() })) }),
  doc: part({ url: z.string(), type: z.number(), size: count }),
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
  for (const one of raw) {
    const each: Attachment = Attachment.safeParse(one).data ?? { type: "" };
    const name = lineFor(VK_CONTENT, each.type, fieldOf(one, each.type)) ?? unreadLine(each.type);
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
