/** Describes attachments of an account's message: the name in the transcript, and the location of a recording or picture. */
import type { tl } from "@mtcute/core";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import { type ContentKinds, coordinates, joined, lineFor } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf } from "#server/inbox/channel-protocol/identifiers.ts";

type Media = tl.TypeMessageMedia | undefined;

const textOf = (value: unknown): unknown => fieldOf(value, "text") ?? value;
const textsOf = (list: unknown, field: string, separator: string): string =>
  joined(separator, ...(Array.isArray(list) ? list : []).map((each: unknown) => textOf(fieldOf(each, field))));
const placeOf = (media: unknown): string => {
  const point = fieldOf(media, "geo");
  return coordinates(fieldOf(point, "lat"), fieldOf(point, "long"));
};
const GEO = { fate: "read", name: "Геопозиция", facts: placeOf } as const;

/** By the constructor of `MessageMedia`; a document by its own kind. */
export const ACCOUNT_CONTENT: ContentKinds = {
  message: { fate: "read", name: "Текст" },
  messageMediaPhoto: { fate: "read", name: "Фото" },
  messageMediaContact: {
    fate: "read",
    name: "Контакт",
    facts: (contact) =>
      joined(
        ", ",
        joined(" ", fieldOf(contact, "firstName"), fieldOf(contact, "lastName")),
        fieldOf(contact, "phoneNumber"),
      ),
  },
  messageMediaGeo: GEO,
  messageMediaGeoLive: GEO,
  messageMediaVenue: {
    fate: "read",
    name: "Место",
    facts: (venue) => joined(", ", fieldOf(venue, "title"), fieldOf(venue, "address"), placeOf(venue)),
  },
  messageMediaPoll: {
    fate: "read",
    name: "Опрос",
    facts: (media) => {
      const poll = fieldOf(media, "poll");
      return joined(" — ", textOf(fieldOf(poll, "question")), textsOf(fieldOf(poll, "answers"), "text", " / "));
    },
  },
  messageMediaToDo: {
    fate: "read",
    name: "Список дел",
    facts: (media) => {
      const list = fieldOf(media, "todo");
      return joined(" — ", textOf(fieldOf(list, "title")), textsOf(fieldOf(list, "list"), "title", "; "));
    },
  },
  messageMediaDice: {
    fate: "line",
    name: "Кубик",
    facts: (dice) => joined(" ", fieldOf(dice, "emoticon"), fieldOf(dice, "value")),
  },
  messageMediaGame: {
    fate: "line",
    name: "Игра",
    facts: (media) => joined("", fieldOf(fieldOf(media, "game"), "title")),
  },
  messageMediaInvoice: { fate: "line", name: "Счёт", facts: (media) => joined("", fieldOf(media, "title")) },
  messageMediaStory: { fate: "unread", name: "История" },
  messageMediaGiveaway: { fate: "unread", name: "Розыгрыш" },
  messageMediaGiveawayResults: { fate: "unread", name: "Итоги розыгрыша" },
  messageMediaPaidMedia: { fate: "unread", name: "Платные фото и видео" },
  messageMediaUnsupported: { fate: "unread", name: "вид не указан" },
  // The preview of a link whose address stands in the text.
  messageMediaWebPage: { fate: "silent", name: "Предпросмотр ссылки" },
  messageMediaEmpty: { fate: "silent", name: "Пусто" },
  messageService: { fate: "silent", name: "Служебное сообщение" },
};

export function attachmentsOf(media: Media): string[] {
  if (media === undefined) return [];
  if (media._ === "messageMediaDocument") return [documentName(media)];
  const line = lineFor(ACCOUNT_CONTENT, media._, media);
  return line === null ? [] : [line];
}

const FILE = "Файл";
const SOUND = "Аудио";
const VOICE = "Голосовое сообщение";

function documentName({ document, voice, round, video }: tl.RawMessageMediaDocument): string {
  if (voice) return VOICE;
  if (round) return "Видеосообщение";
  const kinds = document?._ === "document" ? document.attributes.map(({ _ }) => _) : [];
  if (kinds.includes("documentAttributeSticker")) return "Стикер";
  if (kinds.includes("documentAttributeAnimated")) return "Анимация";
  if (video || kinds.includes("documentAttributeVideo")) return "Видео";
  return kinds.includes("documentAttributeAudio") ? SOUND : FILE;
}

/** The location of a file at Telegram, valid for some hours. */
export interface AccountFile {
  kind: PlatformMedia["kind"];
  name: string;
  dcId: number;
  location: tl.TypeInputFileLocation;
  bytes: number;
  seconds?: number;
}

/** Returns null when there is nothing to read. View-once media is left to the owner alone. */
export function fileOf(media: Media): AccountFile | null {
  if (media === undefined || ("ttlSeconds" in media && media.ttlSeconds !== undefined)) return null;
  if (media._ === "messageMediaPhoto") return photoOf(media.photo);
  if (media._ !== "messageMediaDocument" || media.document?._ !== "document") return null;
  const { document } = media;
  const name = documentName(media);
  const kind = kindOf(name, document.mimeType);
  if (kind === null) return null;
  const { id, accessHash, fileReference, dcId, size: bytes } = document;
  const sound = document.attributes.find(({ _ }) => _ === "documentAttributeAudio");
  return {
    ...{ kind, name, dcId, bytes },
    location: { _: "inputDocumentFileLocation", id, accessHash, fileReference, thumbSize: "" },
    ...(sound?._ === "documentAttributeAudio" ? { seconds: sound.duration } : {}),
  };
}

function kindOf(name: string, mime: string): PlatformMedia["kind"] | null {
  if (name === VOICE || name === SOUND) return "speech";
  if (name !== FILE) return null;
  if (/^image\/(?:jpeg|png|webp)$/.test(mime)) return "picture";
  return mime.startsWith("audio/") ? "speech" : null;
}

/** Returns the largest size; the others are previews. */
function photoOf(photo: tl.TypePhoto | undefined): AccountFile | null {
  if (photo?._ !== "photo") return null;
  const sizes = photo.sizes.flatMap((size) => {
    if (size._ === "photoSize") return { type: size.type, area: size.w * size.h, bytes: size.size };
    if (size._ !== "photoSizeProgressive") return [];
    return { type: size.type, area: size.w * size.h, bytes: Math.max(0, ...size.sizes) };
  });
  const [largest] = sizes.sort((one, other) => other.area - one.area);
  if (largest === undefined) return null;
  const { id, accessHash, fileReference, dcId } = photo;
  const location = { _: "inputPhotoFileLocation", id, accessHash, fileReference, thumbSize: largest.type } as const;
  return { kind: "picture", name: "Фото", dcId, location, bytes: largest.bytes };
}

/** Returns the stored form until the fetch: the message identifies the file, because the file's own reference is valid only for hours. */
export function mediaField({ id, peerId, media }: tl.RawMessage): { media?: PlatformMedia[] } {
  const file = fileOf(media);
  if (file === null || peerId._ !== "peerUser") return {};
  const { kind, name, bytes, seconds } = file;
  const at = { message: id, user: peerId.userId };
  return { media: [{ kind, name, at, bytes, ...(seconds === undefined ? {} : { seconds }) }] };
}
