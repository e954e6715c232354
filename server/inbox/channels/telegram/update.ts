/** Converts Telegram's updates to `Inbound` and notices. */
import type { Message, Update } from "grammy/types";
import * as z from "zod/mini";
import type {
  BusinessConnectionChange,
  ButtonPress,
  Inbound,
  MessageChange,
  Reported,
} from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, NumericId, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { editTo } from "#server/inbox/channel-protocol/message-change.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { contentOf } from "./content.ts";

/** The kinds of updates that the bot requests; all others would be ignored. */
export const ALLOWED_UPDATES = [
  "message",
  "edited_message",
  "callback_query",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages",
] as const;

const User = z.object({ id: NumericId });
const PrivateChat = z.object({ id: NumericId, type: z.literal("private") });
/** The ids of a private message, by which it is counted to a person and recognised when it comes again. */
const PrivateMessage = z.object({ message_id: NumericId, from: User, chat: PrivateChat });
const BusinessMessage = z.extend(PrivateMessage, { business_connection_id: TextId });

/** The ids of each kind of update. What lacks them is kept for the owner, and never counted to another person. */
const IDS = {
  message: PrivateMessage,
  edited_message: PrivateMessage,
  business_message: BusinessMessage,
  edited_business_message: BusinessMessage,
  deleted_business_messages: z.object({
    business_connection_id: TextId,
    chat: PrivateChat,
    message_ids: z.array(NumericId),
  }),
  business_connection: z.object({ id: TextId, user: User }),
  callback_query: z.object({ id: TextId, from: User }),
};
const UpdateId = z.int().check(z.nonnegative());

/** Chats with more people than two, where a twin never answers. */
const GROUPS = new Set<unknown>(["group", "supergroup", "channel"]);

/** Returns null for what is not for the twin: groups, channels, joins and leaves. */
export function reportedOf(update: unknown): Reported | null {
  const kind = ALLOWED_UPDATES.find((name) => fieldOf(update, name) !== undefined);
  if (kind === undefined) return null;
  const content = fieldOf(update, kind);
  if (GROUPS.has(fieldOf(fieldOf(content, "chat"), "type"))) return null;
  if (!UpdateId.safeParse(fieldOf(update, "update_id")).success || !IDS[kind].safeParse(content).success)
    return unidentified(update);
  const known = update as Update;
  if (kind === "callback_query") return pressOf(known);
  if (kind === "business_connection") return connectionChangeOf(known);
  if (kind === "message") return inboundOf(known);
  if (kind === "business_message") return businessInbound(known.update_id, known.business_message!);
  if (kind === "deleted_business_messages") return deletionOf(known);
  return editOf(known.edited_message ?? known.edited_business_message!, known.update_id);
}

function inboundOf({ update_id, message }: Update): Inbound | null {
  const inbound = privateInbound(update_id, message!);
  return inbound === null ? null : { ...inbound, toBot: toBotOf(message!) };
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
  const { chat, business_connection_id: connection } = message;
  const from = message.from!;
  if (message.sender_business_bot !== undefined || message.is_from_offline === true) return null;
  // The contact is the other person of the chat, whichever side has written.
  const inbound = privateInbound(updateId, { ...message, from: { ...chat, is_bot: from.is_bot } } as Message);
  if (inbound === null) return null;
  return {
    ...inbound,
    conversation: businessChat(connection!, chat.id),
    messageId: String(message.message_id),
    fromOwner: from.id !== chat.id,
    lentBy: connection!,
    context: { ...inbound.context, lentBy: connection },
  };
}

function deletionOf({ deleted_business_messages: deleted }: Update): MessageChange {
  const { business_connection_id: connection, chat, message_ids: ids } = deleted!;
  return { conversation: businessChat(connection, chat.id), messages: { by: "position", ids }, content: null };
}

/** Returns null for an edit of a service message, and for each move of a location that is shared live. */
function editOf(edited: Message, updateId: number): MessageChange | null {
  if (edited.location !== undefined) return null;
  const inbound =
    edited.business_connection_id === undefined
      ? inboundOf({ update_id: updateId, message: edited as Update["message"] } as Update)
      : businessInbound(updateId, edited);
  if (inbound === null) return null;
  return editTo(inbound, { by: "position", ids: [edited.message_id] });
}

const nameOf = ({ first_name, last_name }: { first_name: string; last_name?: string }): string =>
  sanitizeText([first_name, last_name].filter(Boolean).join(" ")) || "Без имени";

function privateInbound(updateId: number, message: Message): Inbound | null {
  const from = message.from!;
  const content = contentOf(message);
  if (content === null) return null;
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
    ...content,
    sentAt: new Date(message.date * 1000).toISOString(),
    automated: from.is_bot || message.via_bot !== undefined,
    ...(message.is_topic_message === true && message.message_thread_id !== undefined
      ? { context: { threadId: message.message_thread_id } }
      : {}),
  };
}
