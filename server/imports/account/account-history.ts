/** Reads a connected Telegram account's dialogs and messages in the form of the account's export files. */
import { Long, type tl } from "@mtcute/core";
import { isDialogGone } from "#server/inbox/telegram-account/failures.ts";
import type { LiveAccount } from "#server/inbox/telegram-account/live-accounts.ts";
import { isPerson, nameOf, peopleOf } from "#server/inbox/telegram-account/message.ts";
import { cleanName, type ImportedMessage } from "../formats/message.ts";

/** Telegram's maximum per request. */
const PAGE = 100;
const CALL_MS = 30_000;

interface AccountPerson {
  /** Spelt as in Telegram's export files, «user123», so that both kinds of import name a person alike. */
  id: string;
  name: string;
}

const idOf = (userId: number): string => `user${userId}`;

export async function ownerOf({ client }: LiveAccount, abortSignal: AbortSignal): Promise<AccountPerson> {
  const [user] = await client.call(
    { _: "users.getUsers", id: [{ _: "inputUserSelf" }] },
    { timeout: CALL_MS, abortSignal },
  );
  if (user?._ !== "user") throw new Error("Telegram named no owner of the account");
  return { id: idOf(user.id), name: cleanName(nameOf(user)) };
}

/** A person with whom the owner talks, or a group that he is in. */
export interface FoundDialog {
  /** The id in export files: «user123», «chat123», «channel123» for a supergroup. */
  id: string;
  name: string;
  kind: "private" | "group";
  lastMessage: Date | null;
}

/** Yields all dialogs once, latest first, without channels and bots. Pages are requested on demand. */
export async function* dialogsOf(
  { client }: LiveAccount,
  abortSignal: AbortSignal,
): AsyncGenerator<FoundDialog, void, void> {
  const known = new Set<string>();
  let from = { offsetId: 0, offsetDate: 0, offsetPeer: { _: "inputPeerEmpty" } as tl.TypeInputPeer };
  for (;;) {
    const page = await client.call(
      { _: "messages.getDialogs", ...from, limit: PAGE, hash: Long.ZERO },
      { timeout: CALL_MS, abortSignal },
    );
    if (page._ === "messages.dialogsNotModified") return;
    const named = namesOf(page);
    const times = new Map(page.messages.map((message) => [placeOf(message.peerId, message.id), message]));
    for (const { peer, topMessage } of page.dialogs) {
      const dialog = named.get(dialogId(peer));
      if (dialog === undefined || known.has(dialog.id)) continue;
      known.add(dialog.id);
      const top = times.get(placeOf(peer, topMessage));
      yield { ...dialog, lastMessage: top && "date" in top ? new Date(top.date * 1000) : null };
    }
    const last = page.dialogs.at(-1);
    const top = last && times.get(placeOf(last.peer, last.topMessage));
    const ended = page._ === "messages.dialogs" || page.dialogs.length < PAGE;
    if (ended || last === undefined || top === undefined || !("date" in top)) return;
    const offsetPeer = await client.storage.peers.getById(markedIdOf(last.peer));
    from = { offsetId: top.id, offsetDate: top.date, offsetPeer: offsetPeer ?? { _: "inputPeerEmpty" } };
  }
}

/** Each supergroup and channel numbers its own messages, so the key contains the dialog. */
const placeOf = (peer: tl.TypePeer | undefined, message: number): string => `${peer && dialogId(peer)} ${message}`;

function dialogId(peer: tl.TypePeer): string {
  if (peer._ === "peerUser") return idOf(peer.userId);
  return peer._ === "peerChat" ? `chat${peer.chatId}` : `channel${peer.channelId}`;
}

function namesOf({ users, chats }: Pick<tl.messages.RawDialogs, "users" | "chats">) {
  const found = new Map<string, Omit<FoundDialog, "lastMessage">>();
  for (const user of peopleOf(users).values()) {
    if (isPerson(user)) found.set(idOf(user.id), { id: idOf(user.id), name: cleanName(nameOf(user)), kind: "private" });
  }
  for (const chat of chats) {
    const id = groupId(chat);
    if (id !== null) found.set(id, { id, name: groupName(chat), kind: "group" });
  }
  return found;
}

/** null for channels, and for groups that the account has left. */
function groupId(chat: tl.TypeChat): string | null {
  if (chat._ === "chat") return chat.left || chat.deactivated ? null : `chat${chat.id}`;
  return chat._ === "channel" && chat.megagroup && !chat.left ? `channel${chat.id}` : null;
}

