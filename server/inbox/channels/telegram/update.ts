/** Converts Telegram's updates to `Inbound` and notices. */
import type { Message, Update } from "grammy/types";
import type {
  BusinessConnectionChange,
  ButtonPress,
  Inbound,
  MessageChange,
  Notice,
  PlatformMedia,
} from "#server/inbox/channel-protocol/channel.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

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

/** The kinds of updates that the bot requests; all others would be ignored. */
export const ALLOWED_UPDATES = [
  "message",
  "callback_query",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
] as const;

/** Returns the notice in an update; null for any other update. */
export function noticeOf(update: Update): Notice | null {
  if (update?.callback_query !== undefined) return pressOf(update);
  return update?.business_connection === undefined ? amendmentOf(update) : connectionChangeOf(update);
}

/** Returns null for what is not for the twin: groups, channels, joins and leaves. */
export function inboundOf(update: Update): Inbound | null {
  if (update?.business_message !== undefined) return businessInbound(update.update_id, update.business_message);
  const inbound = privateInbound(update?.update_id, update?.message);
  return inbound === null ? null : { ...inbound, toBot: toBotOf(update.message!) };
}

/** The code after «/start» is the end of the link that opened the bot (https://core.telegram.org/bots/features#deep-linking). */
function toBotOf({ text = "", reply_to_message: answered }: Message): NonNullable<Inbound["toBot"]> {
  const code = /^\/start ([\w-]{1,64})$/.exec(text)?.[1];
  return {
    ...(code === undefined ? {} : { code }),
    ...(answered === undefined ? {} : { replyTo: String(answered.message_id) }),
  };
}

/** A button under a message that Telegram no longer identifies belongs to no notice. */
function pressOf({ update_id, callback_query: query }: Update): ButtonPress {
  const { id, from, message, data = "" } = query!;
  const place = { chat: String(message?.chat.id ?? ""), messageId: String(message?.message_id ?? "") };
  return { press: { id, by: String(from.id), ...place, data }, eventId: String(update_id) };
}

function connectionChangeOf({ update_id: order, business_connection }: Update): BusinessConnectionChange {
  const { id, user, rights, is_enabled: enabled } = business_connection!;
  return { connection: { externalId: id, name: nameOf(user), canReply: rights?.can_reply === true, enabled }, order };
}

/** A chat of a connected account differs from the bot's own chat with the same person. */
const businessChat = (connection: string, chat: number): string => `business:${connection}:${chat}`;

/** Returns where to send: the chat's number, and its business connection, if any. */
export function chatOf(conversation: string): { chat: string; connection: string | null } {
  const found = /^business:(.+):(\d+)$/.exec(conversation);
  return found === null ? { chat: conversation, connection: null } : { chat: found[2]!, connection: found[1]! };
}

/**
 * In a private chat of a connected account, all messages that are not the contact's are the owner's. Exceptions are a bot's messages for
 * him (also our own answers) and Telegram's automatic greetings and scheduled messages.
 */
function businessInbound(updateId: number, message: Message): Inbound | null {
  const { chat, from, business_connection_id: connection } = message;
  if (chat?.type !== "private" || from === undefined || connection === undefined) return null;
  if (message.sender_business_bot !== undefined || message.is_from_offline === true) return null;
  // The contact is the other person of the chat, whichever side has written.
  const inbound = privateInbound(updateId, { ...message, from: { ...chat, is_bot: from.is_bot } } as Message);
  if (inbound === null) return null;
  return {
    ...inbound,
    conversation: businessChat(connection, chat.id),
    messageId: String(message.message_id),
    fromOwner: from.id !== chat.id,
    lentBy: connection,
    context: { lentBy: connection },
  };
}

function amendmentOf(update: Update): MessageChange | null {
  const { edited_business_message: edited, deleted_business_messages: deleted } = update ?? {};
  if (deleted !== undefined) {
    const conversation = businessChat(deleted.business_connection_id, deleted.chat.id);
    return { conversation, positions: deleted.message_ids, text: null };
  }
  if (edited?.business_connection_id === undefined) return null;
  const conversation = businessChat(edited.business_connection_id, edited.chat.id);
  return { conversation, positions: [edited.message_id], text: sanitizeText(edited.text ?? edited.caption ?? "") };
}

const nameOf = ({ first_name, last_name }: { first_name: string; last_name?: string }): string =>
  sanitizeText([first_name, last_name].filter(Boolean).join(" ")) || "Без имени";

function privateInbound(updateId: number, message: Message | undefined): Inbound | null {
  if (message?.chat?.type !== "private" || message.from === undefined) return null;
  const { from } = message;
  const attachments = attachmentsOf(message);
  const text = sanitizeText(message.text ?? message.caption ?? "");
  if (text === "" && attachments.length === 0) return null;
  return {
    eventId: String(updateId),
    conversation: String(message.chat.id),
    position: message.message_id,
    // Export files have the same id, so a contact of the imported history is recognised.
    peer: {
      id: `user${from.id}`,
      name: nameOf(from),
      ...(from.username ? { handle: `@${from.username}` } : {}),
    },
    text,
    attachments,
    ...mediaField(message),
    sentAt: new Date(message.date * 1000).toISOString(),
    automated: from.is_bot || message.via_bot !== undefined,
  };
}

const attachmentsOf = (message: Message): string[] =>
  ATTACHMENTS.filter(([field]) => field in message)
    .slice(0, 1)
    .map(([, name]) => name);

/** Returns the message's recording or picture; a picture in its largest size. */
function mediaField({ voice, audio, photo, document }: Message): { media?: PlatformMedia[] } {
  const sound = voice ?? audio;
  if (sound !== undefined) {
    const name = voice === undefined ? "Аудио" : "Голосовое сообщение";
    return { media: [attached("speech", name, sound.file_id, sound.file_size, sound.duration)] };
  }
  const largest = photo?.at(-1);
  if (largest !== undefined) return { media: [attached("picture", "Фото", largest.file_id, largest.file_size)] };
  if (document === undefined || !/^image\/(?:jpeg|png|webp)$/.test(document.mime_type ?? "")) return {};
  return { media: [attached("picture", "Файл", document.file_id, document.file_size)] };
}

const attached = (
  kind: PlatformMedia["kind"],
  name: string,
  fileId: string,
  bytes?: number,
  seconds?: number,
): PlatformMedia => ({
  ...{ kind, name, at: { fileId } },
  ...(bytes === undefined ? {} : { bytes }),
  ...(seconds === undefined ? {} : { seconds }),
});
