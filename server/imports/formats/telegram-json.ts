// Reads Telegram Desktop's «Machine-readable JSON»: result.json of one chat or of the whole account, of any size. The file is not always
// valid JSON, so it is read message by message. Plain messages are read in one pass (`telegram-scan.ts`); the others are cut out by
// brackets and quotes and parsed alone.
import { localClock } from "#server/knowledge/messages/wall-clock-time.ts";
import { endOf, WHOLE_END } from "./ends.ts";
import { DEFAULT_TIME_ZONE, type ExportFormat, type ImportEvent, MAX_MESSAGE_BYTES, reasons } from "./message.ts";
import {
  type ByteWindow,
  MalformedJson,
  NEED_MORE_BYTES,
  nextByte,
  scanValue,
  skipByteOrderMark,
  skipValue,
  TruncatedJson,
  takeKey,
  takeValue,
  type ValueScan,
  type Walk,
  walkBytes,
} from "./parts/json-bytes.ts";
import { skipWhitespace } from "./parts/json-grammar.ts";
import { personId, readTelegramMessage, type TelegramPlace, telegramChat } from "./telegram-message.ts";
import { MessageScan } from "./telegram-scan.ts";

const CHAT_TYPE =
  /"type"\s*:\s*"(?:personal_chat|bot_chat|saved_messages|replies|verification_codes|(?:private|public)_(?:group|supergroup|channel))"/;
