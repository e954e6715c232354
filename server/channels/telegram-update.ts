/** Telegram's updates in the words of every channel. */
import type { Message, Update } from "grammy/types";
import type { Inbound } from "./channel.ts";
import { storable } from "./storable.ts";

const ATTACHMENTS: [field: string, name: string][] = [
  ["photo", "Фото"],
  ["voice", "Голосовое сообщение"],
  ["video_note", "Видеосообщение"],
  ["video", "Видео"],
  ["audio", "Аудио"],
  ["sticker", "Стикер"],
  ["animation", "Анимация"],
  ["document", "Файл"],
  ["contact", "Контакт"],
  ["location", "Геопозиция"],
  ["poll", "Опрос"],
];

/** null for what is not for the twin: groups, channels, joins and leaves. */
export function inboundOf(update: Update): Inbound | null {
  const message = update?.message;
  if (message?.chat?.type !== "private" || message.from === undefined) return null;
  const { from } = message;
  const attachments = attachmentsOf(message);
  const text = storable(message.text ?? message.caption ?? "");
  if (text === "" && attachments.length === 0) return null;
  return {
    eventId: String(update.update_id),
    conversation: String(message.chat.id),
    position: message.message_id,
    // The same in export files: a contact of the imported history is known again.
    peer: {
      id: `user${from.id}`,
      name: storable([from.first_name, from.last_name].filter(Boolean).join(" ")) || "Без имени",
      ...(from.username ? { handle: `@${from.username}` } : {}),
    },
    text,
    attachments,
    sentAt: new Date(message.date * 1000).toISOString(),
    automated: from.is_bot || message.via_bot !== undefined,
  };
}

const attachmentsOf = (message: Message): string[] =>
  ATTACHMENTS.filter(([field]) => field in message)
    .slice(0, 1)
    .map(([, name]) => name);
