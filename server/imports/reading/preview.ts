import * as z from "zod/mini";
import { type ImportChat, ImportState } from "#contract/knowledge/imports.ts";
import type { MediaKind } from "#contract/media-kinds.ts";
import type { ChatKind, ImportEvent, ImportedChat, ImportedMessage } from "#server/imports/formats/message.ts";

/**
 * What one pass over an export finds; stored with the import. Of people those who wrote most come first, of a huge export the first
 * thousand; of what was rejected the first hundred; `total` are the messages of all chats without the messenger's own lines.
 */
export const ImportPreview = z.pick(ImportState, {
  chats: true,
  people: true,
  suggestedOwner: true,
  rejected: true,
  rejectedCount: true,
  total: true,
  incomplete: true,
});
export type ImportPreview = z.infer<typeof ImportPreview>;

/** What stays of a preview when its import is over: data that was not chosen is removed, and texts belong to the history. */
export function keepChosen(preview: ImportPreview, ownerId: string, chatIds: readonly string[]): ImportPreview {
  const chosen = new Set(chatIds);
  return {
    ...preview,
    chats: preview.chats
      .filter((chat) => chosen.has(chat.id))
      .map(({ firstLines: _, attached: _files, ...chat }) => chat),
    people: preview.people.filter((person) => person.id === ownerId),
  };
}

// Bounds of memory and of the stored row; no account of a person comes near them.
const MAX_CHATS = 10_000;
const MAX_PEOPLE = 100_000;
const PEOPLE_KEPT = 1000;
const REJECTED_KEPT = 100;
const QUOTED_CHATS = 1000;
const LINES_QUOTED = 6;
const LINE_LENGTH = 100;

interface Chat {
  name: string;
  kind: ChatKind;
  messages: number;
  /** Milliseconds. */
  from: number;
  to: number;
  /** Ids of the first three who wrote here. */
  authors: string[];
  firstLines: NonNullable<ImportChat["firstLines"]>;
  assumed: ImportedChat["assumed"];
  members: ImportedChat["members"];
  attached: NonNullable<ImportChat["attached"]>;
}

interface Person {
  name: string;
  messages: number;
  chats: number;
  /** Counts `chats` without remembering who was where: a chat's messages stand together. */
  lastChat: string;
}

/** Takes every event of an export, in order. */
export class PreviewBuilder {
  /** Messages so far. */
  total = 0;
  readonly #chats = new Map<string, Chat>();
  readonly #people = new Map<string, Person>();
  readonly #rejected: ImportPreview["rejected"] = [];
  #rejectedCount = 0;
  #owner: string | null = null;
  #incomplete = false;
  #tooManyChats = false;
  #quotedChats = 0;

  add(event: ImportEvent): void {
    if (event.type === "message") this.#addMessage(event.message);
    else if (event.type === "chat") this.#addChat(event.chat);
    else if (event.type === "rejected") this.#reject(event);
    else if (event.type === "owner") this.#owner ??= event.authorId;
    else this.#incomplete ||= event.incomplete;
  }

