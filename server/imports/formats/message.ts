// The stream of events that every export format is converted into.
import type { MediaKind } from "#contract/media-kinds.ts";

/** `private`: a chat with one person. A bot's chat counts as `channel`, because it has no person to learn from or to talk to. */
export type ChatKind = "private" | "group" | "channel" | "saved";

export interface ImportedChat {
  /** Stable for the same chat over repeated exports, and different for different chats. */
  id: string;
  name: string;
  kind: ChatKind;
  /** `private` is only assumed: when more than two speak it is a group. */
  assumed?: true;
  /** The participants, where the export does not name the chat; it is then called after those who are not the owner. */
  members?: readonly { id: string; name: string }[];
}

/**
 * `text`: the author's own words (a caption of a photo too). `said`: the same, heard in a recording by this product. `forward`: another
 * person's words sent on (also a bot's answer inserted through @bot). `media`: no words. `service`: what the messenger wrote.
 */
export type ImportedKind = "text" | "said" | "forward" | "media" | "service";

/** A recording or a picture of a message, which lies in the same archive. */
export interface AttachedFile {
  kind: MediaKind;
  /** Its full name in the archive, which is only looked up there. */
  name: string;
  /** Unpacked, as the archive says. */
  bytes: number;
  /** Which of the import's files the archive is; known where several are read. */
  file?: number;
}

/** Looks for a file that a message names, beside the file that is read or from the archive's root. Null: it is not there, or not one that is read. */
export type FindAttached = (kind: MediaKind, path: string) => AttachedFile | null;

export interface ImportedMessage {
  chatId: string;
  /** The message's id inside its chat, the same in every export; null when the format has none. */
  externalId: string | null;
  /** The same person has the same id in all chats of a file. "" without a name. */
  authorId: string;
  authorName: string;
  /** null: the export has no time, or an impossible one. */
  sentAt: Date | null;
  /** The text as it was written, without NUL and lone surrogates, which PostgreSQL cannot store. */
  text: string;
  /** `externalId` of the message of the same chat that this one answers. */
  replyTo: string | null;
  kind: ImportedKind;
  /** The place in the file, from 1: the line in text formats, the message's number in the others. */
  line: number;
  /** Recordings and pictures that were sent with it and are in the archive; absent where there are none. */
  attached?: readonly AttachedFile[];
}

export type ImportEvent =
  /** It may come again for the same id with better facts (a name or kind learned later); the last one counts. */
  | { type: "chat"; chat: ImportedChat }
  | { type: "message"; message: ImportedMessage }
  /** A message that could not be read; `reason` is a Russian sentence for the user; `file` where there are several. */
  | { type: "rejected"; line: number; reason: string; file?: string }
  /** The export names its owner. */
  | { type: "owner"; authorId: string }
  /** This event comes exactly once and last. `incomplete`: the file ends too early or is damaged beyond this point. */
  | { type: "end"; incomplete: boolean; error?: string };

export interface ReadOptions {
  /** IANA zone of local times that carry none; "Europe/Moscow" unless told. An unknown zone throws RangeError. */
  timeZone?: string;
  /** The uploaded file's name, which is only a hint for the chat's name where the file has none. */
  fileName?: string;
  /** Absent for a file outside an archive, beside which nothing lies. */
  findAttached?: FindAttached;
}

/** What of these files is in the archive, to be spread into a message. */
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
  /** The id that is stored with the import: the platform, a dash, the kind of file, as in "telegram-json". */
  name: string;
  /** Whether files of one archive are read from the highest number to the lowest, because the newest messages are in the first file. */
  newestFirst?: boolean;
  /** Decides by content alone whether `head`, the first 64 KiB (or all) of the file, is of this format. */
  detect(head: Buffer): boolean;
  /** Never throws because of the file's content; errors of `source` itself pass through. Memory is bounded. */
  read(source: AsyncIterable<Uint8Array>, options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

/** One file of an archive. */
export interface BundledFile {
  /** The path with its folders, separated by `/`. */
  name: string;
  /** The unpacked size in bytes. */
  size: number;
  /** Reads the file from its beginning; a damaged file ends where the damage begins. May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

/** An export of many files that can only be read together. */
export interface BundleFormat {
  name: string;
  /** Decides by the names of the files. */
  detect(names: readonly string[]): boolean;
  /** The same as `read` of ExportFormat. */
  read(files: readonly BundledFile[], options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

/** Number of bytes of the head that `detect` needs. */
export const HEAD_BYTES = 64 * 1024;

/** A longer message is rejected, because no messenger sends one and memory must stay bounded. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export const DEFAULT_TIME_ZONE = "Europe/Moscow";

export const reasons = {
  notParsed: "Сообщение повреждено и не читается",
  tooLong: "Сообщение больше 4 МБ",
  notUtf8: "Текст сообщения записан не в UTF-8",
  notStorable: "В тексте есть символы, которые нельзя сохранить (NUL или половина суррогатной пары)",
} as const;

/** Whether PostgreSQL's `text` can store it unchanged. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A name of a person or chat. Characters that cannot be stored are replaced, so that no messages are lost because of a broken name. */
export function cleanName(name: string): string {
  if (name.length <= 300 && isStorable(name)) return name.trim();
  return name.toWellFormed().replaceAll("\0", "").trim().slice(0, 300).toWellFormed();
}
