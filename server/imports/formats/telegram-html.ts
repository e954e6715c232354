// Reads a page of Telegram Desktop's HTML export: messages.html, messages2.html… A page names people and the chat but has no ids,
// and does not say what kind of chat it is. Each message is a block of its own.
import type { HTMLElement } from "node-html-parser";
import { localClock, type WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";
import { CUT_END, WHOLE_END } from "./ends.ts";
import {
  attachedOf,
  cleanName,
  DEFAULT_TIME_ZONE,
  type ExportFormat,
  type FindAttached,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  MAX_MESSAGE_BYTES,
  reasons,
} from "./message.ts";
import { wordsOf } from "./parts/html-words.ts";
import { parseMarkup, splitBefore } from "./parts/markup-blocks.ts";
import { DELETED_ACCOUNT } from "./telegram-message.ts";

const BLOCK = '<div class="message ';

export const telegramHtml: ExportFormat = {
  name: "telegram-html",
  detect(head) {
    const text = head.toString("utf8");
    return /^\uFEFF?\s*<!DOCTYPE html/i.test(text) && /class="page_body chat_page"/.test(text) && text.includes(BLOCK);
  },
  async *read(source, options = {}) {
    const clock = localClock(options.timeZone ?? DEFAULT_TIME_ZONE);
    const { findAttached } = options;
    let chat: ImportedChat | null = null;
    let author = "";
    let line = 0;
    let cut = false;
    for await (const { text, last } of splitBefore(source, BLOCK)) {
      // A page ends with its own closing tags, so an unclosed block was truncated.
      if (last) cut = !/<\/html>\s*$/i.test(text);
      if (chat === null) {
        chat = chatOf(text);
        yield { type: "chat", chat };
        continue;
      }
      if (cut) break;
      line++;
      const read = messageOf(text, { chat, author, line, clock, findAttached });
      if (typeof read === "string") yield { type: "rejected", line, reason: read };
      else {
        if (read.kind !== "service") author = read.authorId;
        yield { type: "message", message: read };
      }
    }
    yield cut ? CUT_END : WHOLE_END;
  },
};

function chatOf(page: string): ImportedChat {
  const title = parseMarkup(page)?.querySelector(".page_header .text.bold");
  const name = cleanName(title == null ? "" : wordsOf(title)) || "Чат Telegram";
  return { id: `html:${name}`.slice(0, 300), name, kind: "private", assumed: true };
}

interface Place {
  chat: ImportedChat;
  /** Author of the previous message: a consecutive message of the same author does not repeat the name. */
  author: string;
  line: number;
  clock: (local: WallClockTime) => Date | null;
  findAttached: FindAttached | undefined;
}

function messageOf(block: string, { chat, author, line, clock, findAttached }: Place): ImportedMessage | string {
  if (block.length > MAX_MESSAGE_BYTES / 2) return reasons.tooLong;
  const root = parseMarkup(block)?.querySelector(".message");
  const body = root?.querySelector(".body");
  if (!root || !body) return reasons.notParsed;
  const forwarded = body.querySelector(".forwarded.body");
  // A forwarded message names its author too, but inside its block.
  const own = body.querySelectorAll(".from_name").find((name) => name.parentNode === body);
  const [named = "", bot] = own === undefined ? [] : wordsOf(own).split(/(?<!\s)\s+via\s+(?=@)/);
  const authorName = own === undefined ? author : cleanName(named) || DELETED_ACCOUNT;
  const words = body.querySelector(".text");
  const service = root.classList.contains("service");
  const isForward = forwarded !== null || bot !== undefined;
  const text = words === null ? textOfContent(body) : wordsOf(words, { targets: true });
  if (!isStorable(text)) return reasons.notStorable;
  const reply = /go_to_message(-?\d+)/.exec(body.querySelector(".reply_to a")?.getAttribute("href") ?? "");
  return {
    chatId: chat.id,
    externalId: /^message(-?\d+)$/.exec(root.getAttribute("id") ?? "")?.[1] ?? null,
    authorId: service ? "" : authorName,
    authorName: service ? "" : authorName,
    sentAt: timeOf(body.querySelector(".date.details")?.getAttribute("title") ?? "", clock),
    text,
    replyTo: reply?.[1] ?? null,
    kind: service ? "service" : isForward ? "forward" : text === "" ? "media" : "text",
    line,
    // Recordings and pictures of a forwarded message are not taken: they belong to another person.
    ...(service || isForward ? {} : attachedOf(findAttached, attachmentsOf(body))),
  };
}

/** Returns the words of a poll or a contact, which stand in blocks of their own; "" for other content. */
function textOfContent(body: HTMLElement): string {
  const [poll, contact] = [body.querySelector(".media_poll"), body.querySelector(".media_contact")];
  if (poll !== null) {
    const question = poll.querySelector(".question");
    return [
      "Опрос",
      ...(question === null ? [] : [wordsOf(question)]),
      ...poll.querySelectorAll(".answer").map((each) => wordsOf(each)),
    ].join("\n");
  }
  const fields = [".title", ".status"].map((name) => contact?.querySelector(name)).filter((each) => each != null);
  return fields.length === 0 ? "" : `Контакт: ${fields.map((each) => wordsOf(each)).join(" ")}`;
}

/** Returns the relative paths in the page's links, which lead into folders beside the page. */
const attachmentsOf = (body: HTMLElement) => [
  ...body
    .querySelectorAll("a.photo_wrap")
    .map((link) => ({ kind: "picture" as const, path: link.getAttribute("href") })),
  ...body
    .querySelectorAll("a.media_voice_message")
    .map((link) => ({ kind: "speech" as const, path: link.getAttribute("href") })),
];

/** Parses «12.03.2024 14:05:33 UTC+03:00»; older versions omit the zone. */
function timeOf(title: string, clock: Place["clock"]): Date | null {
  const match = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?: UTC([+-])(\d\d):(\d\d))?$/.exec(title);
  if (!match) return null;
  const [day, month, year, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (match[7] === undefined) return clock({ year, month, day, hour, minute, second });
  const offset = (match[7] === "-" ? -1 : 1) * (Number(match[8]) * 60 + Number(match[9]));
  const at = new Date(Date.UTC(year, month - 1, day, hour, minute, second) - offset * 60_000);
  return at.getTime() > 0 ? at : null;
}
