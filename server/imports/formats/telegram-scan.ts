import { isUtf8 } from "node:buffer";
import { type ImportedMessage, isStorable, MAX_MESSAGE_BYTES } from "./message.ts";
import { skipGrammarValue, skipPlainCharacters, skipString, skipWhitespace } from "./parts/json-grammar.ts";
import { authorOf, sentWithin } from "./telegram-message.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const AUTHORS_KEPT = 8;

/** The meaning of a message's member; `closely`: it needs more than this scan. */
type MemberMeaning = "id" | "type" | "time" | "name" | "author" | "text" | "reply" | "closely";

const meanings: Record<string, MemberMeaning> = {
  id: "id",
  type: "type",
  date_unixtime: "time",
  from: "name",
  from_id: "author",
  text: "text",
  reply_to_message_id: "reply",
  reply_to_peer_id: "closely",
  forwarded_from: "closely",
  via_bot: "closely",
  photo: "closely",
  media_type: "closely",
};

interface Key {
  bytes: Buffer;
  meaning: MemberMeaning;
}

// A key is looked up by its length and second byte, and then compared.
const keys: (Key | undefined)[] = new Array(32 * 32).fill(undefined);
for (const [word, meaning] of Object.entries(meanings)) {
  const bytes = Buffer.from(word);
  keys[slotOf(bytes, 0, bytes.length)] = { bytes, meaning };
}

function slotOf(bytes: Uint8Array, from: number, to: number): number {
  return ((to - from) << 5) | (bytes[from + 1]! & 31);
}

function meaningOf(bytes: Uint8Array, from: number, to: number): MemberMeaning | undefined {
  if (to - from < 2 || to - from > 31) return undefined;
  const key = keys[slotOf(bytes, from, to)];
  return key !== undefined && isAt(bytes, from, to, key.bytes) ? key.meaning : undefined;
}

function isAt(bytes: Uint8Array, from: number, to: number, expected: Uint8Array): boolean {
  if (to - from !== expected.length) return false;
  for (let place = 0; place < expected.length; place++) if (bytes[from + place] !== expected[place]) return false;
  return true;
}

const MESSAGE = Buffer.from("message");

interface Author {
  nameBytes: Buffer;
  idBytes: Buffer;
  authorId: string;
  authorName: string;
}

/**
 * Reads plain messages, which are nearly all of an export, in one pass over their bytes and decodes only what is needed.
 * `readTelegramMessage` reads all other messages and gives the same result.
 */
export class MessageScan {
  /** The position after the message that was read last. */
  end = 0;
  #checked: Buffer | null = null;
  #valid = false;
  readonly #authors: Author[] = [];
  #nextAuthor = 0;

  /** Reads the message that begins at `at`; null when it is incomplete, not plain or not JSON. */
  read(bytes: Buffer, at: number, place: { chatId: string; line: number }): ImportedMessage | null {
    if (this.#checked !== bytes) {
      // The last character may be cut, but not a bracket.
      this.#valid = isUtf8(bytes.subarray(at, bytes.lastIndexOf(CLOSE_BRACE) + 1));
      this.#checked = bytes;
    }
    return this.#valid ? this.#scan(bytes, at, place) : null;
  }