const ACCOUNT_PART = /(?<!\\)"(?:personal_information|chats|left_chats|frequent_contacts)"\s*:\s*\{/;
const MESSAGE =
  /(?<!\\)"messages"\s*:\s*\[\s*(?:\]|\{\s*"id"\s*:\s*-?\d+\s*,\s*"type"\s*:\s*"(?:message|service|unsupported)")/;

export const telegramJson: ExportFormat = {
  name: "telegram-json",
  detect(head) {
    const text = head
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trimStart();
    return text.startsWith("{") && (CHAT_TYPE.test(text) || ACCOUNT_PART.test(text) || MESSAGE.test(text));
  },
  read(source, options = {}) {
    const clock = localClock(options.timeZone ?? DEFAULT_TIME_ZONE);
    const { findAttached } = options;
    return walkBytes(source, (window) =>
      readExport(window, { clock, findAttached, scan: new MessageScan(), ownerKnown: false, chats: 0, messages: 0 }),
    );
  },
};

interface Progress {
  clock: TelegramPlace["clock"];
  findAttached: TelegramPlace["findAttached"] | undefined;
  scan: MessageScan;
  ownerKnown: boolean;
  /** Number of chats that have begun so far in this file. */
  chats: number;
  /** Number of messages that have begun so far in this file. */
  messages: number;
}

type Events = Generator<ImportEvent | ImportEvent[] | typeof NEED_MORE_BYTES, void, void>;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const DAMAGE = 0;

function* readExport(window: ByteWindow, progress: Progress): Events {
  try {
    yield* skipByteOrderMark(window);
    yield* readObject(window, progress, {}, (key) => key === "chats" || key === "left_chats");
    yield WHOLE_END;
  } catch (error) {
    yield endOf(error);
  }
}

/**
 * Reads an object of the export: the file itself, a chat, or the account's `{ about, list }`. `head` collects the members of a chat before
 * its messages; members for which `isFolder` holds are read as `{ list: [chat, …] }`.
 */
function* readObject(
  window: ByteWindow,
  progress: Progress,
  head: Record<string, unknown>,
  isFolder: (key: string) => boolean,
): Events {
  yield* open(window, OPEN_BRACE);
  for (;;) {
    const next = yield* nextByte(window);
    if (next === CLOSE_BRACE) {
      window.at++;
      return;
    }
    if (next === -1) throw new TruncatedJson();
    const key = yield* takeKey(window);
    const value = yield* nextByte(window);
    if (key === "messages" && value === OPEN_BRACKET) yield* readChat(window, progress, head);
    else if (value === OPEN_BRACE && isFolder(key)) yield* readObject(window, progress, {}, () => false);
    else if (key === "list" && value === OPEN_BRACKET) yield* readList(window, progress);
    else if (key === "id" || key === "name" || key === "type") head[key] = yield* takeValue(window, 64 * 1024);
    else if (key === "personal_information" && value === OPEN_BRACE) {
      const person = (yield* takeValue(window, 1024 * 1024)) as { user_id?: unknown } | undefined;
      const authorId = personId(person?.user_id, null);
      if (authorId === "") continue;
      progress.ownerKnown = true;
      yield { type: "owner", authorId };
    } else yield* skipValue(window);
  }
}

function* readList(window: ByteWindow, progress: Progress): Events {
  yield* open(window, OPEN_BRACKET);
  for (;;) {
    const next = yield* nextByte(window);
    if (next === OPEN_BRACE) yield* readObject(window, progress, {}, () => false);
    else if (next === CLOSE_BRACKET) {
      window.at++;
      return;
    } else if (next === -1) throw new TruncatedJson();
    else yield* skipValue(window);
  }
}

function* readChat(window: ByteWindow, progress: Progress, head: Record<string, unknown>): Events {
  const chat = telegramChat(head, ++progress.chats);
  yield { type: "chat", chat };
  yield* open(window, OPEN_BRACKET);
  const lines: Indentation = { known: false, width: -1 };
  const authors = new Set<string>();
  for (;;) {
    const next = yield* nextMessage(window, lines);
    if (next === CLOSE_BRACKET) {
      window.at++;
      // A private chat has the id of the other person, so the remaining author is the owner.
      const [owner, ...others] = [...authors].filter((id) => id !== chat.id);
      if (!progress.ownerKnown && chat.kind === "private" && authors.has(chat.id) && owner && others.length === 0) {
        progress.ownerKnown = true;
        yield { type: "owner", authorId: owner };
      }
      return;
    }
    const plain = plainMessages(window, progress, chat.id, authors);
    if (plain.length > 0) {
      yield plain;
      continue;
    }
    const line = ++progress.messages;
    const length = next === OPEN_BRACE ? yield* messageLength(window, lines) : 0;
    if (length > 0) {
      const bytes = window.bytes.subarray(window.at, window.at + length);
      const { clock, findAttached } = progress;
      const read = readTelegramMessage(bytes, { chatId: chat.id, line, clock, findAttached });
      if (typeof read !== "string") {
        window.at += length;
        if (authors.size < 3 && read.kind !== "service") authors.add(read.authorId);
        yield { type: "message", message: read };
        continue;
      }
      yield { type: "rejected", line, reason: read };
      // A stray quote may have misled the scan; then only the line breaks show where the next message begins.
      if (read === reasons.notParsed && lines.known) yield* findNextLine(window, lines);
      else window.at += length;
    } else if (length < 0) {
      yield { type: "rejected", line, reason: reasons.tooLong };
      if (lines.known) yield* findNextLine(window, lines);
      else yield* skipValue(window);
    } else {
      yield { type: "rejected", line, reason: reasons.notParsed };
      if (lines.known) yield* findNextLine(window, lines);
      else if (next === OPEN_BRACE) throw new TruncatedJson();
      else yield* skipValue(window);
    }
  }
}

/** Reads all consecutive plain messages at once, because yielding for each one costs as much as reading it. */
function plainMessages(window: ByteWindow, progress: Progress, chatId: string, authors: Set<string>): ImportEvent[] {
  const found: ImportEvent[] = [];
  const { bytes } = window;
  for (let at = window.at; ; at = passSeparators(bytes, window.at)) {
    const message = progress.scan.read(bytes, at, { chatId, line: progress.messages + 1 });
    if (message === null) return found;
    progress.messages++;
    window.at = progress.scan.end;
    if (authors.size < 3) authors.add(message.authorId);
    found.push({ type: "message", message });
  }
}

function passSeparators(bytes: Buffer, at: number): number {
  let next = skipWhitespace(bytes, at);
  while (bytes[next] === COMMA) next = skipWhitespace(bytes, next + 1);
  return next;
}

/** The indentation of this chat's messages; unknown when they do not begin their lines. */
interface Indentation {
  known: boolean;
  /** Number of spaces; -1 before the first message. */
  width: number;
}

/** Does the same as `nextByte`; also stores the indentation of the first message if it begins its line. */
function* nextMessage(window: ByteWindow, lines: Indentation): Walk<number> {
  let width = -1;
  for (;;) {
    const { bytes } = window;
    let at = window.at;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x2c) {
      if (byte === 0x0a) width = 0;
      else if (width >= 0) width++;
      byte = bytes[++at];
    }
    window.at = at;
    if (byte === OPEN_BRACE && lines.width < 0) {
      lines.known = width > 0;
      lines.width = width;
    }
    // If messages begin their lines, the list ends on a line of its own with less indentation.
    if (byte === CLOSE_BRACKET && lines.known) {
      const after = bytes[at + 1];
      if (after !== undefined || window.ended) {
        return width >= 0 && width < lines.width && endsLine(after) ? byte : DAMAGE;
      }
    } else if (byte !== undefined) return byte;
    if (window.ended) throw new TruncatedJson();
    yield NEED_MORE_BYTES;
  }
}

/** Returns whether the byte may follow the bracket that ends a list: a line break, a comma, nothing. */
const endsLine = (byte: number | undefined): boolean =>
  byte === undefined || byte === 0x0a || byte === 0x0d || byte === 0x2c;

/** Returns the length of the present message; -1: longer than allowed; 0: the file ends inside it. */
function* messageLength(window: ByteWindow, lines: Indentation): Walk<number> {
  const scan: ValueScan = { length: 0, depth: 0, inString: false };
  while (!scanValue(window, scan)) {
    if (scan.length > MAX_MESSAGE_BYTES) return -1;
    if (window.ended) {
      if (lines.known && hasLaterLine(window, lines)) return 0;
      throw new TruncatedJson();
    }
    yield NEED_MORE_BYTES;
  }
  return scan.length > MAX_MESSAGE_BYTES ? -1 : scan.length;
}

/** Moves to the next line that begins a message, or ends the list, by its indentation. */
function* findNextLine(window: ByteWindow, lines: Indentation): Walk<void> {
  for (;;) {
    const found = nextLine(window, lines);
    if (found.at >= 0) {
      window.at = found.at;
      return;
    }
    window.at = found.resumeAt;
    if (window.ended) throw new TruncatedJson();
    yield NEED_MORE_BYTES;
  }
}

function hasLaterLine(window: ByteWindow, lines: Indentation): boolean {
  return nextLine(window, lines).at >= 0;
}

/** `at`: the line break before the bracket, or -1; `resumeAt`: the line break from which to search again with more bytes. */
function nextLine({ bytes, at, ended }: ByteWindow, lines: Indentation): { at: number; resumeAt: number } {
  let newline = bytes.indexOf(0x0a, at);
  while (newline >= 0) {
    let next = newline + 1;
    while (bytes[next] === 0x20 || bytes[next] === 0x09) next++;
    const byte = bytes[next];
    if (byte === undefined) return { at: -1, resumeAt: newline };
    const width = next - newline - 1;
    const after = bytes[next + 1];
    if (after === undefined && !ended) return { at: -1, resumeAt: newline };
    const alone = endsLine(after);
    if ((byte === OPEN_BRACE && width === lines.width) || (byte === CLOSE_BRACKET && width < lines.width && alone)) {
      return { at: newline, resumeAt: newline };
    }
    newline = bytes.indexOf(0x0a, next);
  }
  return { at: -1, resumeAt: bytes.length };
}

function* open(window: ByteWindow, bracket: number): Walk<void> {
  const byte = yield* nextByte(window);
  if (byte === -1) throw new TruncatedJson();
  if (byte !== bracket) throw new MalformedJson();
  window.at++;
}
