import { isUtf8 } from "node:buffer";
import type { WallClockTime } from "#server/knowledge/messages/wall-clock-time.ts";
import {
  attachedOf,
  cleanName,
  type FindAttached,
  type ImportedChat,
  type ImportedMessage,
  isStorable,
  reasons,
} from "./message.ts";
import { targetBehind } from "./parts/html-words.ts";
import { repairJson } from "./parts/repair-json.ts";

export const DELETED_ACCOUNT = "Удалённый аккаунт";

/** The position of a message in the file, as far as reading needs it. */
export interface TelegramPlace {
  chatId: string;
  line: number;
  clock: (local: WallClockTime) => Date | null;
  findAttached?: FindAttached | undefined;
}

/** Reads one message's bytes; returns the message, or the Russian reason why it cannot be read. */
export function readTelegramMessage(bytes: Buffer, place: TelegramPlace): ImportedMessage | string {
  const json = bytes.toString("utf8");
  // Decoding replaces broken bytes by U+FFFD, so only texts that contain one need the check.
  if (json.includes("\uFFFD") && !isUtf8(bytes)) return reasons.notUtf8;
  let raw: Record<string, unknown>;
  try {
    raw = JSON.parse(json);
  } catch {
    try {
      raw = JSON.parse(repairJson(json));
    } catch {
      return reasons.notParsed;
    }
  }
  const written = textOf(raw);
  if (written === null) return reasons.notParsed;
  const text = written === "" ? textOfContent(raw) : written;
  if (!isStorable(text)) return reasons.notStorable;
  const service = raw.type !== "message" && raw.type !== undefined;
  const isForward = "forwarded_from" in raw || "via_bot" in raw;
  return {
    chatId: place.chatId,
    externalId: scalar(raw.id),
    ...(service ? authorOf(raw.actor_id ?? raw.from_id, raw.actor ?? raw.from) : authorOf(raw.from_id, raw.from)),
    sentAt: sentAt(raw, place),
    text,
    replyTo: raw.reply_to_peer_id === undefined ? scalar(raw.reply_to_message_id) : null,
    kind: service ? "service" : isForward ? "forward" : text.trim() === "" ? "media" : "text",
    line: place.line,
    // Recordings and pictures of a forwarded message are not taken: they belong to another person.
    ...(service || isForward ? {} : attachedOf(place.findAttached, attachmentsOf(raw))),
  };
}

/** Returns a photo, or a recording made for this chat; music and other files are left out. */
const attachmentsOf = ({ photo, file, media_type }: Record<string, unknown>) => [
  ...(photo === undefined ? [] : [{ kind: "picture" as const, path: photo }]),
  ...(media_type === "voice_message" ? [{ kind: "speech" as const, path: file }] : []),
];

export function authorOf(id: unknown, name: unknown): { authorId: string; authorName: string } {
  const authorId = personId(id, name);
  const authorName = cleanName(typeof name === "string" ? name : "") || (authorId === "" ? "" : DELETED_ACCOUNT);
  return { authorId, authorName };
}

/** `text` is a string or a list of strings and entities; newer exports repeat it, always as a list, in `text_entities`. */
function textOf(raw: Record<string, unknown>): string | null {
  if (typeof raw.text === "string" && raw.text !== "") return raw.text;
  const parts = Array.isArray(raw.text) && raw.text.length > 0 ? raw.text : raw.text_entities;
  if (parts === undefined || parts === null) return "";
  if (!Array.isArray(parts)) return null;
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else if (typeof part?.text === "string") text += part.text + targetBehind(part.text, part.href);
    else return null;
  }
  return text;
}

/** Returns the words in a poll, a list of tasks, a contact or a place; "" for other content. */
function textOfContent({
  poll,
  todo_list,
  contact_information,
  location_information,
  ...raw
}: Record<string, unknown>): string {
  const [question, tasks] = [poll, todo_list].map(listOf);
  if (question !== undefined) return ["Опрос", ...question].join("\n");
  if (tasks !== undefined) return ["Список дел", ...tasks].join("\n");
  const contact = fieldsOf(contact_information, ["first_name", "last_name", "phone_number"]);
  if (contact !== "") return `Контакт: ${contact}`;
  const place = fieldsOf(location_information, ["latitude", "longitude"]);
  const venue = fieldsOf(raw, ["place_name", "address"]);
  return place === "" ? "" : `Место: ${[venue, place].filter((part) => part !== "").join(" ")}`;
}

/** Returns the title and the answers of a poll or list. */
function listOf(value: unknown): string[] | undefined {
  const { question, title, answers } = (value ?? {}) as Record<string, unknown>;
  const head = typeof question === "string" ? question : title;
  if (typeof head !== "string" || !Array.isArray(answers)) return undefined;
  const items = answers.map((each: { text?: unknown } | null) => each?.text).filter((text) => typeof text === "string");
  return [head, ...items.map((text) => `- ${text}`)];
}

function fieldsOf(value: unknown, names: readonly string[]): string {
  const fields = (value ?? {}) as Record<string, unknown>;
  const told = names.map((name) => fields[name]).filter((each) => typeof each === "string" || typeof each === "number");
  return told
    .map(String)
    .filter((each) => each !== "")
    .join(" ");
}

function sentAt(raw: Record<string, unknown>, { clock }: TelegramPlace): Date | null {
  const known = sentWithin(Number(raw.date_unixtime ?? Number.NaN));
  if (known !== null) return known;
  const match = typeof raw.date === "string" ? /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)$/.exec(raw.date) : null;
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return clock({ year, month, day, hour, minute, second });
}

/** Returns null for impossible times: before Telegram began in 2013, or after 2200. */
export function sentWithin(seconds: number): Date | null {
  return seconds > 1_000_000_000 && seconds < 7_258_118_400 ? new Date(seconds * 1000) : null;
}

/** Returns the author's id: "user123" and "channel5" stay; a bare number (exports before 2021) is a user; otherwise the name is used. */
export function personId(id: unknown, name: unknown): string {
  if (typeof id === "number") return `user${id}`;
  if (typeof id === "string" && id !== "") return /^\d+$/.test(id) ? `user${id}` : cleanName(id);
  return typeof name === "string" && name !== "" ? `name:${cleanName(name)}`.slice(0, 300) : "";
}

function scalar(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" && isStorable(value) ? value.slice(0, 300) : null;
}

/**
 * Reads the chat's head. Telegram counts ids of people, small groups and channels separately, so our id contains the kind, as `from_id`
 * does. `ordinal` replaces a missing id.
 */
export function telegramChat(head: { id?: unknown; name?: unknown; type?: unknown }, ordinal: number): ImportedChat {
  const type = typeof head.type === "string" ? head.type : "personal_chat";
  const id = scalar(head.id) ?? `-position-${ordinal}`;
  const name = cleanName(typeof head.name === "string" ? head.name : "");
  switch (type) {
    case "personal_chat":
      return { id: `user${id}`, name: name || DELETED_ACCOUNT, kind: "private" };
    case "saved_messages":
      return { id: `saved${id}`, name: name || "Избранное", kind: "saved" };
    case "bot_chat":
    case "replies":
    case "verification_codes":
      return { id: `user${id}`, name: name || "Бот", kind: "channel" };
    case "private_channel":
    case "public_channel":
      return { id: `channel${id}`, name: name || "Канал", kind: "channel" };
    case "private_group":
      return { id: `chat${id}`, name: name || "Группа", kind: "group" };
    default:
      // Supergroups and unknown kinds count as groups, which are not imported unless the owner chooses them.
      return { id: `channel${id}`, name: name || "Группа", kind: "group" };
  }
}
