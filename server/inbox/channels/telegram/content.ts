/** What a Telegram message consists of. https://core.telegram.org/bots/api#message */
import type { Message } from "grammy/types";
import * as z from "zod/mini";
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import {
  type Content,
  type ContentKinds,
  coordinates,
  joined,
  kindOf,
  lineFor,
  nothingLost,
} from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf, TextId } from "#server/inbox/channel-protocol/identifiers.ts";
import { richWords } from "./rich-words.ts";

const textsOf = (list: unknown, field: string, separator: string): string =>
  joined(separator, ...listOf(list).map((each) => fieldOf(each, field)));
const placeOf = (place: unknown): string => coordinates(fieldOf(place, "latitude"), fieldOf(place, "longitude"));

const SERVICE = { fate: "silent", name: "Служебное сообщение" } as const;

/** By the field of a message that holds the content; where several fields describe the same content, the first one names it. */
export const TELEGRAM_CONTENT: ContentKinds = {
  text: { fate: "read", name: "Текст" },
  rich_message: { fate: "read", name: "Оформленный текст" },
  live_photo: { fate: "line", name: "Живое фото" },
  photo: { fate: "read", name: "Фото" },
  voice: { fate: "read", name: "Голосовое сообщение" },
  video_note: { fate: "line", name: "Видеосообщение" },
  video: { fate: "line", name: "Видео" },
  audio: { fate: "read", name: "Аудио" },
  sticker: { fate: "line", name: "Стикер" },
  animation: { fate: "line", name: "Анимация" },
  document: { fate: "line", name: "Файл" },
  contact: {
    fate: "read",
    name: "Контакт",
    facts: (contact) =>
      joined(
        ", ",
        joined(" ", fieldOf(contact, "first_name"), fieldOf(contact, "last_name")),
        fieldOf(contact, "phone_number"),
      ),
  },
  venue: {
    fate: "read",
    name: "Место",
    facts: (venue) =>
      joined(", ", fieldOf(venue, "title"), fieldOf(venue, "address"), placeOf(fieldOf(venue, "location"))),
  },
  location: { fate: "read", name: "Геопозиция", facts: placeOf },
  poll: {
    fate: "read",
    name: "Опрос",
    facts: (poll) => joined(" — ", fieldOf(poll, "question"), textsOf(fieldOf(poll, "options"), "text", " / ")),
  },
  checklist: {
    fate: "read",
    name: "Список дел",
    facts: (list) => joined(" — ", fieldOf(list, "title"), textsOf(fieldOf(list, "tasks"), "text", "; ")),
  },
  dice: { fate: "line", name: "Кубик", facts: (dice) => joined(" ", fieldOf(dice, "emoji"), fieldOf(dice, "value")) },
  game: {
    fate: "line",
    name: "Игра",
    facts: (game) => joined(" — ", fieldOf(game, "title"), fieldOf(game, "description")),
  },
  invoice: {
    fate: "line",
    name: "Счёт",
    facts: (invoice) => joined(" — ", fieldOf(invoice, "title"), fieldOf(invoice, "description")),
  },
  web_app_data: {
    fate: "read",
    name: "Ответ из мини-приложения",
    facts: (answer) => joined("", fieldOf(answer, "data")),
  },
  story: { fate: "unread", name: "История" },
  paid_media: { fate: "unread", name: "Платные фото и видео" },
  giveaway: { fate: "unread", name: "Розыгрыш" },
  giveaway_winners: { fate: "unread", name: "Итоги розыгрыша" },
  gift: { fate: "unread", name: "Подарок" },
  unique_gift: { fate: "unread", name: "Коллекционный подарок" },
  gift_upgrade_sent: { fate: "unread", name: "Улучшение подарка" },
  checklist_tasks_done: { fate: "unread", name: "Отметки в списке дел" },
  checklist_tasks_added: { fate: "unread", name: "Новые пункты списка дел" },
  successful_payment: { fate: "unread", name: "Оплата" },
  refunded_payment: { fate: "unread", name: "Возврат оплаты" },
  users_shared: { fate: "unread", name: "Выбранные люди" },
  chat_shared: { fate: "unread", name: "Выбранный чат" },
  passport_data: { fate: "unread", name: "Данные Telegram Passport" },
  proximity_alert_triggered: SERVICE,
  new_chat_members: SERVICE,
  left_chat_member: SERVICE,
  new_chat_title: SERVICE,
  new_chat_photo: SERVICE,
  delete_chat_photo: SERVICE,
  group_chat_created: SERVICE,
  supergroup_chat_created: SERVICE,
  channel_chat_created: SERVICE,
  migrate_to_chat_id: SERVICE,
  migrate_from_chat_id: SERVICE,
  message_auto_delete_timer_changed: SERVICE,
  pinned_message: SERVICE,
  connected_website: SERVICE,
  write_access_allowed: SERVICE,
  boost_added: SERVICE,
  chat_background_set: SERVICE,
  chat_owner_left: SERVICE,
  chat_owner_changed: SERVICE,
  community_chat_added: SERVICE,
  community_chat_joined: SERVICE,
  community_chat_removed: SERVICE,
  managed_bot_created: SERVICE,
  poll_option_added: SERVICE,
  poll_option_deleted: SERVICE,
  forum_topic_created: SERVICE,
  forum_topic_edited: SERVICE,
  forum_topic_closed: SERVICE,
  forum_topic_reopened: SERVICE,
  general_forum_topic_hidden: SERVICE,
  general_forum_topic_unhidden: SERVICE,
  giveaway_created: SERVICE,
  giveaway_completed: SERVICE,
  paid_message_price_changed: SERVICE,
  direct_message_price_changed: SERVICE,
  suggested_post_info: SERVICE,
  suggested_post_approved: SERVICE,
  suggested_post_approval_failed: SERVICE,
  suggested_post_declined: SERVICE,
  suggested_post_paid: SERVICE,
  suggested_post_refunded: SERVICE,
  video_chat_scheduled: SERVICE,
  video_chat_started: SERVICE,
  video_chat_ended: SERVICE,
  video_chat_participants_invited: SERVICE,
};
const WORDS = new Set(["text", "rich_message"]);

