/** Converts Slack's events to `Inbound`. Only people's direct messages are for the twin. */
import * as z from "zod/mini";
import { isInbound, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { contentOf } from "./content.ts";

const Envelope = z.object({
  type: z.literal("event_callback"),
  team_id: TextId,
  event: z.object({
    type: z.literal("message"),
    channel_type: z.literal("im"),
    channel: TextId,
    user: TextId,
    ts: z.string().check(z.regex(/^\d{10}\.\d{6}$/)),
    thread_ts: z.catch(z.optional(z.string()), undefined),
  }),
});

/** Where a message is not to the app: mentions in a channel are not answered, because groups never are. */
const GROUPS = new Set<unknown>(["channel", "group", "mpim", "app_home"]);

/** @param teamId the workspace whose messages count, because one app may serve several; null: not known yet */
export function reportedOf(body: unknown, teamId: string | null): Reported | null {
  const message = fieldOf(body, "event");
  if (fieldOf(body, "type") !== "event_callback" || fieldOf(message, "type") !== "message") return null;
  if (GROUPS.has(fieldOf(message, "channel_type")) || typeof fieldOf(message, "bot_id") === "string") return null;
  const subtype = fieldOf(message, "subtype");
  if (subtype === "message_changed" || subtype === "message_deleted") return changeOf(body, teamId);
  const content = contentOf(message);
  if (content === null) return null;
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) return unidentified(body);
  const { event, team_id: team } = envelope.data;
  if (teamId !== null && team !== teamId) return null;
  return {
    // Built from the message, because an edit that stands for a message that never arrived has an event id of its own.
    eventId: `${event.channel} ${event.ts}`,
    messageId: event.ts,
    conversation: event.channel,
    // The timestamp counts microseconds.
    position: Number(event.ts.replace(".", "")),
    // Slack's export has ids of this form.
    peer: { id: event.user, name: event.user },
    ...content,
    sentAt: new Date(Number(event.ts) * 1000).toISOString(),
    automated: false,
    context: event.thread_ts === undefined ? {} : { threadTs: event.thread_ts },
  };
}

const Stamp = z.string().check(z.regex(/^\d{10}\.\d{6}$/));
const Change = z.object({
  team_id: TextId,
  event: z.object({ channel_type: z.literal("im"), channel: TextId, hidden: z.optional(z.unknown()) }),
});

/** Returns null for a change of a program's message, which is also how Slack adds the preview of a link to ours. */
function changeOf(body: unknown, teamId: string | null): Reported | null {
  const event = fieldOf(body, "event");
  const changed = fieldOf(event, "message");
  const earlier = fieldOf(event, "previous_message");
  const isOfProgram = (message: unknown) => typeof fieldOf(message, "bot_id") === "string";
  if (isOfProgram(changed) || isOfProgram(earlier)) return null;
  const place = Change.safeParse(body).data;
  // A deleted message with replies is replaced by a stone of its own.
  const isDeletion = fieldOf(event, "subtype") === "message_deleted" || fieldOf(changed, "subtype") === "tombstone";
  const ts = Stamp.safeParse(fieldOf(changed, "ts") ?? fieldOf(event, "deleted_ts") ?? fieldOf(earlier, "ts")).data;
  if (place === undefined || ts === undefined) return unidentified(body);
  if (teamId !== null && place.team_id !== teamId) return null;
  const content = isDeletion ? null : contentOf(changed);
  if (content === null && !isDeletion) return null;
  const whole = { ...(body as object), event: { ...(changed as object), ...place.event, type: "message" } };
  // Slack adds the preview of a link by a change that nobody has made.
  const instead = fieldOf(changed, "edited") === undefined ? null : reportedOf(whole, teamId);
  return {
    conversation: place.event.channel,
    messages: { by: "messageId", ids: [ts] },
    content,
    ...(!isDeletion && instead !== null && isInbound(instead) ? { instead } : {}),
  };
}
