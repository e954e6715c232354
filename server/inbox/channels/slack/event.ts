/** Converts Slack's events to `Inbound`. Only people's direct messages are for the twin. */
import * as z from "zod/mini";
import type { PlatformMedia, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";

const Envelope = z.object({
  type: z.literal("event_callback"),
  event_id: TextId,
  team_id: TextId,
  event: z.object({
    type: z.literal("message"),
    channel_type: z.literal("im"),
    channel: TextId,
    user: TextId,
    text: z._default(z.string(), ""),
    ts: z.string().check(z.regex(/^\d{10}\.\d{6}$/)),
    thread_ts: z.optional(z.string()),
    files: z.optional(
      z.array(
        z.object({
          mimetype: z.optional(z.string()),
          url_private: z.optional(z.string()),
          size: z.optional(z.number()),
          duration_ms: z.optional(z.number()),
        }),
      ),
    ),
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
  // Edits, deletions and joins have subtypes as well; only the one of messages with files is for the twin.
  if (subtype !== undefined && subtype !== "file_share") return null;
  const envelope = Envelope.safeParse(body);
  if (!envelope.success) return unidentified(body);
  const { event, event_id: eventId, team_id: team } = envelope.data;
  if (teamId !== null && team !== teamId) return null;
  const text = sanitizeText(plainText(event.text));
  const attachments = (event.files ?? []).map(({ mimetype }) => KINDS[mimetype?.split("/")[0] ?? ""] ?? "Файл");
  if (text === "" && attachments.length === 0) return null;
  return {
    eventId,
    messageId: event.ts,
    conversation: event.channel,
    // The timestamp counts microseconds.
    position: Number(event.ts.replace(".", "")),
    // Slack's export has ids of this form.
    peer: { id: event.user, name: event.user },
    text,
    attachments,
    ...mediaField(event.files ?? []),
    sentAt: new Date(Number(event.ts) * 1000).toISOString(),
    automated: false,
    context: event.thread_ts === undefined ? {} : { threadTs: event.thread_ts },
  };
}

type SlackFile = NonNullable<z.infer<typeof Envelope>["event"]["files"]>[number];

function mediaField(files: readonly SlackFile[]): { media?: PlatformMedia[] } {
  const media = files.flatMap(({ mimetype, url_private: url, size, duration_ms: ms }): PlatformMedia[] => {
    const family = mimetype?.split("/")[0];
    if ((family !== "audio" && family !== "image") || url === undefined) return [];
    const told = {
      ...(size === undefined ? {} : { bytes: size }),
      ...(ms === undefined ? {} : { seconds: ms / 1000 }),
    };
    return [{ kind: family === "audio" ? "speech" : "picture", name: KINDS[family]!, at: { url }, ...told }];
  });
  return media.length === 0 ? {} : { media };
}

const KINDS: Record<string, string> = { image: "Фото", video: "Видео", audio: "Аудио" };

/** Replaces Slack's markup for people, channels and links by what the author saw. */
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