  #scan(bytes: Buffer, at: number, { chatId, line }: { chatId: string; line: number }): ImportedMessage | null {
    let id = -1;
    let time = -1;
    let reply = -1;
    let isMessage = false;
    let text: string | null = null;
    let nameAt = -1;
    let nameEnd = -1;
    let authorAt = -1;
    let authorEnd = -1;
    if (bytes[at] !== OPEN_BRACE) return null;
    for (let next = at + 1; ; next++) {
      const keyAt = skipWhitespace(bytes, next) + 1;
      if (bytes[keyAt - 1] !== QUOTE) return null;
      const keyEnd = skipPlainCharacters(bytes, keyAt);
      if (bytes[keyEnd] !== QUOTE) return null;
      next = skipWhitespace(bytes, keyEnd + 1);
      if (bytes[next] !== COLON) return null;
      const valueAt = skipWhitespace(bytes, next + 1);
      const meaning = meaningOf(bytes, keyAt, keyEnd);
      if (meaning === undefined) next = skipGrammarValue(bytes, valueAt);
      else if (meaning === "id" || meaning === "reply") {
        next = passPlainNumber(bytes, valueAt);
        if (next < 0) return null;
        if (meaning === "id") id = numberAt(bytes, valueAt, next);
        else reply = numberAt(bytes, valueAt, next);
      } else if (meaning === "text") {
        next = skipString(bytes, valueAt);
        if (next < 0) return null;
        text = textAt(bytes, valueAt, next);
      } else {
        // All other wanted members are strings without escapes.
        if (meaning === "closely" || bytes[valueAt] !== QUOTE) return null;
        const valueEnd = skipPlainCharacters(bytes, valueAt + 1);
        if (bytes[valueEnd] !== QUOTE) return null;
        next = valueEnd + 1;
        if (meaning === "type") isMessage = isAt(bytes, valueAt + 1, valueEnd, MESSAGE);
        else if (meaning === "name") {
          nameAt = valueAt + 1;
          nameEnd = valueEnd;
        } else if (meaning === "author") {
          authorAt = valueAt + 1;
          authorEnd = valueEnd;
        } else if (passPlainNumber(bytes, valueAt + 1) === valueEnd) time = numberAt(bytes, valueAt + 1, valueEnd);
        else return null;
      }
      if (next < 0) return null;
      next = skipWhitespace(bytes, next);
      if (bytes[next] === COMMA) continue;
      if (bytes[next] !== CLOSE_BRACE) return null;
      this.end = next + 1;
      break;
    }
    if (this.end - at > MAX_MESSAGE_BYTES) return null;
    if (!isMessage || id < 0 || nameAt < 0 || authorAt < 0 || text === null || text.trim() === "") return null;
    const sentAt = sentWithin(time);
    if (sentAt === null) return null;
    const { authorId, authorName } = this.#authorAt(bytes, nameAt, nameEnd, authorAt, authorEnd);
    return {
      chatId,
      externalId: String(id),
      authorId,
      authorName,
      sentAt,
      text,
      replyTo: reply < 0 ? null : String(reply),
      kind: "text",
      line,
    };
  }

  #authorAt(bytes: Buffer, nameAt: number, nameEnd: number, idAt: number, idEnd: number): Author {
    for (const known of this.#authors) {
      if (isAt(bytes, idAt, idEnd, known.idBytes) && isAt(bytes, nameAt, nameEnd, known.nameBytes)) return known;
    }
    const name = bytes.toString("utf8", nameAt, nameEnd);
    const author = {
      ...authorOf(bytes.toString("utf8", idAt, idEnd), name),
      // The bytes are copied, so that the file's block can be released.
      nameBytes: Buffer.from(bytes.subarray(nameAt, nameEnd)),
      idBytes: Buffer.from(bytes.subarray(idAt, idEnd)),
    };
    this.#authors[this.#nextAuthor++ % AUTHORS_KEPT] = author;
    return author;
  }
}

/** Skips a non-negative integer in plain digits that a number can represent exactly; returns -1 for anything else. */
function passPlainNumber(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && bytes[next]! >= 0x30 && bytes[next]! <= 0x39) next++;
  const digits = next - at;
  return digits === 0 || digits > 15 || (digits > 1 && bytes[at] === 0x30) ? -1 : next;
}

function numberAt(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let place = from; place < to; place++) number = number * 10 + bytes[place]! - 0x30;
  return number;
}

/** Returns null when the text cannot be stored. */
function textAt(bytes: Buffer, from: number, to: number): string | null {
  if (skipPlainCharacters(bytes, from + 1) === to - 1) return bytes.toString("utf8", from + 1, to - 1);
  const text = JSON.parse(bytes.toString("utf8", from, to)) as string;
  return isStorable(text) ? text : null;
}