  result(): ImportPreview {
    const suggestedOwner = this.#suggestOwner();
    const chats = [...this.#chats]
      .filter(([, chat]) => chat.messages > 0)
      .map(([id, chat]) => ({
        id,
        name: nameOf(chat, suggestedOwner),
        kind: chat.assumed && chat.authors.length > 2 ? "group" : chat.kind,
        messages: chat.messages,
        from: isoOf(chat.from),
        to: isoOf(chat.to),
        ...(chat.firstLines.length > 0 && { firstLines: chat.firstLines }),
        ...(chat.attached.length > 0 && { attached: chat.attached }),
      }));
    const people = [...this.#people]
      .sort(([, a], [, b]) => b.messages - a.messages)
      .filter(([id], place) => place < PEOPLE_KEPT || id === suggestedOwner)
      .map(([id, person]) => ({ id, name: person.name, messages: person.messages }));
    return {
      chats,
      people,
      suggestedOwner,
      rejected: this.#rejected,
      rejectedCount: this.#rejectedCount,
      total: this.total,
      incomplete: this.#incomplete,
    };
  }

  #addChat({ id, name, kind, assumed, members }: ImportedChat): void {
    const known = this.#chats.get(id);
    if (known !== undefined) {
      // What one of its files knows for a group stays one.
      Object.assign(known, { name, kind: known.kind === "group" ? "group" : kind });
      known.members = known.members?.map((old) => (old.name === old.id ? (find(members, old.id) ?? old) : old));
    } else if (this.#chats.size < MAX_CHATS) {
      const counts = { messages: 0, from: Infinity, to: -Infinity, authors: [], firstLines: [], attached: [] };
      this.#chats.set(id, { name, kind, ...counts, assumed, members });
    } else if (!this.#tooManyChats) {
      this.#tooManyChats = true;
      this.#reject({ line: 0, reason: "В выгрузке больше 10 000 чатов: остальные пропущены" });
    }
  }

  #addMessage(message: ImportedMessage): void {
    const chat = this.#chats.get(message.chatId);
    if (chat === undefined || message.kind === "service") return;
    this.total++;
    chat.messages++;
    if (message.sentAt !== null) {
      chat.from = Math.min(chat.from, message.sentAt.getTime());
      chat.to = Math.max(chat.to, message.sentAt.getTime());
    }
    this.#quote(chat, message);
    for (const { kind, bytes } of message.attached ?? []) countFile(chat.attached, kind, bytes);
    const { authorId } = message;
    // A group or a channel that writes in its own name is no person.
    if (authorId === "" || (authorId === message.chatId && chat.kind !== "private")) return;
    if (chat.authors.length < 3 && !chat.authors.includes(authorId)) chat.authors.push(authorId);
    const person = this.#people.get(authorId);
    if (person === undefined) {
      if (this.#people.size >= MAX_PEOPLE) return;
      this.#people.set(authorId, { name: message.authorName, messages: 1, chats: 1, lastChat: message.chatId });
      return;
    }
    person.messages++;
    person.name = message.authorName || person.name;
    if (person.lastChat !== message.chatId) {
      person.chats++;
      person.lastChat = message.chatId;
    }
  }

  /** The chat's own beginning tells it from another of the same name. */
  #quote({ firstLines }: Chat, { authorName, kind, text }: ImportedMessage): void {
    const line = text.trim();
    if (firstLines.length >= LINES_QUOTED || kind !== "text" || line === "") return;
    if (firstLines.length === 0 && this.#quotedChats++ >= QUOTED_CHATS) return;
    const short = line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH)}…`;
    // A cut may fall into the middle of a character.
    firstLines.push({ author: authorName, text: short.replaceAll(/\s+/g, " ").toWellFormed() });
  }

  #reject({ line, reason, file }: { line: number; reason: string; file?: string }): void {
    this.#rejectedCount++;
    if (this.#rejected.length < REJECTED_KEPT) this.#rejected.push({ line, reason, ...(file && { file }) });
  }

  /**
   * The owner named by the export; else the person who writes in the most chats; else the counterpart of the person that a private chat is
   * named after. Null when nothing tells: a wrong guess would make a twin of another person.
   */
  #suggestOwner(): string | null {
    if (this.#owner !== null && this.#people.has(this.#owner)) return this.#owner;
    let most: { id: string; chats: number } | null = null;
    let tie = false;
    for (const [id, { chats }] of this.#people) {
      if (most === null || chats > most.chats) {
        most = { id, chats };
        tie = false;
      } else if (chats === most.chats) tie = true;
    }
    if (most !== null && most.chats > 1 && !tie) return most.id;
    const facing = new Set<string>();
    for (const chat of this.#chats.values()) {
      if (chat.kind !== "private" || chat.authors.length !== 2) continue;
      const other = chat.authors.filter((id) => this.#people.get(id)?.name !== chat.name);
      if (other.length === 1) facing.add(other[0]!);
    }
    return facing.size === 1 ? [...facing][0]! : null;
  }
}

function countFile(attached: Chat["attached"], kind: MediaKind, bytes: number): void {
  const known = attached.find((each) => each.kind === kind);
  if (known === undefined) attached.push({ kind, files: 1, bytes });
  else Object.assign(known, { files: known.files + 1, bytes: known.bytes + bytes });
}

const find = (members: ImportedChat["members"], id: string) => members?.find((member) => member.id === id);

function nameOf({ name, members }: Chat, owner: string | null): string {
  const others = members?.filter(({ id }) => id !== owner) ?? [];
  return others.length === 0 ? name : others.map((person) => person.name).join(", ");
}

const isoOf = (milliseconds: number): string | null =>
  Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : null;
