/** Recordings and pictures are not read: the twin sees only a placeholder line such as «[Голосовое сообщение]». */
import type { Recognize } from "./recognizer.ts";

export const off: Recognize = async () => ({
  ok: false,
  kind: "off",
  message: "Голосовые сообщения и картинки здесь не читаются: это можно включить на странице «Модель».",
});
