// Reads a page of VK's «Архив данных», messages/<собеседник>/messages0.html: 50 messages, the newest first, in windows-1251.
import type { HTMLElement } from "node-html-parser";
import { localClock, type WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";
import { CUT_END, WHOLE_END } from "./ends.ts";
import {
  type ChatKind,
  cleanName,
  DEFAULT_TIME_ZONE,
  type ExportFormat,
  type ImportEvent,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "./message.ts";
import { wordsOf } from "./parts/html-words.ts";
import { parseMarkup, splitBefore } from "./parts/markup-blocks.ts";

const BLOCK = '<div class="item">';
/** The archive calls its owner by this word and gives no other name. */
const OWNER = "Вы";
/** VK's pages contain fifty messages; a file with more than this is not one of them. */
const MAX_ON_PAGE = 10_000;

export const vkHtml: ExportFormat = {
  name: "vk-html",
  newestFirst: true,
  detect(head) {
    // Latin-1 suffices here, because the markup is ASCII in every encoding.
    const text = head.toString("latin1");
    return text.includes('class="message__header"') && text.includes(BLOCK);
  },
  async *read(source, options = {}) {
    const clock = localClock(options.timeZone ?? DEFAULT_TIME_ZONE);
    let chat: ImportedChat | null = null;
    let cut = false;
    const found: ImportEvent[] = [];
    for await (const { text, last } of splitBefore(source, BLOCK)) {
      if (chat === null) {
        chat = chatOf(text, options.fileName ?? "");
        yield { type: "owner", authorId: OWNER };
        yield { type: "chat", chat };
        continue;
      }
      if (last) cut = !/<\/html>\s*$/i.test(text);
      if ((last && cut) || found.length >= MAX_ON_PAGE) break;
      const line = found.length + 1;
      const read = messageOf(text, chat, line, clock);
      found.push(
        typeof read === "string" ? { type: "rejected", line, reason: read } : { type: "message", message: read },
      );
    }
    // Messages are yielded in chronological order, as in every other format.
    while (found.length > 0) yield found.pop()!;
    yield cut ? CUT_END : WHOLE_END;
  },
};

function chatOf(page: string, fileName: string): ImportedChat {
  const crumbs = parseMarkup(page)?.querySelectorAll(".ui_crumb") ?? [];
  const name = cleanName(crumbs.length > 0 ? wordsOf(crumbs.at(-1)!) : "") || "Чат VK";
  const peer = /(?:^|\/)(-?\d+)\/messages\d+\.html$/.exec(fileName)?.[1];
  return { id: `vk-${peer ?? name}`.slice(0, 300), name, kind: kindOf(peer) };
}

/** Communities have negative ids; ids of group chats begin at two billion. */
function kindOf(peer: string | undefined): ChatKind {
  const id = Number(peer ?? 1);
  return id < 0 ? "channel" : id > 2_000_000_000 ? "group" : "private";
}

const MONTHS = "янв фев мар апр ма июн июл авг сен окт ноя дек".split(" ");

function messageOf(
  block: string,
  chat: ImportedChat,
  line: number,
  clock: (local: WallClockTime) => Date | null,
): ImportedMessage | string {
  if (block.length > MAX_MESSAGE_BYTES / 2) return reasons.tooLong;
  const root = parseMarkup(block)?.querySelector(".message");
  const header = root?.querySelector(".message__header");
  if (!root || !header) return reasons.notParsed;
  const link = header.querySelector("a");
  const said = wordsOf(header);
  // The header is «Анна Соколова, 12 мар 2024 в 14:05:33»; a name may contain a comma.
  const name = cleanName(said.slice(0, Math.max(0, said.lastIndexOf(", "))));
  const mine = link === null && name === OWNER;
  const attachments = root.querySelector(".kludges");
  const service = attachments?.querySelector(".im_srv_lnk") != null;
  const text = textOf(root, header);
  if (!isStorable(text)) return reasons.notStorable;
  const id = /vk\.com\/([\w.]+)/.exec(link?.getAttribute("href") ?? "")?.[1];
  return {
    chatId: chat.id,
    externalId: /^\d{1,20}$/.exec(root.getAttribute("data-id") ?? "")?.[0] ?? null,
    authorId: mine ? OWNER : (id ?? name),
    authorName: name,
    sentAt: timeOf(said, clock),
    text,
    replyTo: null,
    kind: service ? "service" : text === "" ? "media" : "text",
    line,
  };
}

/** Returns the text beside the header, without «(ред.)» and descriptions of attachments. */
function textOf(root: HTMLElement, header: HTMLElement): string {
  header.remove();
  for (const extra of root.querySelectorAll(".kludges, .message-edited")) extra.remove();
  return wordsOf(root);
}

function timeOf(header: string, clock: (local: WallClockTime) => Date | null): Date | null {
  const match = /(\d{1,2}) ([а-я]+)\.? (\d{4}) в (\d{1,2}):(\d\d)(?::(\d\d))?/i.exec(header);
  if (!match) return null;
  const month = MONTHS.findIndex((beginning) => match[2]!.toLowerCase().startsWith(beginning)) + 1;
  if (month === 0) return null;
  return clock({
    year: Number(match[3]),
    month,
    day: Number(match[1]),
    hour: Number(match[4]),
    minute: Number(match[5]),
    second: Number(match[6] ?? 0),
  });
}