const groupName = (chat: tl.TypeChat): string => cleanName("title" in chat ? chat.title : "") || "Группа";

/** MTProto marks ids of groups and channels by negative numbers, which share one number line with people. */
function markedIdOf(peer: tl.TypePeer): number {
  if (peer._ === "peerUser") return peer.userId;
  return peer._ === "peerChat" ? -peer.chatId : -1_000_000_000_000 - peer.channelId;
}

/** Returns the dialog as Telegram identifies it, from its id in export files. */
function peerOf(id: string): tl.TypePeer {
  const number = Number(/^\D*(\d+)$/.exec(id)?.[1]);
  if (id.startsWith("user")) return { _: "peerUser", userId: number };
  return id.startsWith("chat") ? { _: "peerChat", chatId: number } : { _: "peerChannel", channelId: number };
}

interface HistoryPage {
  /** Messages of the page, oldest first. */
  messages: ImportedMessage[];
  count: number;
  /** Id of the oldest message, before which the next page lies; null: there is no next page. */
  before: number | null;
}

/** Returns at most `wanted` messages before the one with id `before`; 0: the latest. null: the dialog no longer exists. */
export async function historyPage(
  { client }: LiveAccount,
  owner: AccountPerson,
  dialog: Pick<FoundDialog, "id" | "name">,
  { before, wanted }: { before: number; wanted: number },
  abortSignal: AbortSignal,
): Promise<HistoryPage | null> {
  const peer = await client.storage.peers.getById(markedIdOf(peerOf(dialog.id)));
  if (peer === null) return null;
  const limit = Math.min(PAGE, wanted);
  const range = { offsetId: before, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0 };
  const page = await client
    .call({ _: "messages.getHistory", peer, ...range, limit, hash: Long.ZERO }, { timeout: CALL_MS, abortSignal })
    .catch((error: unknown) => {
      if (isDialogGone(error)) return null;
      throw error;
    });
  if (page === null) return null;
  if (page._ === "messages.messagesNotModified") return { messages: [], count: 0, before: null };
  const count = page._ === "messages.messages" ? page.messages.length : page.count;
  const authors = authorsOf(page);
  const messages = page.messages.flatMap((message) => importedOf(message, { owner, dialog, authors }) ?? []).reverse();
  const ended = page._ === "messages.messages" || page.messages.length < limit;
  return { messages, count, before: ended ? null : page.messages.at(-1)!.id };
}

interface Place {
  owner: AccountPerson;
  dialog: Pick<FoundDialog, "id" | "name">;
  /** By the id in export files. */
  authors: ReadonlyMap<string, AccountPerson>;
}

/** Returns people, and groups and channels that write in their own name. */
function authorsOf({ users, chats }: Pick<tl.messages.RawMessages, "users" | "chats">): Map<string, AccountPerson> {
  const people = [...peopleOf(users).values()].map((user) => ({ id: idOf(user.id), name: cleanName(nameOf(user)) }));
  const others = chats.map((chat) => ({ id: `channel${chat.id}`, name: groupName(chat) }));
  return new Map([...people, ...others].map((author) => [author.id, author]));
}

/** Returns the author; messages of a private chat do not name the other person. */
function authorOf({ out, fromId }: tl.RawMessage | tl.RawMessageService, { owner, dialog, authors }: Place) {
  if (out) return owner;
  if (fromId === undefined) return dialog;
  const id = dialogId(fromId);
  return authors.get(id) ?? { id, name: id === dialog.id ? dialog.name : "Удалённый аккаунт" };
}

function importedOf(message: tl.TypeMessage, place: Place): ImportedMessage | null {
  if (message._ === "messageEmpty") return null;
  const author = authorOf(message, place);
  const text = message._ === "message" ? message.message.toWellFormed().replaceAll("\u0000", "") : "";
  const { replyTo } = message;
  const answered = replyTo?._ === "messageReplyHeader" && !replyTo.replyToPeerId ? replyTo.replyToMsgId : undefined;
  return {
    chatId: place.dialog.id,
    externalId: String(message.id),
    authorId: author.id,
    authorName: author.name,
    sentAt: new Date(message.date * 1000),
    text,
    replyTo: answered === undefined ? null : String(answered),
    kind: kindOf(message, text),
    line: message.id,
  };
}

function kindOf(message: tl.RawMessage | tl.RawMessageService, text: string): ImportedMessage["kind"] {
  if (message._ === "messageService") return "service";
  if (message.fwdFrom !== undefined || message.viaBotId !== undefined) return "forward";
  return text.trim() === "" ? "media" : "text";
}
