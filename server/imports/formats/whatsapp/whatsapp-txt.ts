// Reads WhatsApp's «Экспорт чата»: one chat as text, from Android or iOS, in any date form that phones use.
import { localClock, type WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";
import {
  attachedOf,
  cleanName,
  DEFAULT_TIME_ZONE,
  type ExportFormat,
  type FindAttached,
  HEAD_BYTES,
  type ImportEvent,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "../message.ts";
import { peekHead } from "../parts/stream-head.ts";
import { readLines, type TextLine } from "../parts/text-lines.ts";
import { ChatFacts } from "./whatsapp-chat.ts";
import {
  type DateOrder,
  dateOf,
  guessDateOrder,
  guessStyle,
  type Head,
  isCutHead,
  type LineStyle,
  parseHead,
  splitAuthor,
} from "./whatsapp-line.ts";
import { type ClassifiedText, classifyText } from "./whatsapp-text.ts";

export const whatsappTxt: ExportFormat = {
  name: "whatsapp-txt",
  detect(head) {
    if (head.includes(0)) return false;
    const lines = headLines(head);
    const style = guessStyle(lines);
    if (!style) return false;
    const heads = lines.filter((line) => parseHead(line, style)).length;
    return (
      parseHead(lines.find((line) => line.trim() !== "") ?? "", style) !== null ||
      (heads >= 3 && heads * 5 >= lines.length)
    );
  },
  async *read(source, options = {}) {
    const clock = localClock(options.timeZone ?? DEFAULT_TIME_ZONE);
    const { head, all } = await peekHead(source);
    const lines = headLines(head);
    const style = guessStyle(lines);
    if (!style) {
      yield { type: "end", incomplete: true, error: "В файле нет сообщений WhatsApp" };
      return;
    }
    const heads = lines.map((line) => parseHead(line, style)).filter((each) => each !== null);
    const reader = new WhatsappReader(
      style,
      guessDateOrder(heads),
      clock,
      new ChatFacts(heads, options),
      options.findAttached,
    );
    yield* reader.begin();
    let cut = false;
    for await (const { lines, unfinished } of readLines(all, MAX_MESSAGE_BYTES)) {
      for (const line of lines) {
        if (unfinished && (line.fault === "cut" || isCutHead(line.text, style))) cut = true;
        if (unfinished && cut && line.fault === null) break;
        yield* reader.take(line);
      }
    }
    yield* reader.finish();
    yield cut
      ? { type: "end", incomplete: true, error: "Файл обрывается: прочитано всё, что в нём есть" }
      : { type: "end", incomplete: false };
  },
};

/** Returns the complete lines of the first 64 KiB. */
function headLines(head: Buffer): string[] {
  const text = head
    .subarray(0, HEAD_BYTES)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const lines = text.split("\n");
  if (head.length >= HEAD_BYTES && lines.length > 1) lines.pop();
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** The message that is being collected: its header and the lines that continue it. */
interface Pending {
  head: Head;
  line: number;
  text: string[];
  size: number;
  fault: TextLine["fault"];
}

class WhatsappReader {
  private readonly style: LineStyle;
  private readonly order: DateOrder;
  private readonly clock: (local: WallClockTime) => Date | null;
  private readonly facts: ChatFacts;
  private readonly findAttached: FindAttached | undefined;
  private pending: Pending | null = null;
  private line = 0;

  constructor(
    style: LineStyle,
    order: DateOrder,
    clock: (local: WallClockTime) => Date | null,
    facts: ChatFacts,
    findAttached: FindAttached | undefined,
  ) {
    this.findAttached = findAttached;
    this.style = style;
    this.order = order;
    this.clock = clock;
    this.facts = facts;
  }

  *begin(): Generator<ImportEvent> {
    yield { type: "chat", chat: this.facts.chat() };
  }

  *take(line: TextLine): Generator<ImportEvent> {
    this.line++;
    const head = parseHead(line.text, this.style);
    if (head) {
      yield* this.flush();
      this.pending = { head, line: this.line, text: [head.rest], size: line.size, fault: line.fault };
      return;
    }
    const { pending } = this;
    if (!pending) {
      if (line.text.trim() !== "" || line.fault)
        yield { type: "rejected", line: this.line, reason: "Строка стоит вне сообщений" };
      return;
    }
    pending.size += line.size + 1;
    pending.fault ??= pending.size > MAX_MESSAGE_BYTES ? "tooLong" : line.fault;
    if (pending.fault === null) pending.text.push(line.text);
  }

  *finish(): Generator<ImportEvent> {
    yield* this.flush();
    const { told } = this.facts;
    const chat = this.facts.chat();
    if (chat.kind !== told.kind || chat.name !== told.name) yield { type: "chat", chat };
  }

  private *flush(): Generator<ImportEvent> {
    const { pending } = this;
    this.pending = null;
    if (!pending) return;
    const { line } = pending;
    if (pending.fault !== null) {
      const reason = pending.fault === "cut" ? "Сообщение обрывается вместе с файлом" : reasons[pending.fault];
      yield { type: "rejected", line, reason };
      return;
    }
    const whole = pending.text.join("\n");
    if (!isStorable(whole)) {
      yield { type: "rejected", line, reason: reasons.notStorable };
      return;
    }
    const said = splitAuthor(whole, this.facts.colonNames);
    const judged: ClassifiedText = said
      ? classifyText(said.text)
      : { kind: "service", text: whole.replace(/^\u200e+/, "") };
    this.facts.note(said?.author ?? null, judged);
    const author = said && judged.kind !== "service" ? cleanName(said.author) : "";
    const local = dateOf(pending.head, this.order);
    yield {
      type: "message",
      message: {
        chatId: this.facts.id,
        externalId: null,
        authorId: author,
        authorName: author,
        sentAt: local && this.clock(local),
        text: judged.text,
        replyTo: null,
        kind: judged.kind,
        line,
        ...attachedOf(this.findAttached, attachmentsOf(judged)),
      },
    };
  }
}

/** File extensions of recordings; a sticker looks like a picture but contains no words. */
const RECORDING = /\.(?:opus|ogg|m4a|mp3|aac|amr)$/i;
const PICTURE = /\.(?:jpe?g|png)$/i;

function attachmentsOf({ file }: ClassifiedText) {
  if (file === undefined) return [];
  // On some phones the mark comes before the name.
  const path = file.replace(/^\u200e+/, "").trim();
  if (RECORDING.test(path)) return [{ kind: "speech" as const, path }];
  return PICTURE.test(path) ? [{ kind: "picture" as const, path }] : [];
}
