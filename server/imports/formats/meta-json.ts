// Reads a page of Meta's export, messages/inbox/<chat>/message_1.json of Messenger or Instagram, or a chat of Messenger's export of encrypted
// chats, <name>_<number>.json: the newest message first.

import { endOf, type ImportEnd, WHOLE_END } from "./ends.ts";
import {
  attachedOf,
  cleanName,
  type ExportFormat,
  type FindAttached,
  type ImportEvent,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  type ReadOptions,
  reasons,
} from "./message.ts";
import { type ByteWindow, NEED_MORE_BYTES, walkBytes } from "./parts/json-bytes.ts";
import { objectWithList } from "./parts/json-items.ts";
import { withoutMojibake } from "./parts/mojibake.ts";

/** Meta writes ten thousand messages to a file; a file with more, or with longer texts, is not from Meta. */
const MAX_IN_FILE = 100_000;
const MAX_CHARS_IN_FILE = 64 * 1024 ** 2;
const TOO_MANY: ImportEnd = {
  type: "end",
  incomplete: true,
  error: "В файле больше сообщений, чем пишет Meta: прочитаны самые новые",
};
const MEMBERS_AT_MOST = 20;

export const metaJson: ExportFormat = {
  name: "meta-json",
  newestFirst: true,
  detect(head) {
    const text = head
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trimStart();
    return (
      /^\{\s*(?:"threadName"\s*:\s*"[^"\\]{0,300}"\s*,\s*)?"(?:participants|messages)"\s*:\s*\[/.test(text) &&
      /(?<!\\)"(?:sender_name|thread_path|senderName|threadName)"\s*:/.test(text)
    );
  },
  read: (source, options = {}) => walkBytes(source, (window) => readPage(window, options)),
};

/** A message of the export of encrypted chats, whose texts are plain UTF-8. */
interface EncryptedMessage {
  senderName?: unknown;
  timestamp?: unknown;
  text?: unknown;
  isUnsent?: unknown;
  media?: unknown;
}

interface MetaMessage {
  sender_name?: unknown;
  timestamp_ms?: unknown;
  content?: unknown;
  share?: { share_text?: unknown } | null;
  call_duration?: unknown;
  is_unsent?: unknown;
  type?: unknown;
  photos?: unknown;
  audio_files?: unknown;
}

/** The chat's name and people may come after the messages, so events wait for the end of the file. */
function* readPage(
  window: ByteWindow,
  { fileName = "", findAttached }: ReadOptions,
): Generator<ImportEvent | ImportEvent[] | typeof NEED_MORE_BYTES, void, void> {
  const head: Record<string, unknown> = {};
  const found: { line: number; read: MetaMessage | string }[] = [];
  let chars = 0;
  let end = WHOLE_END;
  try {
    for (const item of objectWithList(window, "messages", (key, value) => {
      head[key] = value;
    })) {
      if (item === NEED_MORE_BYTES) {
        yield NEED_MORE_BYTES;
        continue;
      }
      const read = "reason" in item ? item.reason : shortened(item.value);
      chars += typeof read === "string" ? 0 : lengthOf(read.content) + lengthOf(read.share?.share_text);
      if (found.length === MAX_IN_FILE || chars > MAX_CHARS_IN_FILE) {
        end = TOO_MANY;
        break;
      }
      found.push({ line: found.length + 1, read });
    }
  } catch (error) {
    end = endOf(error);
  }
  const chat = chatOf(head, fileName);
  yield { type: "chat", chat };
  // Messages are yielded in chronological order, as in every other format.
  while (found.length > 0) {
    const { line, read } = found.pop()!;
    const message = typeof read === "string" ? read : messageOf(read, { chatId: chat.id, line, findAttached });
    yield typeof message === "string" ? { type: "rejected", line, reason: message } : { type: "message", message };
  }
  yield end;
}

/** Keeps only the needed fields of a message, because all messages of a file stay in memory. */
function shortened(raw: MetaMessage & EncryptedMessage): MetaMessage {
  if (raw.sender_name !== undefined || raw.senderName === undefined) return ofPlainChat(raw);
  const { senderName, timestamp, text, isUnsent, media } = raw;
  const attached = addressesOf(media).map((uri) => (uri as string).replace(/^\.\//, ""));
  return {
    ...{ sender_name: senderName, timestamp_ms: timestamp, content: text, is_unsent: isUnsent, call_duration: false },
    photos: attached.filter((uri) => PICTURE.test(uri)),
    audio_files: attached.filter((uri) => RECORDING.test(uri)),
  };
}

const PICTURE = /\.(?:jpe?g|png)$/i;
const RECORDING = /\.(?:mp4a?|m4a|aac|ogg|opus|mp3|wav)$/i;

const ofPlainChat = ({
  sender_name,
  timestamp_ms,
  content,
  share,
  call_duration,
  is_unsent,
  type,
  photos,
  audio_files,
}: MetaMessage): MetaMessage => ({
  sender_name,
  timestamp_ms,
  content,
  share: share == null ? null : { share_text: share.share_text },
  call_duration: call_duration !== undefined,
  is_unsent,
  type,
  photos: addressesOf(photos),
  audio_files: addressesOf(audio_files),
});

/** Maximum attached files of one message; people send fewer. */
const MOST_ATTACHED = 20;

function addressesOf(files: unknown): unknown[] {
  if (!Array.isArray(files)) return [];
  return files.slice(0, MOST_ATTACHED).flatMap((file: { uri?: unknown } | null) => {
    const uri = file?.uri;
    return typeof uri === "string" && uri.length <= 1000 ? [uri] : [];
  });
}

const lengthOf = (value: unknown): number => (typeof value === "string" ? value.length : 0);
const textOf = (value: unknown): string => (typeof value === "string" ? withoutMojibake(value) : "");

function chatOf(head: Record<string, unknown>, fileName: string): ImportedChat {
  const { title, participants, thread_path, threadName } = head;
  const people = (Array.isArray(participants) ? participants : [])
    .map((each: { name?: unknown } | string | null) => cleanName(textOf(typeof each === "string" ? each : each?.name)))
    .filter((name) => name !== "");
  // «inbox/ivan_17» may move to «archived_threads/ivan_17», so only the last part identifies the chat.
  const path = [thread_path, threadName].find((each) => typeof each === "string") ?? fileName.split("/").at(-2) ?? "";
  const named = textOf(title) || textOf(threadName).replace(/_\d{1,20}$/, "");
  const name = cleanName(named) || people.slice(0, MEMBERS_AT_MOST).join(", ").slice(0, 300) || "Чат";
  const own = cleanName((path as string).replace(/^.*\//, "")) || name;
  return {
    id: `meta-${own}`.slice(0, 300),
    name,
    kind: people.length > 2 ? "group" : "private",
    ...(people.length > 0 ? {} : { assumed: true as const }),
  };
}

interface MetaPlace {
  chatId: string;
  line: number;
  findAttached: FindAttached | undefined;
}

function messageOf(raw: MetaMessage, { chatId, line, findAttached }: MetaPlace): ImportedMessage | string {
  const { sender_name, timestamp_ms, content, share } = raw;
  if (typeof sender_name !== "string" || (content !== undefined && content !== null && typeof content !== "string")) {
    return reasons.notParsed;
  }
  const own = textOf(content);
  const shared = own.trim() === "" ? textOf(share?.share_text) : "";
  const text = own.trim() === "" ? shared : own;
  if (!isStorable(text)) return reasons.notStorable;
  const author = cleanName(withoutMojibake(sender_name));
  const unsent = raw.is_unsent === true;
  const kind = kindOf(raw, { author, text, shared, unsent });
  const files = unsent ? {} : attachedOf(findAttached, attachmentsOf(raw));
  // «Анна sent a voice message.» stands for the recording, which is attached.
  const isStandIn = files.attached !== undefined && kind === "service" && raw.call_duration !== true;
  return {
    chatId,
    externalId: null,
    // The export has no ids of people, so the name serves as id.
    authorId: author,
    authorName: author,
    sentAt: timeOf(timestamp_ms),
    text: unsent || isStandIn ? "" : text,
    replyTo: null,
    kind: isStandIn ? "media" : kind,
    line,
    ...files,
  };
}

const attachmentsOf = ({ photos, audio_files }: MetaMessage) => [
  ...(photos as unknown[]).map((path) => ({ kind: "picture" as const, path })),
  ...(audio_files as unknown[]).map((path) => ({ kind: "speech" as const, path })),
];

/** 2200-01-01: a greater number is not the time of a message. */
const LATEST_MS = 7_258_118_400_000;

const timeOf = (ms: unknown): Date | null => (typeof ms === "number" && ms > 0 && ms < LATEST_MS ? new Date(ms) : null);

/** Types of messages in older exports that people write; the other types are Meta's own texts. */
const WRITTEN = new Set<unknown>([undefined, "Generic", "Share"]);
/** Texts that Meta writes instead of words, in the languages of exports here; most have the type «Generic». */
const STAND_INS = [
  /^(?:You|\S{1,60}(?: \S{1,60}){0,3}) sent (?:an attachment|a photo|a video|a voice message|a link|a live location)\.$/,
  /^(?:Вы|\S{1,60}(?: \S{1,60}){0,3}) отправил(?:\(а\)|а|и)? (?:вложение|фото|видео|голосовое сообщение|ссылку|геоданные|стикер|файл|\S{1,20} фото)\.$/,
  /^(?:Reacted \S{1,20} to your message|Liked a message|Reacted to your message)\s{0,3}$/,
  /^(?:Отреагировал|Поставил)(?:\(а\)|а|и)? \S{1,20} на (?:ваше|твоё|твое|своё|свое) сообщение\s{0,3}$/,
  /^(?:Понравилось сообщение|(?:Вам|Ему|Ей) понравилось сообщение)\.?\s{0,3}$/,
];

/** Whether a text about what is attached names its sender, as Meta's own texts do in any language: «Борис отправил(а) вложение.» */
function namesSender(raw: MetaMessage, author: string, text: string): boolean {
  const hasContent =
    raw.share != null || [raw.photos, raw.audio_files].some((list) => Array.isArray(list) && list.length > 0);
  const [first = ""] = author.split(" ");
  return hasContent && first.length > 1 && text.startsWith(`${first} `) && /^[^\n]{1,120}\.\s{0,3}$/.test(text);
}

function kindOf(
  raw: MetaMessage,
  { author, text, shared, unsent }: { author: string; text: string; shared: string; unsent: boolean },
): ImportedMessage["kind"] {
  if (unsent || raw.call_duration === true || !WRITTEN.has(raw.type)) return "service";
  if (shared !== "") return "forward";
  if (text.trim() === "") return "media";
  const isStandIn = STAND_INS.some((words) => words.test(text)) || namesSender(raw, author, text);
  return text.length <= 300 && isStandIn ? "service" : "text";
}
