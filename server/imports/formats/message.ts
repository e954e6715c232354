// The one stream that every export format is read into.

/** `private`: one person. A bot's chat counts as `channel`: nobody there to talk like or to talk to. */
export type ChatKind = "private" | "group" | "channel" | "saved";

export interface ImportedChat {
  /** Stable for the same chat over repeated exports, and different for different chats. */
  id: string;
  name: string;
  kind: ChatKind;
  /** `private` is only assumed: when more than two speak it is a group. */
  assumed?: true;
  /** Who takes part, where the export does not name the chat itself: it is then called after those who are not the owner. */
  members?: readonly { id: string; name: string }[];
}

/**
 * `text`: the author's own words (a caption of a photo too). `forward`: somebody else's words sent on (also a bot's
 * answer inserted through @bot). `media`: no words. `service`: what the messenger wrote.
 */
export type ImportedKind = "text" | "forward" | "media" | "service";

export interface ImportedMessage {
  chatId: string;
  /** The message's id inside its chat, the same in every export; null when the format has none. */
  externalId: string | null;
  /** The same person has the same id in all chats of a file. Empty where nobody is named. */
  authorId: string;
  authorName: string;
  /** null: the export does not say, or says nonsense. */
  sentAt: Date | null;
  /** As it was written; free of NUL and lone surrogates, which PostgreSQL cannot store. */
  text: string;
  /** externalId of the message answered, in the same chat. */
  replyTo: string | null;
  kind: ImportedKind;
  /** Where it stands in the file, from 1: the line for text formats, the message's number for the others. */
  line: number;
}

export type ImportEvent =
  /** May come again for the same id with better facts (a name or kind learned later): the last one holds. */
  | { type: "chat"; chat: ImportedChat }
  | { type: "message"; message: ImportedMessage }
  /** A message that could not be read; `reason` is a Russian sentence for the user; `file` where there are several. */
  | { type: "rejected"; line: number; reason: string; file?: string }
  /** The export says whose it is. */
  | { type: "owner"; authorId: string }
  /** Always the last event, exactly once. `incomplete`: the file ends too early or is damaged beyond this point. */
  | { type: "end"; incomplete: boolean; error?: string };

export interface ReadOptions {
  /** IANA zone of local times that carry none; "Europe/Moscow" unless told. An unknown zone throws RangeError. */
  timeZone?: string;
  /** The uploaded file's name: only a hint for the chat's name where the file itself has none. */
  fileName?: string;
}

export interface ExportFormat {
  /** Stored with the import: the platform, a dash, the kind of file: "telegram-json". */
  name: string;
  /** Files of one archive are read from the last to the first, as their numbers say: the newest stands first in them. */
  newestFirst?: boolean;
  /** Tells by content alone whether `head`, the first 64 KiB (or all) of the file, is of this format. */
  detect(head: Buffer): boolean;
  /** Never throws for what the file holds; an error of `source` itself passes through. Memory is bounded. */
  read(source: AsyncIterable<Uint8Array>, options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

/** One file of an archive. */
export interface BundledFile {
  /** With its folders, by `/`. */
  name: string;
  /** Unpacked, bytes. */
  size: number;
  /** From its beginning; a damaged file simply ends there. May be called again. */
  open(): AsyncIterable<Uint8Array>;
}

/** An export of many files that only make sense together. */
export interface BundleFormat {
  name: string;
  /** Tells by the names of the files. */
  detect(names: readonly string[]): boolean;
  /** As ExportFormat's. */
  read(files: readonly BundledFile[], options?: ReadOptions): AsyncGenerator<ImportEvent, void, void>;
}

/** Bytes of the head that `detect` wants. */
export const HEAD_BYTES = 64 * 1024;

/** A longer single message is rejected: no messenger sends one, and memory must stay bounded. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export const DEFAULT_TIME_ZONE = "Europe/Moscow";

export const reasons = {
  notParsed: "Сообщение повреждено и не читается",
  tooLong: "Сообщение больше 4 МБ",
  notUtf8: "Текст сообщения записан не в UTF-8",
  notStorable: "В тексте есть символы, которые нельзя сохранить (NUL или половина суррогатной пары)",
} as const;

/** Whether PostgreSQL's `text` can hold it as it stands. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** A name for people and chats: what cannot be stored is replaced, since a spoilt name must not cost the messages. */
export function cleanName(name: string): string {
  if (name.length <= 300 && isStorable(name)) return name.trim();
  return name.toWellFormed().replaceAll("\0", "").trim().slice(0, 300).toWellFormed();
}
