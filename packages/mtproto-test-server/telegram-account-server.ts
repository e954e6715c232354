/**
 * Telegram as a user's client sees it, on loopback: signing in, dialogs, history, live updates, files, faults on demand. A reading
 * of the documents (https://core.telegram.org/methods): passing does not prove that the live service agrees.
 */
import { randomBytes } from "node:crypto";
import { Long } from "@mtcute/core";
import { type Answer, type AuthKey, type MtprotoServer, RpcFailure, startMtproto } from "./server.ts";
import { GENERATOR, type PasswordCheck, PRIME, passwordCheck } from "./srp.ts";
import { type TlObject, tlObject } from "./tl.ts";

/** Among failures: a call that is answered. */
export const TAKEN = "";
export const LOGIN_CODE = "12345";
export const API_HASH = "0123456789abcdef0123456789abcdef";

interface Kept {
  /** The data centre that the key is for: each gives out the files that it keeps itself. */
  dcId: number;
  account: Account | null;
  /** Whose code was right, when only the password is missing. */
  half: Account | null;
}

interface Dialog {
  peer: TlObject;
  /** The person, group or channel as clients receive it. */
  card: TlObject;
  /** Oldest first. */
  messages: TlObject[];
}

interface SentByClient {
  to: number;
  text: string;
  randomId: string;
  entities: string[];
}

/** A person's account; `id` is the person's. */
export interface Account {
  id: number;
  phone: string;
  name: string;
  password: string | null;
  /** What clients of ours sent, once each. */
  sent: SentByClient[];
  /** Every message that came or went, by its place in the sequence of updates, from 1. */
  log: TlObject[];
  dialogs: Map<number, Dialog>;
  lastMessageId: number;
}

/** A file that a user sends. */
export interface SentFile {
  /** "file": as a document with its name. */
  as: "voice" | "audio" | "photo" | "sticker" | "file";
  bytes: Uint8Array;
  mime?: string;
  caption?: string;
  seconds?: number;
  /** Where its sender's files lie; the account's own are in 2. */
  dcId?: number;
  /** Seen once, and gone so many seconds later. */
  ttlSeconds?: number;
}

type PeerKind = "person" | "bot" | "group" | "supergroup" | "channel";

export interface TelegramAccountServer {
  /** For TELEGRAM_DC and TELEGRAM_DC_KEY. */
  address: string;
  publicKey: string;
  /** Method names, in order. */
  calls: string[];
  mtproto: MtprotoServer<Kept>;
  person(phone: string, options?: { name?: string; password?: string }): Account;
  /** A dialog with its history: lines alternate, the other side begins; of groups that is the neighbour. */
  addDialog(account: Account, id: number, name: string, lines: readonly string[], kind?: PeerKind): void;
  /** The other side writes; `silently`: without telling the connected clients. */
  say(account: Account, id: number, text: string, silently?: boolean): number;
  /** The other side sends a file; gives the message's id. */
  sendFile(account: Account, id: number, file: SentFile, silently?: boolean): number;
  /** The other side deletes a message for both. */
  unsay(account: Account, messageId: number): void;
  /** The owner writes from a phone. */
  ownerSays(account: Account, id: number, text: string): number;
  /** The next calls of a method fail like this, one for each text; `TAKEN`: that one does not. */
  fail(method: string, ...texts: string[]): void;
  /** Calls of this method wait until the returned function is called. */
  hold(method: string): () => void;
  dropConnections(): void;
  /** Ends the account's sessions, as from the phone's list of devices. */
  revoke(account: Account): void;
  close(): Promise<void>;
}

const seconds = () => Math.floor(Date.now() / 1000);
const hashOf = (id: number) => Long.fromNumber(id * 3);
/** The history begins here, a message a minute. */
const BEGIN = 1_750_000_000;

