/** Converts VK's events to `Inbound`. Only people's private messages to the community are for the twin. */
import * as z from "zod/mini";
import type { ContextChange, Inbound, Reported, UnreadEvent } from "#server/inbox/channel-protocol/channel.ts";
import { type Content, joined, lineFor, nothingLost } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, NumericId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { editTo } from "#server/inbox/channel-protocol/message-change.ts";
import { attachmentsOf, VK_CONTENT } from "./attachments.ts";

/** https://dev.vk.com/ru/api/community-events/json-schema */
const Event = z.object({ type: z.string(), group_id: NumericId, object: z.unknown() });
/** Events that a person causes; all others are not requested. */
const OF_PEOPLE = new Set<unknown>(["message_new", "message_reply", "message_edit", "message_allow", "message_deny"]);

/** Ids of group chats begin here. */
const GROUP_CHATS = 2_000_000_000;

const list = z.catch(z._default(z.array(z.unknown()), []), []);
export const Message = z.object({
  id: z.catch(z._default(z.int(), 0), 0),
  date: z.int(),
  peer_id: z.int().check(z.refine((id) => id !== 0)),
  from_id: z.int().check(z.refine((id) => id !== 0)),
  conversation_message_id: NumericId,
  text: z.catch(z._default(z.string(), ""), ""),
  attachments: list,
  fwd_messages: list,
  geo: z.optional(z.unknown()),
  action: z.optional(z.unknown()),
  /** Id of the community's manager who wrote the message by hand. */
  admin_author_id: z.optional(z.number()),
});
type Message = z.infer<typeof Message>;

/** @param groupId the community whose events count; null: not known yet */
export function reportedOf(body: unknown, groupId: number | null): Reported | null {
  if (!OF_PEOPLE.has(fieldOf(body, "type"))) return null;
  const event = Event.safeParse(body).data;
  if (event === undefined) return unidentified(body);
  if (groupId !== null && event.group_id !== groupId) return null;
  if (event.type === "message_allow" || event.type === "message_deny") return consentOf(event) ?? unidentified(body);
  const reported = reportedOfMessage(fieldOf(event.object, "message") ?? event.object);
  if (reported !== null && "unread" in reported) return unidentified(body);
  if (reported === null || event.type !== "message_edit") return reported;
  return editTo(reported, { by: "position", ids: [reported.position] });
}

/**
 * Returns null for what is not for the twin: group chats, other communities, and messages that we or other programs sent for the community.
 */
export function reportedOfMessage(raw: unknown): Inbound | UnreadEvent | null {
  if (Number(fieldOf(raw, "peer_id")) >= GROUP_CHATS) return null;
  const message = Message.safeParse(raw).data;
  if (message === undefined) return unidentified(raw);
  const { id, peer_id: peer, conversation_message_id: number, from_id: from, date } = message;
  if (peer < 0) return null;
  // In a private dialog only the two write: the person and the community.
  if (from > 0 && from !== peer) return unidentified(raw);
  const fromOwner = from < 0;
  if (fromOwner && message.admin_author_id === undefined) return null;
  const content = contentOf(message, raw);
  if (content === null) return null;
  return {
    // Built from the message, because the same event has different ids by Callback and by Long Poll.
    eventId: `${peer}:${number}`,
    ...(id > 0 ? { messageId: String(id) } : {}),
    conversation: String(peer),
    position: number,
    // VK's data archive has the same id, so a contact of the imported history is recognised.
    peer: { id: `id${peer}`, name: `id${peer}` },
    ...content,
    sentAt: new Date(date * 1000).toISOString(),
    automated: false,
    context: {},
    ...(fromOwner ? { fromOwner } : {}),
  };
}

const Consent = z.object({ user_id: NumericId });

/** A user has allowed the community to write to him, or has forbidden it. */
function consentOf({ type, object }: z.infer<typeof Event>): ContextChange | null {
  const consent = Consent.safeParse(object).data;
  if (consent === undefined) return null;
  return { conversation: String(consent.user_id), context: { denied: type === "message_deny" } };
}

/** How deep messages that forward messages are read. */
const FORWARDED_DEPTH = 10;
const FORWARDED_AT_MOST = 100;
const Forwarded = z.object({
  text: z.catch(z._default(z.string(), ""), ""),
  attachments: list,
  fwd_messages: list,
});

/** Forwarded words count as the contact's own, because he sends them to say the same. */
function forwardedIn(raw: readonly unknown[], depth = 0): z.infer<typeof Forwarded>[] {
  if (depth >= FORWARDED_DEPTH) return [];
  return raw.slice(0, FORWARDED_AT_MOST).flatMap((each) => {
    const read = Forwarded.safeParse(each).data;
    return read === undefined ? [] : [read, ...forwardedIn(read.fwd_messages, depth + 1)];
  });
}

/** Returns null for an event of the conversation that is no person's message. */
function contentOf({ text, attachments, fwd_messages: forwarded, geo, action }: Message, raw: unknown): Content | null {
  const quoted = forwardedIn(forwarded);
  const { heard, names, media } = attachmentsOf([...attachments, ...quoted.flatMap((each) => each.attachments)]);
  const content = {
    text: joined("\n", text, ...quoted.map((each) => each.text), ...heard),
    attachments: [
      ...names,
      ...forwarded.slice(0, 1).map(() => "Пересланное сообщение"),
      ...(geo === undefined || geo === null ? [] : [lineFor(VK_CONTENT, "geo", geo)!]),
    ],
    ...(media.length === 0 ? {} : { media }),
  };
  const isService = action !== undefined && content.text === "" && content.attachments.length === 0;
  return isService ? null : nothingLost(content, raw);
}
