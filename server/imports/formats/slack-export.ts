// Reads Slack's export: lists of people and conversations, and a folder per conversation with a file per day.

import { slackBlockMarkup } from "#server/inbox/channel-protocol/slack-blocks.ts";
import { endOf, WHOLE_END } from "./ends.ts";
import {
  type BundledFile,
  type BundleFormat,
  type ChatKind,
  cleanName,
  type ImportEvent,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  reasons,
} from "./message.ts";
import { type ByteWindow, NEED_MORE_BYTES, walkBytes } from "./parts/json-bytes.ts";
import { type JsonItem, listItems } from "./parts/json-items.ts";
import { slackText } from "./slack-text.ts";

const LISTS: Record<string, ChatKind> = { channels: "group", groups: "group", mpims: "group", dms: "private" };
const DAY = /^(?:.*\/)?([^/]+)\/\d{4}-\d\d-\d\d\.json$/;
/** Maximum number of named people and conversations; no workspace has so many. */
const MAX_NAMES = 500_000;

export const slackExport: BundleFormat = {
  name: "slack-zip",
  detect: (names) => names.some((name) => /(?:^|\/)users\.json$/.test(name)) && names.some((name) => DAY.test(name)),
  async *read(files) {
    const people = await readPeople(files);
    const chats = await readChats(files, people);
    let incomplete = false;
    const days = files.filter(({ name }) => DAY.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    let told: ImportedChat | null = null;
    for (const file of days) {
      const folder = DAY.exec(file.name)![1]!;
      const chat: ImportedChat = chats.get(folder) ?? {
        id: `slack-${cleanName(folder)}`,
        name: cleanName(folder),
        kind: "group",
      };
      if (told?.id !== chat.id) yield { type: "chat", chat };
      told = chat;
      for await (const event of walkBytes(file.open(), (window) =>
        readDay(window, { chat, people, file: file.name }),
      )) {
        if (event.type !== "end") yield event;
        else if (event.incomplete) {
          incomplete = true;
          yield { type: "rejected", line: 0, reason: "Файл дня повреждён: прочитано его начало", file: file.name };
        }
      }
    }
    yield incomplete
      ? { type: "end", incomplete, error: "Часть файлов архива повреждена: прочитано всё остальное" }
      : WHOLE_END;
  },
};

type People = ReadonlyMap<string, string>;

async function readPeople(files: readonly BundledFile[]): Promise<People> {
  const people = new Map<string, string>();
  for await (const raw of listOf(files, "users")) {
    if (typeof raw.id === "string") people.set(raw.id, nameIn(raw.profile) ?? nameIn(raw) ?? cleanName(raw.id));
  }
  return people;
}

/** Guests of other workspaces stand in no list; their messages carry their profile. */
function nameIn(profile: unknown): string | undefined {
  const { display_name, real_name, name } = (profile ?? {}) as Record<string, unknown>;
  const found = [display_name, real_name, name].find((each) => typeof each === "string" && each !== "");
  return found === undefined ? undefined : cleanName(found as string);
}

/** Returns the text of a message of somebody else that was passed on. */
function sharedText(attachments: unknown): string {
  if (!Array.isArray(attachments)) return "";
  const texts = attachments.map((each: { text?: unknown; fallback?: unknown } | null) => each?.text ?? each?.fallback);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** Conversations by folder: a channel's folder has its name, a direct message's its id. */
async function readChats(files: readonly BundledFile[], people: People): Promise<Map<string, ImportedChat>> {
  const chats = new Map<string, ImportedChat>();
  for (const [list, kind] of Object.entries(LISTS)) {
    for await (const raw of listOf(files, list)) {
      if (typeof raw.id !== "string") continue;
      const name = typeof raw.name === "string" ? raw.name : "";
      const members = Array.isArray(raw.members) ? raw.members.filter((id) => typeof id === "string") : [];
      const named = kind === "group" && list !== "mpims";
      const chat: ImportedChat = {
        id: `slack-${cleanName(raw.id)}`,
        name: named
          ? `#${cleanName(name)}`
          : members
              .map((id) => people.get(id) ?? id)
              .join(", ")
              .slice(0, 300),
        kind,
        ...(named ? {} : { members: members.slice(0, 20).map((id) => ({ id, name: people.get(id) ?? id })) }),
      };
      chats.set(kind === "private" || name === "" ? raw.id : name, chat);
    }
  }
  return chats;
}

async function* listOf(files: readonly BundledFile[], name: string): AsyncGenerator<Record<string, unknown>> {
  const file = files.find((each) => each.name.replace(/^.*\//, "") === `${name}.json`);
  if (file === undefined) return;
  let count = 0;
  for await (const item of walkBytes(file.open(), entries)) {
    if ("value" in item) yield item.value;
    if (++count >= MAX_NAMES) return;
  }
}

/** Reads a list; of a damaged one the readable members. */
function* entries(window: ByteWindow): Generator<JsonItem | typeof NEED_MORE_BYTES, void, void> {
  try {
    yield* listItems(window);
  } catch (error) {
    endOf(error);
  }
}

interface Day {
  chat: ImportedChat;
  people: People;
  file: string;
}

function* readDay(window: ByteWindow, day: Day): Generator<ImportEvent | typeof NEED_MORE_BYTES, void, void> {
  let line = 0;
  try {
    for (const item of listItems(window)) {
      if (item === NEED_MORE_BYTES) {
        yield NEED_MORE_BYTES;
        continue;
      }
      line++;
      const read = "reason" in item ? item.reason : messageOf(item.value, day, line);
      if (typeof read === "string") yield { type: "rejected", line, reason: read, file: day.file };
      else yield { type: "message", message: read };
    }
    yield WHOLE_END;
  } catch (error) {
    yield endOf(error);
  }
}

/** Subtypes of messages that people write; the others are Slack's own texts. */
const WRITTEN = new Set([undefined, "thread_broadcast", "file_share", "me_message", "bot_message"]);

function messageOf(raw: Record<string, unknown>, { chat, people }: Day, line: number): ImportedMessage | string {
  if (typeof raw.ts !== "string" || (raw.text !== undefined && typeof raw.text !== "string")) return reasons.notParsed;
  const shared = sharedText(raw.attachments);
  const own = [raw.text ?? "", slackBlockMarkup(raw.blocks)].find((each) => each.trim() !== "") ?? "";
  const text = slackText(own === "" ? shared : own, people);
  if (!isStorable(text)) return reasons.notStorable;
  const user = typeof raw.user === "string" ? raw.user : typeof raw.bot_id === "string" ? raw.bot_id : "";
  const milliseconds = Math.floor(Number(raw.ts) * 1000);
  const written = WRITTEN.has(raw.subtype as string | undefined) && raw.type === "message";
  return {
    chatId: chat.id,
    externalId: raw.ts.slice(0, 300),
    authorId: cleanName(user),
    authorName: people.get(user) ?? nameIn(raw.user_profile) ?? cleanName(user),
    sentAt: milliseconds > 0 && milliseconds < 7_258_118_400_000 ? new Date(milliseconds) : null,
    text,
    replyTo: typeof raw.thread_ts === "string" && raw.thread_ts !== raw.ts ? raw.thread_ts.slice(0, 300) : null,
    kind: !written
      ? "service"
      : raw.bot_id || raw.subtype === "bot_message" || (own === "" && shared !== "")
        ? "forward"
        : text.trim() === ""
          ? "media"
          : "text",
    line,
  };
}
