/**
 * Reads the chats of this product's own export (operations/records/export), which are JSON Lines. The first line names the file's kind and
 * owner; each chat's line comes before its messages. Ids, times and kinds are the stored ones, so an import creates the same rows again.
 */

import { type ImportEnd, WHOLE_END } from "./ends.ts";
import {
  type ChatKind,
  cleanName,
  type ExportFormat,
  type ImportEvent,
  type ImportedMessage,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "./message.ts";
import { readLines, type TextLine } from "./parts/text-lines.ts";

export const OWN_CHATS = "digital-twins-chats";
const PLATFORMS = ["telegram", "whatsapp", "email", "slack", "discord", "vk", "meta", "phone", "chat"] as const;
type OwnPlatform = (typeof PLATFORMS)[number];

/** Platforms under which the messages can be imported again; each file is of one platform. */
export const ownPlatformOf = (platform: string): OwnPlatform => PLATFORMS.find((known) => known === platform) ?? "chat";

export interface OwnHead {
  format: typeof OWN_CHATS;
  version: 1;
  platform: OwnPlatform;
  /** The person who is «я» in these chats. */
  owner: { id: string; name: string };
}
export interface OwnChatLine {
  chat: { id: string; name: string; kind: ChatKind };
}
export interface OwnMessageLine {
  id: string;
  /** The time in ISO 8601, UTC. */
  at: string;
  /** The author's id; "" when the author is unknown. */
  fromId: string;
  from: string;
  text: string;
  kind: "text" | "said" | "forward" | "media";
  replyTo?: string;
}

/** Maximum bytes of a line: escapes make a text longer. */
const MAX_LINE_BYTES = 2 * MAX_MESSAGE_BYTES;
const KINDS: ReadonlySet<unknown> = new Set<ChatKind>(["private", "group", "channel", "saved"]);
const MESSAGE_KINDS: ReadonlySet<unknown> = new Set<OwnMessageLine["kind"]>(["text", "said", "forward", "media"]);

export const ownChats: readonly ExportFormat[] = PLATFORMS.map((platform) => ({
  name: `${platform}-twins`,
  detect: (head) => {
    const first = head.toString("utf8", 0, 4096).replace(/^\uFEFF/, "");
    return first.startsWith(`{"format":"${OWN_CHATS}","version":1,"platform":"${platform}"`);
  },
  read,
}));

async function* read(source: AsyncIterable<Uint8Array>): AsyncGenerator<ImportEvent, void, void> {
  let line = 0;
  let chatId: string | null = null;
  let end: ImportEnd = WHOLE_END;
  for await (const { lines, unfinished } of readLines(source, MAX_LINE_BYTES)) {
    for (const each of lines) {
      line++;
      const value = objectOf(each);
      if (value === null && unfinished) {
        end = { type: "end", incomplete: true, error: "Файл обрывается: прочитано всё, что в нём есть" };
      } else if (value === null) {
        yield { type: "rejected", line, reason: each.fault === "tooLong" ? reasons.tooLong : reasons.notParsed };
      } else if (value.format === OWN_CHATS) {
        const { id } = (value.owner ?? {}) as { id?: unknown };
        if (typeof id === "string" && id !== "") yield { type: "owner", authorId: id };
      } else if (value.chat !== undefined) {
        const { id, name, kind } = (value.chat ?? {}) as Record<string, unknown>;
        chatId = typeof id === "string" && isStorable(id) ? id : null;
        if (chatId === null || typeof name !== "string" || !KINDS.has(kind)) {
          yield { type: "rejected", line, reason: reasons.notParsed };
          chatId = null;
        } else yield { type: "chat", chat: { id: chatId, name: cleanName(name), kind: kind as ChatKind } };
      } else {
        const message = chatId === null ? reasons.notParsed : messageOf(value, chatId, line);
        if (typeof message === "string") yield { type: "rejected", line, reason: message };
        else yield { type: "message", message };
      }
    }
  }
  yield end;
}

function objectOf({ text, fault }: TextLine): Record<string, unknown> | null {
  if (fault !== null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function messageOf(value: Record<string, unknown>, chatId: string, line: number): ImportedMessage | string {
  const { id, at, fromId, from, text, kind, replyTo } = value;
  const strings = [id, at, fromId, from, text].every((each): each is string => typeof each === "string");
  if (!strings || !MESSAGE_KINDS.has(kind)) return reasons.notParsed;
  if (![id, fromId, text, replyTo ?? ""].every((each) => typeof each === "string" && isStorable(each))) {
    return reasons.notStorable;
  }
  const sentAt = new Date(at as string);
  return {
    chatId,
    externalId: id as string,
    authorId: fromId as string,
    authorName: cleanName(from as string),
    sentAt: Number.isNaN(sentAt.getTime()) ? null : sentAt,
    text: text as string,
    replyTo: typeof replyTo === "string" ? replyTo : null,
    kind: kind as OwnMessageLine["kind"],
    line,
  };
}