export async function startTelegramAccountServer(): Promise<TelegramAccountServer> {
  const people = new Map<string, Account>();
  const failures = new Map<string, string[]>();
  const holds = new Map<string, Promise<void>>();
  const files = new Map<string, KeptFile>();
  const exported = new Map<string, Account>();
  let nextPerson = 1000;

  const methods: Record<string, (call: TlObject, key: AuthKey<Kept>) => Answer> = {
    "help.getConfig": () => {
      const [ipAddress, port] = started.address.split(":") as [string, string];
      const dcOptions = [2, FAR_DC].map((id) => tlObject("dcOption", { id, ipAddress, port: Number(port) }));
      return tlObject("config", { date: seconds(), expires: seconds() + 3600, thisDc: 2, dcOptions });
    },
    "auth.sendCode": ({ apiHash, phoneNumber }) => {
      if (apiHash !== API_HASH) throw new RpcFailure("API_ID_INVALID");
      if (phoneNumber === "70000000000") throw new RpcFailure("PHONE_NUMBER_BANNED");
      if (!people.has(String(phoneNumber))) throw new RpcFailure("PHONE_NUMBER_INVALID");
      const type = tlObject("auth.sentCodeTypeApp", { length: LOGIN_CODE.length });
      return tlObject("auth.sentCode", { type, phoneCodeHash: `hash of ${phoneNumber}`, timeout: 60 });
    },
    "auth.signIn": ({ phoneNumber, phoneCodeHash, phoneCode }, key) => {
      const account = people.get(String(phoneNumber));
      if (account === undefined || phoneCodeHash !== `hash of ${phoneNumber}`)
        throw new RpcFailure("PHONE_CODE_EXPIRED");
      if (phoneCode !== LOGIN_CODE) throw new RpcFailure("PHONE_CODE_INVALID");
      if (account.password === null) return signedIn(account, key);
      key.kept.half = account;
      throw new RpcFailure("SESSION_PASSWORD_NEEDED", 401);
    },
    "account.getPassword": (_call, key) => {
      const check = passwordCheck(key.kept.half?.password ?? "");
      checks.set(key.id, check);
      return tlObject("account.password", {
        hasPassword: true,
        currentAlgo: {
          _: "passwordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow",
          salt1: check.salt1,
          salt2: check.salt2,
          g: GENERATOR,
          p: PRIME,
        },
        srpB: check.challenge,
        srpId: Long.fromNumber(77),
        newAlgo: { _: "passwordKdfAlgoUnknown" },
        newSecureAlgo: { _: "securePasswordKdfAlgoUnknown" },
      });
    },
    "auth.checkPassword": ({ password }, key) => {
      const proof = password as { A: Uint8Array; M1: Uint8Array };
      const { half } = key.kept;
      if (half === null || !checks.get(key.id)?.isProvenBy(proof)) throw new RpcFailure("PASSWORD_HASH_INVALID");
      return signedIn(half, key);
    },
    "auth.logOut": (_call, key) => {
      key.kept.account = null;
      return tlObject("auth.loggedOut");
    },
    "auth.exportAuthorization": (_call, key) => {
      const token = randomBytes(16);
      exported.set(token.toString("hex"), accountOf(key));
      return tlObject("auth.exportedAuthorization", { id: Long.fromNumber(accountOf(key).id), bytes: token });
    },
    "auth.importAuthorization": ({ bytes }, key) => {
      const account = exported.get(Buffer.from(bytes as Uint8Array).toString("hex"));
      if (account === undefined) throw new RpcFailure("AUTH_BYTES_INVALID");
      return signedIn(account, key);
    },
    "messages.getMessages": ({ id }, key) => {
      const account = accountOf(key);
      const messages = (id as TlObject[]).map(({ id: wanted }) => {
        const found = account.log.find((message) => message.id === wanted);
        return found === undefined ? tlObject("messageEmpty", { id: wanted }) : withFreshFile(found);
      });
      return tlObject("messages.messages", { messages, users: [me(account), ...cardsOf(account, messages)] });
    },
    "upload.getFile": ({ location, offset, limit }, key) => {
      accountOf(key);
      const { id, accessHash, fileReference } = location as TlObject;
      const file = files.get(String(id));
      if (file === undefined || !(accessHash as Long).eq(hashOf(Number(id)))) throw new RpcFailure("FILE_ID_INVALID");
      if (file.dcId !== key.kept.dcId) throw new RpcFailure(`FILE_MIGRATE_${file.dcId}`, 303);
      if (!file.reference.equals(fileReference as Uint8Array)) throw new RpcFailure("FILE_REFERENCE_EXPIRED");
      const [from, length] = [Number(offset), Number(limit)];
      if (length % 4096 !== 0 || 2 ** 20 % length !== 0) throw new RpcFailure("LIMIT_INVALID");
      if (from % length !== 0) throw new RpcFailure("OFFSET_INVALID");
      return tlObject("upload.file", { mtime: seconds(), bytes: file.bytes.subarray(from, from + length) });
    },
    "updates.getState": (_call, key) => stateOf(accountOf(key)),
    "updates.getDifference": ({ pts }, key) => {
      const account = accountOf(key);
      const from = Number(pts) - 1;
      const missed = account.log.slice(from, from + PER_DIFFERENCE);
      if (missed.length === 0) return tlObject("updates.differenceEmpty", { date: seconds() });
      const users = [me(account), ...cardsOf(account, missed)];
      const state = stateOf(account, from + missed.length);
      const fields = { newMessages: missed, users };
      return from + missed.length < account.log.length
        ? tlObject("updates.differenceSlice", { ...fields, intermediateState: state })
        : tlObject("updates.difference", { ...fields, state });
    },
    "messages.getDialogs": ({ offsetId, limit }, key) => {
      const account = accountOf(key);
      const all = [...account.dialogs.values()].sort((a, b) => topOf(b) - topOf(a));
      const page = all.filter((dialog) => offsetId === 0 || topOf(dialog) < Number(offsetId)).slice(0, Number(limit));
      const isChat = ({ card }: Dialog) => card._ !== "user";
      return tlObject("messages.dialogsSlice", {
        count: all.length,
        dialogs: page.map((dialog) => tlObject("dialog", { peer: dialog.peer, topMessage: topOf(dialog) })),
        messages: page.map(({ messages }) => messages.at(-1)!),
        users: [me(account), ...page.filter((dialog) => !isChat(dialog)).map(({ card }) => card)],
        chats: page.filter(isChat).map(({ card }) => card),
      });
    },
    "messages.getHistory": ({ peer, offsetId, limit }, key) => {
      const account = accountOf(key);
      const { card, messages } = dialogOf(account, peer as TlObject);
      const older = messages.filter(({ id }) => offsetId === 0 || Number(id) < Number(offsetId));
      const page = older.slice(-Math.min(100, Number(limit))).reverse();
      const cards =
        card._ === "user" ? { users: [me(account), card] } : { users: [me(account), NEIGHBOUR], chats: [card] };
      return tlObject("messages.messagesSlice", { count: messages.length, messages: page, ...cards });
    },
    "messages.sendMessage": (call, key) => {
      const account = accountOf(key);
      const { card } = dialogOf(account, call.peer as TlObject);
      const randomId = String(call.randomId);
      if (account.sent.some((sent) => sent.randomId === randomId)) throw new RpcFailure("RANDOM_ID_DUPLICATE", 500);
      const entities = (call.entities as TlObject[] | undefined) ?? [];
      const text = String(call.message);
      const marks = entities.map(({ _, offset, length }) => `${_} ${offset} ${length}`);
      account.sent.push({ to: Number(card.id), text, randomId, entities: marks });
      const { id, date } = write(account, Number(card.id), text, true);
      return tlObject("updateShortSentMessage", { out: true, id, date, pts: account.log.length + 1, ptsCount: 1 });
    },
    "messages.setTyping": () => true,
    "users.getUsers": (_call, key) => [me(accountOf(key))],
  };

  const checks = new Map<string, PasswordCheck>();
  const mtproto = await startMtproto<Kept>({
    newKey: (dcId) => ({ dcId, account: null, half: null }),
    async answer(call, key) {
      started.calls.push(call._);
      await holds.get(call._);
      const failure = failures.get(call._)?.shift();
      if (failure !== undefined && failure !== TAKEN)
        throw new RpcFailure(failure, failure.includes("WAIT") ? 420 : codeOf(failure));
      const method = methods[call._];
      if (method === undefined) throw new RpcFailure(`METHOD_NOT_IMPLEMENTED: ${call._}`);
      return method(call, key);
    },
  });

  function signedIn(account: Account, key: AuthKey<Kept>): TlObject {
    key.kept = { ...key.kept, account, half: null };
    return tlObject("auth.authorization", { user: me(account) });
  }

  function accountOf(key: AuthKey<Kept>): Account {
    if (key.kept.account === null) throw new RpcFailure("AUTH_KEY_UNREGISTERED", 401);
    return key.kept.account;
  }

  /** Without the right access hash no user is found, as with Telegram. */
  function dialogOf(account: Account, peer: TlObject): Dialog {
    const dialog = account.dialogs.get(Number(peer.userId ?? peer.chatId ?? peer.channelId));
    const known =
      peer._ === "inputPeerChat" || (peer.accessHash as Long | undefined)?.eq(dialog?.card.accessHash as Long);
    if (dialog === undefined || !known) throw new RpcFailure("PEER_ID_INVALID");
    return dialog;
  }

  function write(
    account: Account,
    id: number,
    text: string,
    out: boolean,
    { date = seconds(), media }: { date?: number; media?: TlObject } = {},
  ): TlObject {
    const dialog = account.dialogs.get(id)!;
    const message = tlObject("message", {
      id: ++account.lastMessageId,
      out,
      peerId: dialog.peer,
      fromId: {
        _: "peerUser",
        userId: out ? account.id : Number((dialog.card._ === "user" ? dialog.card : NEIGHBOUR).id),
      },
      date,
      message: text,
      ...(media === undefined ? {} : { media }),
    });
    dialog.messages.push(message);
    account.log.push(message);
    return message;
  }

  /** File references change: a client that kept one from an earlier message is refused. */
  function withFreshFile(message: TlObject): TlObject {
    const { photo, document } = (message.media ?? {}) as { photo?: TlObject; document?: TlObject };
    const file = photo ?? document;
    if (file === undefined) return message;
    const reference = randomBytes(8);
    files.get(String(file.id))!.reference = reference;
    const fresh = { ...file, fileReference: reference };
    const media = { ...(message.media as TlObject), ...(photo ? { photo: fresh } : { document: fresh }) };
    return { ...message, media };
  }

  function mediaOf({ as, bytes, mime, seconds: duration = 1, dcId = 2, ttlSeconds }: SentFile): TlObject {
    const id = Long.fromNumber(70_000 + files.size);
    const reference = randomBytes(8);
    files.set(String(id), { bytes, dcId, reference });
    const kept = { id, accessHash: hashOf(Number(id)), fileReference: reference, date: seconds(), dcId };
    const once = ttlSeconds === undefined ? {} : { ttlSeconds };
    if (as === "photo") {
      const small = tlObject("photoSize", { type: "m", w: 32, h: 32, size: 90 });
      const large = tlObject("photoSizeProgressive", { type: "y", w: 128, h: 128, sizes: [90, bytes.length] });
      return tlObject("messageMediaPhoto", { photo: tlObject("photo", { ...kept, sizes: [small, large] }), ...once });
    }
    const attributes = {
      voice: [tlObject("documentAttributeAudio", { voice: true, duration })],
      audio: [tlObject("documentAttributeAudio", { duration })],
      sticker: [tlObject("documentAttributeSticker", { alt: "🙂", stickerset: { _: "inputStickerSetEmpty" } })],
      file: [tlObject("documentAttributeFilename", { fileName: "файл" })],
    }[as];
    const mimeType = mime ?? { voice: "audio/ogg", audio: "audio/mpeg", sticker: "image/webp", file: "text/plain" }[as];
    const document = tlObject("document", { ...kept, mimeType, size: bytes.length, attributes });
    return tlObject("messageMediaDocument", { document, ...(as === "voice" ? { voice: true } : {}), ...once });
  }

  function tell(account: Account, message: TlObject): void {
    const update = tlObject("updateNewMessage", { message, pts: account.log.length + 1, ptsCount: 1 });
    const users = [me(account), ...cardsOf(account, [message])];
    const updates = tlObject("updates", { updates: [update], users, date: seconds() });
    for (const { kept, connections } of mtproto.keys.values()) {
      if (kept.account === account) for (const connection of connections) connection.push(updates);
    }
  }

  const started: TelegramAccountServer = {
    address: mtproto.address,
    publicKey: mtproto.publicKey,
    calls: [],
    mtproto,
    person(phone, { name = "Владелец", password } = {}) {
      const id = ++nextPerson;
      const account: Account = {
        id,
        phone,
        name,
        password: password ?? null,
        sent: [],
        log: [],
        dialogs: new Map(),
        lastMessageId: 0,
      };
      people.set(phone, account);
      return account;
    },
    addDialog(account, id, name, lines, kind = "person") {
      account.dialogs.set(id, { ...peerOf(id, name, kind), messages: [] });
      lines.forEach((line, place) => {
        write(account, id, line, place % 2 === 1, { date: BEGIN + account.lastMessageId * 60 });
      });
    },
    say(account, id, text, silently = false) {
      const message = write(account, id, text, false);
      if (!silently) tell(account, message);
      return Number(message.id);
    },
    sendFile(account, id, file, silently = false) {
      const message = write(account, id, file.caption ?? "", false, { media: mediaOf(file) });
      if (!silently) tell(account, message);
      return Number(message.id);
    },
    unsay(account, messageId) {
      const place = account.log.findIndex(({ id }) => id === messageId);
      account.log[place] = tlObject("messageEmpty", { id: messageId });
    },
    ownerSays(account, id, text) {
      const message = write(account, id, text, true);
      tell(account, message);
      return Number(message.id);
    },
    fail(method, ...texts) {
      failures.set(method, [...(failures.get(method) ?? []), ...texts]);
    },
    hold(method) {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.set(method, held);
      return () => {
        holds.delete(method);
        release();
      };
    },
    dropConnections() {
      for (const connection of mtproto.connections) connection.drop();
    },
    revoke(account) {
      for (const { kept, connections } of mtproto.keys.values()) {
        if (kept.account !== account) continue;
        kept.account = null;
        for (const connection of connections) connection.drop();
      }
    },
    close: () => mtproto.close(),
  };
  return started;
}

