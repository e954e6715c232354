// Defines the stream of events into which every export format is converted.
import type { MediaKind } from "#contract/media-kinds.ts";

/** `private`: a chat with one person. A bot's chat counts as `channel`, because the twin can learn from no person there. */
export type ChatKind = "private" | "group" | "channel" | "saved";

export interface ImportedChat {
  /** The same for one chat in repeated exports; different for different chats. */
  id: string;
  name: string;
  kind: ChatKind;
  /** `private` is only assumed; a chat with more than two authors is a group. */
  assumed?: true;
  /** The participants, when the export does not name the chat. The chat's name then lists all except the owner. */
  members?: readonly { id: string; name: string }[];
}

/**
 * `text`: the author's own words, including a photo's caption. `said`: words that this product recognised in a recording. `forward`:
 * another person's words, also a bot's answer inserted through @bot. `media`: no words. `service`: written by the messenger.
 */
export type ImportedKind = "text" | "said" | "forward" | "media" | "service";

export interface AttachedFile {
  kind: MediaKind;
  /** The full name in the archive. It is used only for lookup, never as a path on disk. */
  name: string;
  /** The unpacked size that the archive declares. */
  bytes: number;
  /** Index of the import's file that is the archive; set when an import has several files. */
  file?: number;
}

/**
 * Finds a file that a message names, beside the message file or from the archive's root. Returns null when it is missing or of another
 * kind.
 */
export type FindAttached = (kind: MediaKind, path: string) => AttachedFile | null;

export interface ImportedMessage {
  chatId: string;
  /** The message's id within its chat, the same in every export; null when the format has none. */
  externalId: string | null;
  /** One person has the same id in all chats of a file. "" when the author has no name. */
  authorId: string;
  authorName: string;
  /** null when the export has no time or an impossible one. */
  sentAt: Date | null;
  /** The original text without NUL and lone surrogates, which PostgreSQL cannot store. */
  text: string;
  /** `externalId` of the message in the same chat that this one replies to. */
  replyTo: string | null;
  kind: ImportedKind;
  /** The position in the file, from 1: the line number in text formats, the message number in the others. */
  line: number;
  /** The message's recordings and pictures that the archive contains; absent when there are none. */
  attached?: readonly AttachedFile[];
}

export type ImportEvent =
  /** The event may repeat for the same id when the name or kind becomes known later; the last one counts. */
  | { type: "chat"; chat: ImportedChat }
  | { type: "message"; message: ImportedMessage }
  /** A message that could not be read; `reason` is a Russian sentence for the user; `file` is set when there are several. */
  | { type: "rejected"; line: number; reason: string; file?: string }
  | { type: "owner"; authorId: string }
  /** Comes exactly once, as the last event. `incomplete`: the file is truncated, or damaged beyond this point. */
  | { type: "end"; incomplete: boolean; error?: string };

export interface ReadOptions {
  /** IANA zone for times without one; "Europe/Moscow" by default. An unknown zone throws RangeError. */
  timeZone?: string;
  /** The uploaded file's name, used as the chat's name only when the file has none. */
  fileName?: string;
  /** Absent for a file outside an archive, which has no attached files. */
  findAttached?: FindAttached;
}

/** Returns the attached files that the archive contains, as a property to spread into a message. */
export function attachedOf(
  find: FindAttached | undefined,
  named: readonly { kind: MediaKind; path: unknown }[],
): Pick<ImportedMessage, "attached"> {
  if (find === undefined) return {};
  const attached = named.flatMap(({ kind, path }) => {
    const found = typeof path === "string" && path.length <= 1000 ? find(kind, path) : null;
    return found === null ? [] : [found];
  });
  return attached.length === 0 ? {} : { attached };
}

export interface ExportFormat {
  /** The id stored with the import, «platform-kind», as in "telegram-json". */
  name: string;
  /** Whether files of one archive are read from the highest number to the lowest, because the first file has the newest messages. */
  newestFirst?: boolean;
  /** Decides by content alone whether the file has this format; `head` is its first 64 KiB or all of it. */
  detect(head: Buffer): boolean;
  /** Reads the events in bounded memory. The file's content never makes it throw; errors of `source` pass through. */
  read(source: AsyncIterable<Uint8Array>, options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

export interface BundledFile {
  /** The path with its folders, separated by `/`. */
  name: string;
  size: number;
  /** Reads the file from its beginning; a damaged file ends at the damage. May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

/** An export of many files that can only be read together. */
export interface BundleFormat {
  name: string;
  /** Decides by the names of the files. */
  detect(names: readonly string[]): boolean;
  read(files: readonly BundledFile[], options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

/** Number of bytes that `detect` needs from the start of a file. */
export const HEAD_BYTES = 64 * 1024;

/** A longer message is rejected: no messenger sends one, and memory must stay bounded. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export const DEFAULT_TIME_ZONE = "Europe/Moscow";

export const reasons = {
  notParsed: "Сообщение повреждено и не читается",
  tooLong: "Сообщение больше 4 МБ",
  notUtf8: "Текст сообщения записан не в UTF-8",
  notStorable: "В тексте есть символы, которые нельзя сохранить (NUL или половина суррогатной пары)",
} as const;

/** Returns whether PostgreSQL's `text` can store the string unchanged. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** Cleans the name of a person or chat. Characters that cannot be stored are replaced, so that a broken name loses no messages. */
export function cleanName(name: string): string {
  if (name.length <= 300 && isStorable(name)) return name.trim();
  return name.toWellFormed().replaceAll("\0", "").trim().slice(0, 300).toWellFormed();
}
