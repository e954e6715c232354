/** Slack's events in the words of every channel: direct messages of people; all else is not for the twin. */
import * as z from "zod/mini";
import type { Inbound } from "../protocol/channel.ts";
import { sanitizeText } from "../protocol/sanitize-text.ts";

const Envelope = z.object({
  type: z.literal("event_callback"),
  event_id: z.string().check(z.minLength(1)),
  team_id: z.string(),
  event: z.object({
    type: z.literal("message"),
    /** A mention in a channel is answered by nobody: groups never are. */
    channel_type: z.literal("im"),
    channel: z.string(),
    user: z.string(),
    text: z._default(z.string(), ""),
    ts: z.string().check(z.regex(/^\d{10}\.\d{6}$/)),
    thread_ts: z.optional(z.string()),
    /** Edits, deletions, joins; only a message with files is one like any other. */
    subtype: z.optional(z.literal("file_share")),
    bot_id: z.optional(z.null()),
    files: z.optional(z.array(z.object({ mimetype: z.optional(z.string()) }))),
  }),
});

/** @param teamId whose messages are ours: one app may serve several workspaces; null: not known yet */
export function inboundOf(body: unknown, teamId: string | null): Inbound | null {
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) return null;
  const { event, event_id: eventId, team_id: team } = envelope.data;
  if (teamId !== null && team !== teamId) return null;
  const text = sanitizeText(plainText(event.text));
  const attachments = (event.files ?? []).map(({ mimetype }) => KINDS[mimetype?.split("/")[0] ?? ""] ?? "Файл");
  if (text === "" && attachments.length === 0) return null;
  return {
    eventId,
    messageId: event.ts,
    conversation: event.channel,
    // Microseconds.
    position: Number(event.ts.replace(".", "")),
    // As in Slack's export.
    peer: { id: event.user, name: event.user },
    text,
    attachments,
    sentAt: new Date(Number(event.ts) * 1000).toISOString(),
    automated: false,
    context: event.thread_ts === undefined ? {} : { threadTs: event.thread_ts },
  };
}

const KINDS: Record<string, string> = { image: "Фото", video: "Видео", audio: "Аудио" };

/** Slack's marks for people, channels and links become what the writer saw. */
function plainText(text: string): string {
  return text
    .replace(
      /<([@#!])?([^<>|]*)(?:\|([^<>]*))?>/g,
      (_whole, kind: string | undefined, target: string, label?: string) => {
        if (label) return kind === "#" ? `#${label}` : label;
        return kind === undefined ? target : `@${target.replace(/^subteam\^/, "")}`;
      },
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
