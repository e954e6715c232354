// Reads DiscordChatExporter's JSON of one channel, `{ guild, channel, messages: [] }`.

import { endOf, WHOLE_END } from "./ends.ts";
import {
  type ChatKind,
  cleanName,
  type ExportFormat,
  type ImportEvent,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  reasons,
} from "./message.ts";
import { type ByteWindow, NEED_MORE_BYTES, walkBytes } from "./parts/json-bytes.ts";
import { objectWithList } from "./parts/json-items.ts";

export const discordJson: ExportFormat = {
  name: "discord-json",
  detect(head) {
    const text = head
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trimStart();
    return /^\{\s*"guild"\s*:\s*\{/.test(text) && /(?<!\\)"channel"\s*:\s*\{/.test(text);
  },
  read: (source) => walkBytes(source, readChannel),
};

interface Person {
  id?: unknown;
  name?: unknown;
  nickname?: unknown;
  isBot?: unknown;
}

interface DiscordMessage {
  id?: unknown;
  type?: unknown;
  timestamp?: unknown;
  content?: unknown;
  author?: Person | null;
  reference?: { messageId?: unknown } | null;
  mentions?: unknown;
  forwardedMessage?: unknown;
}

function* readChannel(window: ByteWindow): Generator<ImportEvent | typeof NEED_MORE_BYTES, void, void> {
  const head: Record<string, unknown> = {};
  let chat: ImportedChat | null = null;
  let line = 0;
  try {
    for (const item of objectWithList(window, "messages", (key, value) => {
      head[key] = value;
    })) {
      if (item === NEED_MORE_BYTES) {
        yield NEED_MORE_BYTES;
        continue;
      }
      if (chat === null) {
        chat = chatOf(head);
        yield { type: "chat", chat };
      }
      line++;
      const read = "reason" in item ? item.reason : messageOf(item.value, chat.id, line);
      yield typeof read === "string" ? { type: "rejected", line, reason: read } : { type: "message", message: read };
    }
    yield WHOLE_END;
  } catch (error) {
    yield endOf(error);
  }
}

function chatOf({ guild, channel }: Record<string, unknown>): ImportedChat {
  const { id, type, name } = (channel ?? {}) as Record<string, unknown>;
  const server = (guild as { name?: unknown } | undefined)?.name;
  const kinds: Record<string, ChatKind> = { DirectTextChat: "private", GuildNews: "channel" };
  const kind = kinds[String(type)] ?? "group";
  const own = cleanName(typeof name === "string" ? name : "") || "Discord";
  const full = kind === "private" || typeof server !== "string" || type === "DirectGroupTextChat";
  return { id: `discord-${String(id)}`, name: full ? own : cleanName(`${server}: ${own}`), kind };
}

function messageOf(raw: DiscordMessage, chatId: string, line: number): ImportedMessage | string {
  if (typeof (raw.content ?? "") !== "string") return reasons.notParsed;
  const text = withNames((raw.content ?? "") as string, raw.mentions);
  if (!isStorable(text)) return reasons.notStorable;
  const { author, reference } = raw;
  const authorId = typeof author?.id === "string" ? cleanName(author.id) : "";
  const name = author?.nickname || author?.name;
  const sentAt = new Date(typeof raw.timestamp === "string" ? raw.timestamp : Number.NaN);
  return {
    chatId,
    externalId: typeof raw.id === "string" ? raw.id.slice(0, 300) : null,
    authorId,
    authorName: cleanName(typeof name === "string" ? name : "") || authorId,
    sentAt: Number.isNaN(sentAt.getTime()) ? null : sentAt,
    text,
    replyTo: typeof reference?.messageId === "string" ? reference.messageId.slice(0, 300) : null,
    kind: kindOf(raw, text),
    line,
  };
}

/** Writes mentions as they are shown: `<@123>` becomes «@Вера». */
function withNames(text: string, mentions: unknown): string {
  if (!Array.isArray(mentions) || mentions.length === 0) return text;
  const people = mentions.filter((each): each is Person => each !== null && typeof each === "object");
  const names = new Map(people.map(({ id, nickname, name }) => [id, nickname || name]));
  return text.replace(/<@!?(\d{1,25})>/g, (whole, id: string) => {
    const name = names.get(id);
    return typeof name === "string" ? `@${name}` : whole;
  });
}

function kindOf(raw: DiscordMessage, text: string): ImportedMessage["kind"] {
  if (raw.type !== "Default" && raw.type !== "Reply") return "service";
  if (raw.author?.isBot === true || raw.forwardedMessage) return "forward";
  return text.trim() === "" ? "media" : "text";
}
