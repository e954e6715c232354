// Reads a chat as people copy or type it: «Анна: привет» line by line, or «Анна, [12.03.2024 14:05]» above what she wrote.
import { headOf } from "#contract/conversations/pasted-lines.ts";
import { decodeText } from "#server/knowledge/documents/decode-text.ts";
import { localClock, parseStamp } from "#server/knowledge/messages/wall-clock-time.ts";
import { WHOLE_END } from "./ends.ts";
import {
  cleanName,
  DEFAULT_TIME_ZONE,
  type ExportFormat,
  HEAD_BYTES,
  type ImportEvent,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "./message.ts";
import { NamedChats } from "./parts/named-chats.ts";
import { decodeStream } from "./parts/stream-head.ts";

export const chatText: ExportFormat = {
  name: "chat-text",
  detect(head) {
    const text = decodeText(head.subarray(0, HEAD_BYTES));
    return text !== null && isChat(text.split("\n").slice(0, -1 || undefined));
  },
  async *read(source, options = {}) {
    const reader = new ChatReader(new NamedChats(options.fileName ?? ""), options.timeZone ?? DEFAULT_TIME_ZONE);
    let rest = "";
    for await (const text of decodeStream(source)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) yield* reader.take(line.replace(/\r$/, ""));
      // An endless line is cut to the maximum length of a message.
      if (rest.length > MAX_MESSAGE_BYTES) rest = rest.slice(0, MAX_MESSAGE_BYTES);
    }
    if (rest !== "") yield* reader.take(rest);
    yield* reader.finish();
    yield WHOLE_END;
  },
};

/** Returns whether at least two authors speak twice, and half of the lines begin with an author. */
function isChat(lines: readonly string[]): boolean {
  const said = new Map<string, number>();
  let heads = 0;
  let written = 0;
  for (const line of lines) {
    if (line.trim() === "") continue;
    written++;
    const head = headOf(line);
    if (head === null) continue;
    heads++;
    // A line with only a name above the text does not count as a line.
    if (head.speech === "") written--;
    said.set(head.name, (said.get(head.name) ?? 0) + 1);
  }
  const speakers = [...said.values()].filter((times) => times > 1).length;
  return speakers > 1 && heads * 2 >= written && said.size <= Math.max(8, heads / 4);
}

interface Pending {
  name: string;
  sentAt: Date | null;
  text: string[];
  size: number;
  line: number;
}

/** Labels that messengers give to the owner. */
const OWN = /^(?:вы|you|я|me)$/i;

class ChatReader {
  readonly #chats: NamedChats;
  readonly #clock: ReturnType<typeof localClock>;
  #pending: Pending | null = null;
  #sentAt: Date | null = null;
  #ownerTold = false;
  #line = 0;

  constructor(chats: NamedChats, timeZone: string) {
    this.#chats = chats;
    this.#clock = localClock(timeZone);
  }

  *take(text: string): Generator<ImportEvent> {
    this.#line++;
    const head = headOf(text);
    if (head !== null) {
      yield* this.finish();
      // A line without a time gets the time of the line before.
      if (head.stamp !== null) this.#sentAt = this.#clock(parseStamp(head.stamp)) ?? this.#sentAt;
      const { name, speech } = head;
      this.#pending = { name, sentAt: this.#sentAt, text: [speech], size: speech.length, line: this.#line };
    } else if (this.#pending !== null) {
      this.#pending.size += text.length;
      if (this.#pending.size <= MAX_MESSAGE_BYTES) this.#pending.text.push(text);
    } else if (text.trim() !== "") {
      yield { type: "rejected", line: this.#line, reason: "Строка стоит вне сообщений" };
    }
  }

  *finish(): Generator<ImportEvent> {
    const pending = this.#pending;
    this.#pending = null;
    if (pending === null) return;
    const { line, sentAt } = pending;
    const text = pending.text.join("\n").trim();
    const author = cleanName(pending.name);
    if (pending.size > MAX_MESSAGE_BYTES || !isStorable(text)) {
      yield { type: "rejected", line, reason: isStorable(text) ? reasons.tooLong : reasons.notStorable };
      return;
    }
    if (OWN.test(author) && !this.#ownerTold) {
      this.#ownerTold = true;
      yield { type: "owner", authorId: author };
    }
    const chat = this.#chats.take("");
    if (chat.told !== null) yield { type: "chat", chat: chat.told };
    const kind = text === "" ? "media" : "text";
    yield {
      type: "message",
      message: {
        chatId: chat.id,
        externalId: null,
        authorId: author,
        authorName: author,
        sentAt,
        text,
        replyTo: null,
        kind,
        line,
      },
    };
  }
}
