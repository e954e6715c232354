import * as z from "zod/mini";
import { type ImportChat, ImportState } from "#contract/knowledge/imports.ts";
import type { MediaKind } from "#contract/media-kinds.ts";
import type { ChatKind, ImportEvent, ImportedChat, ImportedMessage } from "#server/imports/formats/message.ts";

/**
 * Result of one pass over an export, stored with the import. People are sorted by messages, at most a thousand of a huge export, and
 * rejected lines are at most a hundred. `total` counts the messages of all chats without system messages.
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

/** Returns the part of a preview that is kept after the import: chats that were not chosen and texts are removed. */
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

// These bound memory and the stored row; no personal account comes near them.
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
  /** Time of the chat's first message, in milliseconds since 1970. */
  from: number;
  /** Time of the chat's last message, in milliseconds since 1970. */
  to: number;
  /** Ids of the first three authors in the chat. */
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
  /** The last chat counted in `chats`: messages of one chat are consecutive, so a set is not needed. */
  lastChat: string;
}

export class PreviewBuilder {
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
      // A chat that one file of the import knows as a group stays a group.
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
    // A group or channel that writes in its own name is not a person.
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

  /** Stores the chat's first lines, which distinguish it from another of the same name. */
  #quote({ firstLines }: Chat, { authorName, kind, text }: ImportedMessage): void {
    const line = text.trim();
    if (firstLines.length >= LINES_QUOTED || kind !== "text" || line === "") return;
    if (firstLines.length === 0 && this.#quotedChats++ >= QUOTED_CHATS) return;
    const short = line.length <= LINE_LENGTH ? line : `${line.slice(0, LINE_LENGTH)}…`;
    // The cut may split a surrogate pair, whose half `toWellFormed` replaces.
    firstLines.push({ author: authorName, text: short.replaceAll(/\s+/g, " ").toWellFormed() });
  }

  #reject({ line, reason, file }: { line: number; reason: string; file?: string }): void {
    this.#rejectedCount++;
    if (this.#rejected.length < REJECTED_KEPT) this.#rejected.push({ line, reason, ...(file && { file }) });
  }

  /**
   * Suggests the owner. It is the person whom the export names, or who writes in the most chats, or the counterpart of the person after
   * whom a private chat is named. Null when unclear: a wrong guess would make a twin of another person.
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
