/**
 * Telegram as a user's client sees it, on loopback: signing in, dialogs, history, live updates, faults on demand. A reading
 * of the documents (https://core.telegram.org/methods): passing does not prove that the live service agrees.
 */
import { Long } from "@mtcute/core";
import { type Answer, type AuthKey, type MtprotoServer, RpcFailure, startMtproto } from "./server.ts";
import { GENERATOR, type PasswordCheck, PRIME, passwordCheck } from "./srp.ts";
import { type TlObject, tlObject } from "./tl.ts";

/** Among failures: a call that is answered. */
export const TAKEN = "";
export const LOGIN_CODE = "12345";
export const API_HASH = "0123456789abcdef0123456789abcdef";

interface Kept {
  account: Account | null;
  /** Whose code was right, when only the password is missing. */
  half: Account | null;
}

interface Dialog {
  peer: TlObject;
  /** The person, group or channel as clients are told of it. */
  card: TlObject;
  /** Oldest first. */
  messages: TlObject[];
}

export interface SentByClient {
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

export type PeerKind = "person" | "bot" | "group" | "supergroup" | "channel";

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
  let nextPerson = 1000;

  const methods: Record<string, (call: TlObject, key: AuthKey<Kept>) => Answer> = {
    "help.getConfig": () => {
      const [ipAddress, port] = started.address.split(":") as [string, string];
      const here = tlObject("dcOption", { id: 2, ipAddress, port: Number(port) });
      return tlObject("config", { date: seconds(), expires: seconds() + 3600, thisDc: 2, dcOptions: [here] });
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
    newKey: () => ({ account: null, half: null }),
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
    key.kept = { account, half: null };
    return tlObject("auth.authorization", { user: me(account) });
  }

  function accountOf(key: AuthKey<Kept>): Account {
    if (key.kept.account === null) throw new RpcFailure("AUTH_KEY_UNREGISTERED", 401);
    return key.kept.account;
  }

  /** Without the right access hash nobody is found, as with Telegram. */
  function dialogOf(account: Account, peer: TlObject): Dialog {
    const dialog = account.dialogs.get(Number(peer.userId ?? peer.chatId ?? peer.channelId));
    const known =
      peer._ === "inputPeerChat" || (peer.accessHash as Long | undefined)?.eq(dialog?.card.accessHash as Long);
    if (dialog === undefined || !known) throw new RpcFailure("PEER_ID_INVALID");
    return dialog;
  }

  function write(account: Account, id: number, text: string, out: boolean, date = seconds()): TlObject {
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
    });
    dialog.messages.push(message);
    account.log.push(message);
    return message;
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
        write(account, id, line, place % 2 === 1, BEGIN + account.lastMessageId * 60);
      });
    },
    say(account, id, text, silently = false) {
      const message = write(account, id, text, false);
      if (!silently) tell(account, message);
      return Number(message.id);
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
  const ids = new Set(messages.map(({ peerId }) => (peerId as TlObject).userId as number | undefined));
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
