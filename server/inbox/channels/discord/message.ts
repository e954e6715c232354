/** Converts Discord's messages to `Inbound`. Only people's direct messages are for the twin. */
import type { APIMessage } from "@discordjs/core";
import * as z from "zod/mini";
import { isInbound, type MessageChange, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { editTo } from "#server/inbox/channel-protocol/message-change.ts";
import { contentOf, nameOf } from "./content.ts";

/** A message as the gateway sends it; one that is fetched has no `guild_id`. */
export type DiscordMessage = APIMessage & { guild_id?: string };

const Snowflake = z.string().check(z.regex(/^[1-9]\d{0,19}$/));
/** The ids of a direct message, by which it is counted to a person and recognised when it comes again. */
export const DirectMessage = z.object({ id: Snowflake, channel_id: Snowflake, author: z.object({ id: Snowflake }) });

/** Most events of a server's gateway are not for us and are dropped at once. */
export const isDirect = (message: unknown): boolean =>
  !Snowflake.safeParse(fieldOf(message, "guild_id")).success && !isOfProgram(fieldOf(message, "author"));
const isOfProgram = (author: unknown): boolean => fieldOf(author, "bot") === true || fieldOf(author, "system") === true;

/** Returns null for what is not for the twin. */
export function reportedOf(raw: unknown): Reported | null {
  if (!isDirect(raw)) return null;
  if (!DirectMessage.safeParse(raw).success) return unidentified(raw);
  const message = raw as DiscordMessage;
  const { id, author, channel_id: conversation } = message;
  const content = contentOf(message);
  if (content === null) return null;
  return {
    eventId: id,
    messageId: id,
    conversation,
    // The position is a snowflake's time and most of its counter, because the whole exceeds a number's precision.
    position: Number(BigInt(id) >> 10n),
    // Exports have ids of this form.
    peer: { id: author.id, name: nameOf(author) },
    ...content,
    sentAt: new Date(message.timestamp).toISOString(),
    automated: false,
  };
}

/** Returns null for an edit that is not for the twin. Discord sends one also when it adds the preview of a link. */
export function editOf(raw: unknown): Reported | null {
  const reported = reportedOf(raw);
  if (reported === null || !isInbound(reported)) return reported;
  const { instead, ...change } = editTo(reported, { by: "messageId", ids: [reported.eventId] });
  const edited = typeof fieldOf(raw, "edited_timestamp") === "string";
  return edited && instead !== undefined ? { ...change, instead } : change;
}

const Deleted = z.object({ id: Snowflake, channel_id: Snowflake, guild_id: z.optional(z.null()) });

/** A deletion names no person, so it counts only in a conversation that is known. */
export function deletionOf(raw: unknown): MessageChange | null {
  const deleted = Deleted.safeParse(raw).data;
  if (deleted === undefined) return null;
  return { conversation: deleted.channel_id, messages: { by: "messageId", ids: [deleted.id] }, content: null };
}
