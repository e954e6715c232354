/** Recordings and pictures are not read: the twin sees the line that names them, «[Голосовое сообщение]», and nothing more. */
import type { Recognize } from "./recognizer.ts";

export const off: Recognize = async () => ({
  ok: false,
  kind: "off",
  message: "Голосовые сообщения и картинки здесь не читаются: это можно включить на странице «Модель».",
});