/** Fields that describe a message and are no content. */
const DESCRIBING = new Set(
  `message_id message_thread_id from sender_chat date guest_query_id business_connection_id chat is_topic_message
  direct_messages_topic sender_tag receiver_user ephemeral_message_id sender_boost_count sender_business_bot forward_origin
  is_automatic_forward reply_to_message reply_to_checklist_task_id reply_to_poll_option_id is_paid_post external_reply quote
  reply_to_story via_bot guest_bot_caller_user guest_bot_caller_chat edit_date has_protected_content show_caption_above_media
  is_from_offline author_signature link_preview_options effect_id paid_star_count reply_markup caption caption_entities entities
  media_group_id has_media_spoiler forward_from forward_from_chat forward_from_message_id forward_signature forward_sender_name
  forward_date`.split(/\s+/),
);

/** Returns null for a service message. */
export function contentOf(message: Message): Content | null {
  const fields = Object.entries(message).filter(([field, value]) => !DESCRIBING.has(field) && value != null);
  const present = new Map<string, unknown>(fields);
  const text = joined("\n", message.text ?? message.caption, richWords(message.rich_message));
  const [known] = Object.keys(TELEGRAM_CONTENT).filter(
    (kind) => present.has(kind) && !WORDS.has(kind) && TELEGRAM_CONTENT[kind]!.fate !== "silent",
  );
  const line = known === undefined ? null : lineFor(TELEGRAM_CONTENT, known, present.get(known));
  if (text !== "" || line !== null) {
    return nothingLost({ text, attachments: line === null ? [] : [line], ...mediaField(message) }, message);
  }
  const silent = [...present.keys()].some((kind) => kindOf(TELEGRAM_CONTENT, kind)?.fate === "silent");
  if (silent) return null;
  // Telegram delivers content that the Bot API does not know without any field of its own.
  const [unknown] = [...present.keys()].filter((kind) => kindOf(TELEGRAM_CONTENT, kind) === undefined);
  const lines = unknown === undefined ? [] : [lineFor(TELEGRAM_CONTENT, unknown)!];
  return nothingLost({ text: "", attachments: lines }, message);
}

const said = z.catch(z.optional(z.string()), undefined);
const count = z.catch(z.optional(z.number()), undefined);
const File = z.object({ file_id: TextId, file_size: count, duration: count, mime_type: said });

/** Returns the message's recording or picture; a picture in its largest size. */
function mediaField({ voice, audio, photo, document }: Message): { media?: PlatformMedia[] } {
  if (voice !== undefined) return attached("speech", "Голосовое сообщение", voice);
  if (audio !== undefined) return attached("speech", "Аудио", audio);
  if (photo !== undefined) return attached("picture", "Фото", listOf(photo).at(-1));
  const isPicture = /^image\/(?:jpeg|png|webp)$/.test(String(fieldOf(document, "mime_type")));
  return isPicture ? attached("picture", "Файл", document) : {};
}

function attached(kind: PlatformMedia["kind"], name: string, raw: unknown): { media?: PlatformMedia[] } {
  const file = File.safeParse(raw).data;
  if (file === undefined) return {};
  const { file_id: fileId, file_size: bytes, duration: seconds } = file;
  const told = { ...(bytes === undefined ? {} : { bytes }), ...(seconds === undefined ? {} : { seconds }) };
  return { media: [{ kind, name, at: { fileId }, ...told }] };
}
