/** The words of a formatted message: its blocks as lines. https://core.telegram.org/bots/api#richmessage */
import { coordinates } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf } from "#server/inbox/channel-protocol/identifiers.ts";

/** A message is foreign data, so it may be nested without end. */
const DEPTH = 30;
const PARTS = 20_000;

const MEDIA: Readonly<Record<string, string>> = {
  photo: "Фото",
  video: "Видео",
  animation: "Анимация",
  audio: "Аудио",
  voice_note: "Голосовое сообщение",
  document: "Файл",
};

export function richWords(message: unknown): string {
  let left = PARTS;
  const inline = (part: unknown, depth: number): string => {
    if (left-- <= 0 || depth > DEPTH) return "";
    if (typeof part === "string") return part;
    if (Array.isArray(part)) return part.map((each) => inline(each, depth + 1)).join("");
    const inner = fieldOf(part, "text") ?? fieldOf(part, "expression") ?? fieldOf(part, "alternative_text");
    return inner === undefined ? "" : inline(inner, depth + 1);
  };
  const lines = (block: unknown, depth: number): string[] => {
    if (left-- <= 0 || depth > DEPTH) return [];
    if (Array.isArray(block)) return block.flatMap((each) => lines(each, depth + 1));
    if (typeof block !== "object" || block === null) return [];
    const type = fieldOf(block, "type");
    const media = typeof type === "string" && Object.hasOwn(MEDIA, type) ? [`[${MEDIA[type]}]`] : [];
    const location = fieldOf(block, "location");
    const place = coordinates(fieldOf(location, "latitude"), fieldOf(location, "longitude"));
    const cells = fieldOf(block, "cells");
    const rows = (Array.isArray(cells) ? cells : []).map((row: unknown) =>
      (Array.isArray(row) ? row : []).map((cell) => inline(cell, depth + 1)).join(" | "),
    );
    const caption = fieldOf(block, "caption");
    return [
      ...media,
      ...(place === "" ? [] : [`[Карта: ${place}]`]),
      inline(fieldOf(block, "summary"), depth + 1),
      inline(fieldOf(block, "text") ?? fieldOf(block, "expression"), depth + 1),
      ...rows,
      ...lines(fieldOf(block, "blocks"), depth + 1),
      ...lines(fieldOf(block, "items"), depth + 1),
      inline(caption, depth + 1),
      inline(fieldOf(caption, "credit") ?? fieldOf(block, "credit"), depth + 1),
    ];
  };
  return lines(fieldOf(message, "blocks"), 0)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
