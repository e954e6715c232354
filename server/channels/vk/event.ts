/** Converts VK's events into the form that every channel uses. Only people's private messages to the community are for the twin. */
import * as z from "zod/mini";
import type { ContextChange, Inbound } from "../protocol/channel.ts";
import { sanitizeText } from "../protocol/sanitize-text.ts";

/** https://dev.vk.com/ru/api/community-events/json-schema */
const Event = z.object({ type: z.string(), group_id: z.number(), object: z.unknown() });

/** Ids of group chats begin here. */
const GROUP_CHATS = 2_000_000_000;

const list = z._default(z.array(z.unknown()), []);
export const Message = z.object({
  id: z._default(z.number(), 0),
  date: z.number(),
  peer_id: z.number(),
  from_id: z.number(),
  conversation_message_id: z.number(),
  text: z._default(z.string(), ""),
  attachments: list,
  fwd_messages: list,
  geo: z.optional(z.unknown()),
  /** Who of the community's managers has written it by hand. */
  admin_author_id: z.optional(z.number()),
});
type Message = z.infer<typeof Message>;

/** @param groupId the community whose events count; null: not known yet */
export function inboundOf(body: unknown, groupId: number | null): Inbound | null {
  const event = Event.safeParse(body).data;
  if (event === undefined || (groupId !== null && event.group_id !== groupId)) return null;
  if (event.type !== "message_new" && event.type !== "message_reply") return null;
  const { message } = (event.object ?? {}) as { message?: unknown };
  return inboundOfMessage(message ?? event.object);
}

/** null for what is not for the twin: group chats, other communities, and whatever we or other programs have sent for the community. */
export function inboundOfMessage(raw: unknown): Inbound | null {
  const message = Message.safeParse(raw).data;
  if (message === undefined) return null;
  const { id, peer_id: peer, conversation_message_id: number, from_id: from, date } = message;
  if (peer <= 0 || peer >= GROUP_CHATS) return null;
  const fromOwner = from < 0;
  if (fromOwner && message.admin_author_id === undefined) return null;
  const { text, attachments } = contentOf(message);
  if (text === "" && attachments.length === 0) return null;
  return {
    // Of the message: the same by Callback and by Long Poll, whose events have ids of their own.
    eventId: `${peer}:${number}`,
    ...(id > 0 ? { messageId: String(id) } : {}),
    conversation: String(peer),
    position: number,
    // The same in the archive of data: a contact of the imported history is known again.
    peer: { id: `id${peer}`, name: `id${peer}` },
    text,
    attachments,
    sentAt: new Date(date * 1000).toISOString(),
    automated: false,
    context: {},
    ...(fromOwner ? { fromOwner } : {}),
  };
}

const Consent = z.object({ user_id: z.number() });

/** Somebody has allowed the community to write to him, or has forbidden it. */
export function consentOf(body: unknown, groupId: number | null): ContextChange | null {
  const event = Event.safeParse(body).data;
  if (event === undefined || (groupId !== null && event.group_id !== groupId)) return null;
  if (event.type !== "message_allow" && event.type !== "message_deny") return null;
  const consent = Consent.safeParse(event.object).data;
  if (consent === undefined) return null;
  return { conversation: String(consent.user_id), context: { denied: event.type === "message_deny" } };
}

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

const Attachment = z.object({
  type: z.string(),
  audio_message: z.optional(z.object({ transcript: z.optional(z.string()) })),
  market: z.optional(z.object({ title: z.optional(z.string()) })),
});

/** What VK has understood of a voice message is its text: the attachment's name before it says that it was spoken. */
function contentOf({
  text,
  attachments,
  fwd_messages: forwarded,
  geo,
}: Message): Pick<Inbound, "text" | "attachments"> {
  const read = attachments.flatMap((each) => Attachment.safeParse(each).data ?? []);
  const said = read.map(({ audio_message: voice }) => sanitizeText(voice?.transcript ?? ""));
  return {
    text: [sanitizeText(text), ...said].filter((words) => words !== "").join("\n"),
    attachments: [
      ...read.map(({ type, market }) => {
        const title = sanitizeText(market?.title ?? "").slice(0, TITLE_CHARS);
        return title === "" ? (NAMES[type] ?? "Вложение") : `Товар: ${title}`;
      }),
      ...forwarded.slice(0, 1).map(() => "Пересланное сообщение"),
      ...(geo === undefined ? [] : ["Геопозиция"]),
    ],
  };
}
