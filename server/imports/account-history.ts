/** A connected Telegram account's dialogues and messages, as export files of the same account hold them. */
import { Long, type tl } from "@mtcute/core";
import type { LiveAccount } from "#server/channels/telegram-live.ts";
import { isPerson, nameOf, peopleOf } from "#server/channels/telegram-message.ts";
import { cleanName, type ImportedMessage } from "./formats/message.ts";

/** Telegram gives no more at once. */
const PAGE = 100;
const CALL_MS = 30_000;

export interface AccountPerson {
  /** As export files name people: «user123». */
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

/** People that the owner talks to, those of the latest messages first; groups, channels and bots are passed over. */
export async function dialogsOf(
  { client }: LiveAccount,
  limit: number,
  abortSignal: AbortSignal,
): Promise<AccountPerson[]> {
  const found = new Map<string, AccountPerson>();
  let from = { offsetId: 0, offsetDate: 0, offsetPeer: { _: "inputPeerEmpty" } as tl.TypeInputPeer };
  for (;;) {
    const page = await client.call(
      { _: "messages.getDialogs", ...from, limit: PAGE, hash: Long.ZERO },
      { timeout: CALL_MS, abortSignal },
    );
    if (page._ === "messages.dialogsNotModified") break;
    const people = peopleOf(page.users);
    for (const { peer } of page.dialogs) {
      const user = peer._ === "peerUser" ? people.get(peer.userId) : undefined;
      if (user === undefined || !isPerson(user) || found.size === limit) continue;
      found.set(idOf(user.id), { id: idOf(user.id), name: cleanName(nameOf(user)) });
    }
    const last = page.dialogs.at(-1);
    const top = page.messages.find(({ id }) => id === last?.topMessage);
    const ended = page._ === "messages.dialogs" || page.dialogs.length < PAGE;
    if (found.size === limit || ended || last === undefined || top === undefined || !("date" in top)) break;
    const offsetPeer = await client.storage.peers.getById(markedIdOf(last.peer));
    from = { offsetId: top.id, offsetDate: top.date, offsetPeer: offsetPeer ?? { _: "inputPeerEmpty" } };
  }
  return [...found.values()];
}

/** Groups and channels share one line of ids with people, below zero. */
function markedIdOf(peer: tl.TypePeer): number {
  if (peer._ === "peerUser") return peer.userId;
  return peer._ === "peerChat" ? -peer.chatId : -1_000_000_000_000 - peer.channelId;
}

export interface HistoryPage {
  /** Oldest first. */
  messages: ImportedMessage[];
  /** Messages of the whole dialogue. */
  count: number;
  /** Id of the oldest one: the next page lies before it. null: there is nothing before. */
  before: number | null;
}

/** At most `wanted` messages that lie before the one with id `before`; 0: the latest. */
export async function historyPage(
  { client }: LiveAccount,
  owner: AccountPerson,
  contact: AccountPerson,
  { before, wanted }: { before: number; wanted: number },
  abortSignal: AbortSignal,
): Promise<HistoryPage> {
  const peer = await client.storage.peers.getById(Number(contact.id.slice("user".length)));
  // A person whose account is gone meanwhile.
  if (peer === null) return { messages: [], count: 0, before: null };
  const limit = Math.min(PAGE, wanted);
  const range = { offsetId: before, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0 };
  const page = await client.call(
    { _: "messages.getHistory", peer, ...range, limit, hash: Long.ZERO },
    { timeout: CALL_MS, abortSignal },
  );
  if (page._ === "messages.messagesNotModified") return { messages: [], count: 0, before: null };
  const count = page._ === "messages.messages" ? page.messages.length : page.count;
  const messages = page.messages.flatMap((message) => importedOf(message, owner, contact) ?? []).reverse();
  const ended = page._ === "messages.messages" || page.messages.length < limit;
  return { messages, count, before: ended ? null : page.messages.at(-1)!.id };
}

function importedOf(message: tl.TypeMessage, owner: AccountPerson, contact: AccountPerson): ImportedMessage | null {
  if (message._ === "messageEmpty") return null;
  const author = message.out ? owner : contact;
  const text = message._ === "message" ? message.message.toWellFormed().replaceAll("\u0000", "") : "";
  const { replyTo } = message;
  const answered = replyTo?._ === "messageReplyHeader" && !replyTo.replyToPeerId ? replyTo.replyToMsgId : undefined;
  return {
    chatId: contact.id,
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
