import type { tl } from "@mtcute/core";
import { expect, test } from "vitest";
import { attachmentsOf, fileOf, mediaField } from "./account-attachments.ts";

const media = (kind: string, more: object = {}) => ({ _: kind, ...more }) as unknown as tl.TypeMessageMedia;
const document = (mimeType: string, attributes: object[] = [], more: object = {}) =>
  media("messageMediaDocument", {
    document: { _: "document", id: 1, accessHash: 2, fileReference: 3, dcId: 4, size: 10, mimeType, attributes },
    ...more,
  });
const attribute = (name: string, more: object = {}) => ({ _: `documentAttribute${name}`, ...more });
const photo = (sizes: object[]) =>
  media("messageMediaPhoto", {
    photo: { _: "photo", id: 1, accessHash: 2, fileReference: 3, dcId: 4, sizes },
  });
const size = (type: string, side: number, bytes: number) => ({ _: "photoSize", type, w: side, h: side, size: bytes });

test.each<[string, tl.TypeMessageMedia | undefined, "speech" | "picture" | null]>([
  ["Голосовое сообщение", document("audio/ogg", [attribute("Audio", { duration: 3 })], { voice: true }), "speech"],
  ["Аудио", document("audio/mpeg", [attribute("Audio", { duration: 3 })]), "speech"],
  ["Видеосообщение", document("video/mp4", [], { round: true }), null],
  ["Стикер", document("image/webp", [attribute("Sticker")]), null],
  ["Анимация", document("video/mp4", [attribute("Animated"), attribute("Video")]), null],
  ["Видео", document("video/mp4", [attribute("Video")]), null],
  ["Видео", document("video/mp4", [], { video: true }), null],
  ["Файл", document("image/png"), "picture"],
  ["Файл", document("audio/wav"), "speech"],
  ["Файл", document("application/pdf"), null],
  ["Файл", media("messageMediaDocument"), null],
  ["Фото", photo([size("s", 90, 5)]), "picture"],
  ["Фото", photo([]), null],
  ["Фото", media("messageMediaPhoto"), null],
  ["Контакт", media("messageMediaContact"), null],
  ["Место", media("messageMediaVenue"), null],
  ["Опрос", media("messageMediaPoll"), null],
])("a message with «%s» (%#) is named, and it is known whether it can be read", (name, found, kind) => {
  expect(attachmentsOf(found)).toEqual([name]);
  expect(fileOf(found)?.kind ?? null).toBe(kind);
});

test("a link's preview and no media at all are no attachments", () => {
  expect(attachmentsOf(media("messageMediaWebPage"))).toEqual([]);
  expect(attachmentsOf(undefined)).toEqual([]);
  expect(fileOf(undefined)).toBeNull();
});

test("of a photo the largest size is taken, also one that is sent in steps", () => {
  const steps = { _: "photoSizeProgressive", type: "y", w: 900, h: 900, sizes: [10, 500, 70] };
  const found = fileOf(photo([{ _: "photoStrippedSize", type: "i" }, size("s", 90, 5), steps, size("m", 320, 50)]));
  expect(found).toMatchObject({ bytes: 500, location: { thumbSize: "y" } });
});

test("media to be seen once is left to the owner alone", () => {
  expect(fileOf(document("audio/ogg", [], { voice: true, ttlSeconds: 60 }))).toBeNull();
});

test("the file is found again by its message, in a person's dialog only", () => {
  const message = (peerId: object) =>
    mediaField({ id: 5, peerId, media: document("audio/ogg", [attribute("Audio", { duration: 3 })]) } as tl.RawMessage);
  expect(message({ _: "peerUser", userId: 700 })).toEqual({
    media: [{ kind: "speech", name: "Аудио", at: { message: 5, user: 700 }, bytes: 10, seconds: 3 }],
  });
  expect(message({ _: "peerChat", chatId: 1 })).toEqual({});
});