/** Another data centre than the accounts' own. */
export const FAR_DC = 4;

interface KeptFile {
  bytes: Uint8Array;
  dcId: number;
  reference: Buffer;
}

/** Messages of one difference. */
const PER_DIFFERENCE = 5;

const topOf = ({ messages }: Dialog): number => Number(messages.at(-1)?.id ?? 0);
const codeOf = (text: string): number => (/AUTH_KEY|SESSION|DEACTIVATED/.test(text) ? 401 : 400);
const stateOf = (account: Account, place = account.log.length): TlObject =>
  tlObject("updates.state", { pts: place + 1, date: seconds() });

/** Who writes in groups and channels. */
const NEIGHBOUR = tlObject("user", { id: 990, accessHash: hashOf(990), firstName: "Сосед" });

const me = ({ id, name, phone }: Account): TlObject =>
  tlObject("user", { id, self: true, accessHash: hashOf(id), firstName: name, phone });

function cardsOf(account: Account, messages: readonly TlObject[]): TlObject[] {
  const ids = new Set(messages.map(({ peerId }) => (peerId as TlObject | undefined)?.userId as number | undefined));
  return [...ids].flatMap((id) => account.dialogs.get(id ?? 0)?.card ?? []);
}

function peerOf(id: number, name: string, kind: PeerKind): Pick<Dialog, "peer" | "card"> {
  const accessHash = hashOf(id);
  if (kind === "group") {
    const card = tlObject("chat", { id, title: name, photo: { _: "chatPhotoEmpty" } });
    return { peer: { _: "peerChat", chatId: id }, card };
  }
  if (kind === "channel" || kind === "supergroup") {
    const megagroup = kind === "supergroup" ? { megagroup: true } : {};
    const card = tlObject("channel", { id, accessHash, title: name, photo: { _: "chatPhotoEmpty" }, ...megagroup });
    return { peer: { _: "peerChannel", channelId: id }, card };
  }
  const card = tlObject("user", { id, accessHash, firstName: name, ...(kind === "bot" ? { bot: true } : {}) });
  return { peer: { _: "peerUser", userId: id }, card };
}
