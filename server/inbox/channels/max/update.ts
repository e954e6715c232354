/** Converts MAX's updates (https://dev.max.ru/docs-api/objects/Update) to `Inbound`. */
import * as z from "zod/mini";
import { type Inbound, isInbound, type Reported, type UnreadEvent } from "#server/inbox/channel-protocol/channel.ts";
import { nothingLost } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, NumericId, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { editTo } from "#server/inbox/channel-protocol/message-change.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { Attachment, mediaField, nameOfAttachment } from "./attachments.ts";

export const UPDATE_TYPES = ["message_created", "message_edited", "message_removed", "bot_started", "bot_stopped"];

const said = z.optional(z.nullable(z.string()));
const ChatId = z.int().check(z.refine((id) => id !== 0));
const User = z.object({
  user_id: NumericId,
  first_name: said,
  last_name: said,
  name: said,
  username: said,
  is_bot: z.optional(z.boolean()),
});
type User = z.infer<typeof User>;

const Body = z.object({
  text: z.catch(said, undefined),
  attachments: z.catch(z.optional(z.nullable(z.array(Attachment))), undefined),
});
const Message = z.object({
  sender: User,
  recipient: z.object({ chat_id: ChatId, user_id: z.optional(z.nullable(NumericId)) }),
  timestamp: z.int(),
  body: z.extend(Body, { mid: TextId }),
  link: z.catch(z.optional(z.nullable(z.object({ type: z.string(), message: z.optional(Body) }))), undefined),
});
type Message = z.infer<typeof Message>;

const ChatEvent = z.object({ chat_id: ChatId, user: User, timestamp: z.int() });

const Removed = z.object({ message_id: TextId, chat_id: ChatId });

const STOPPED = "Остановил бота";
/** Maximum number of attachments that are read. An album has ten pictures at most. */
const ATTACHMENTS_AT_MOST = 12;

/** Chats with more people than two, where a twin never answers. */
const GROUPS = new Set<unknown>(["chat", "channel"]);

/** Returns an id for an update, because the platform gives none. An unparsable update has one too. */
export function nameOfUpdate(update: unknown): string {
  const body = fieldOf(fieldOf(update, "message"), "body");
  const parts = ["update_type", "timestamp", "chat_id", "message_id"].map((name) => fieldOf(update, name));
  return [...parts, fieldOf(body, "mid"), fieldOf(fieldOf(update, "user"), "user_id")]
    .map((part) => String(part ?? "").slice(0, 100))
    .join(" ");
}

/**
 * Returns null for what is not for the twin: groups, channels, and kinds of updates that were not requested.
 * @param botId the bot's own id; null: not known yet
 */
export function reportedOf(update: unknown, botId: string | null): Reported | null {
  const type = fieldOf(update, "update_type");
  if (type === "bot_started" || type === "bot_stopped") {
    const event = ChatEvent.safeParse(update).data;
    return event === undefined ? unidentified(update) : ofChat(type, event);
  }
  if (type === "message_removed") {
    const removed = Removed.safeParse(update).data;
    // An update does not tell a dialog from a group; in a group no message is known.
    if (removed === undefined) return unidentified(update);
    const { chat_id: chat, message_id: id } = removed;
    return { conversation: String(chat), messages: { by: "messageId", ids: [id] }, content: null };
  }
  if (type !== "message_created" && type !== "message_edited") return null;
  const message = fieldOf(update, "message");
  const chat = fieldOf(fieldOf(message, "recipient"), "chat_type");
  if (GROUPS.has(chat)) return null;
  const read = Message.safeParse(message).data;
  if (chat !== "dialog" || read === undefined) return unidentified(update);
  const reported = ofMessage(read, botId, update);
  if (type === "message_created" || !isInbound(reported)) return reported;
  return editTo(reported, { by: "messageId", ids: [reported.eventId] });
}

/** A person who presses «Начать» is greeted as after «/start». A person who stops the bot gets no messages until the next start. */
function ofChat(type: "bot_started" | "bot_stopped", { chat_id: chat, user, timestamp }: z.infer<typeof ChatEvent>) {
  const stopped = type === "bot_stopped";
  return {
    eventId: `${type} ${chat} ${user.user_id} ${timestamp}`,
    conversation: String(chat),
    position: timestamp,
    peer: peerOf(user),
    text: stopped ? "" : "/start",
    attachments: stopped ? [STOPPED] : [],
    sentAt: new Date(timestamp).toISOString(),
    automated: false,
    ...(stopped ? { stopped, joinsOnly: true } : {}),
  };
}

function ofMessage(
  { sender, recipient, timestamp, body, link }: Message,
  botId: string | null,
  update: unknown,
): Inbound | UnreadEvent {
  // The bot's own account: our send, or the owner's message by another program. In a dialog the recipient is the contact.
  const fromOwner = String(sender.user_id) === botId;
  const contact = fromOwner ? recipient.user_id : sender.user_id;
  if (contact === undefined || contact === null) return unidentified(update);
  // A forwarded message counts as the contact's own words, because he sends it to say the same.
  const forwarded = link?.type === "forward" ? link.message : undefined;
  const text = [body, forwarded].map((part) => sanitizeText(part?.text ?? "")).filter((part) => part !== "");
  const attached = [...(body.attachments ?? []), ...(forwarded?.attachments ?? [])];
  const attachments = attached.flatMap(nameOfAttachment);
  return {
    eventId: body.mid,
    messageId: body.mid,
    conversation: String(recipient.chat_id),
    position: timestamp,
    peer: fromOwner ? { id: contactId(contact), name: "Собеседник" } : peerOf(sender),
    ...nothingLost(
      { text: text.join("\n"), attachments: attachments.slice(0, ATTACHMENTS_AT_MOST), ...mediaField(attached) },
      update,
    ),
    sentAt: new Date(timestamp).toISOString(),
    automated: !fromOwner && sender.is_bot === true,
    ...(fromOwner ? { fromOwner, joinsOnly: true } : {}),
  };
}

const contactId = (id: number): string => `max${id}`;

function peerOf({ user_id: id, first_name, last_name, name, username }: User): Inbound["peer"] {
  const whole = sanitizeText([first_name, last_name].filter(Boolean).join(" "));
  return {
    id: contactId(id),
    name: whole || sanitizeText(name ?? "") || "Без имени",
    ...(username ? { handle: `@${sanitizeText(username)}` } : {}),
  };
}
