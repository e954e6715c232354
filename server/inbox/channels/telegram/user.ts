/**
 * A Telegram user account over MTProto. Receiving holds its only connection; sending, fetching files and reading history use the same one.
 */
import { createHash } from "node:crypto";
import type { tl } from "@mtcute/core";
import {
  type Channel,
  ChannelTrouble,
  type Cursor,
  type Outgoing,
  type Receiving,
  type SendResult,
} from "#server/inbox/channel-protocol/channel.ts";
import { MediaUnavailable } from "#server/inbox/channel-protocol/fetch-media.ts";
import { partsOf } from "#server/inbox/channel-protocol/split-text.ts";
import { fetchAccountFile } from "#server/inbox/telegram-account/account-files.ts";
import type { AccountNetwork, ApiCredentials, BaseTelegramClient } from "#server/inbox/telegram-account/client.ts";
import {
  endedSession,
  floodSeconds,
  isRpcFailure,
  undeliverable,
  waitWords,
} from "#server/inbox/telegram-account/failures.ts";
import {
  endLive,
  type LiveAccount,
  liveAccount,
  setLive,
  signOut,
} from "#server/inbox/telegram-account/live-accounts.ts";
import { editOf, entitiesOf, nameOf, peopleOf, reportedOf } from "#server/inbox/telegram-account/message.ts";
import { AccountStorage } from "#server/inbox/telegram-account/storage.ts";
import { TELEGRAM_MAX_CHARS } from "./text.ts";

const CALL_MS = 30_000;
/** Milliseconds without updates after which the server is asked anyway, because it may have stopped sending. */
const QUIET_MS = 60_000;
const SEND_MS = 20_000;

interface TelegramUserOptions extends ApiCredentials {
  integrationId: string;
  network: AccountNetwork;
}

export function telegramUser(options: TelegramUserOptions): Channel {
  const { integrationId } = options;
  return {
    platform: "telegram",
    maxChars: TELEGRAM_MAX_CHARS,
    async verify() {
      const { client } = connectedHere(integrationId);
      const [user] = await client.call(SELF, { timeout: CALL_MS }).catch(rethrowTrouble);
      if (user?._ !== "user") throw new ChannelTrouble("away", "Telegram не назвал владельца аккаунта");
      return { name: nameOf(user), id: String(user.id) };
    },
    receive: (receiving) => receive(options, receiving),
    sendsHere: () => liveAccount(integrationId) !== undefined,
    leave: () => signOut(integrationId),
    async fetchMedia(at, limits) {
      const { client } = connectedHere(integrationId);
      return fetchAccountFile(client, at, limits).catch(rethrowUnlessLost);
    },
    send: (out, ending) => sendParts(integrationId, out, ending),
    async typing(conversation) {
      const client = liveAccount(integrationId)?.client;
      const peer = await client?.storage.peers.getById(Number(conversation));
      if (!client || !peer) return;
      const action = { _: "sendMessageTypingAction" } as const;
      await client.call({ _: "messages.setTyping", peer, action }, { timeout: CALL_MS }).catch(() => {});
    },
  };
}

const SELF = { _: "users.getUsers", id: [{ _: "inputUserSelf" }] } satisfies tl.RpcMethod;

function connectedHere(integrationId: string): LiveAccount {
  const account = liveAccount(integrationId);
  if (account === undefined) throw new ChannelTrouble("away", "Аккаунт сейчас не подключён");
  return account;
}

/** The position in the account's sequence of updates (https://core.telegram.org/api/updates#message-related-event-sequences). */
interface Place {
  pts: number;
  qts: number;
  date: number;
}

const placeOf = ({ pts, qts, date }: Cursor): Place | null =>
  typeof pts === "number" && typeof qts === "number" && typeof date === "number" ? { pts, qts, date } : null;

/**
 * Receives messages. An update is only a signal: the content is fetched from the sequence after the position stored with the last message.
 * So a dropped connection, a restart or unordered updates lose nothing.
 */
async function receive(
  { apiId, apiHash, integrationId, network }: TelegramUserOptions,
  { cursor, state, emit, attempt, connected, signal }: Receiving,
): Promise<void> {
  const { openAccount } = await import("#server/inbox/telegram-account/client.ts");
  const storage = new AccountStorage(await state.load(), state.save);
  const away = Promise.withResolvers<never>();
  const client = openAccount({ apiId, apiHash }, storage, network, () =>
    away.reject(new ChannelTrouble("away", "Telegram недоступен")),
  );
  const news = new Bell(signal);
  client.onServerUpdate.add((updates) => {
    if (tellsOfMessages(updates)) news.ring();
  });
  client.onConnectionState.add((now) => {
    if (now === "connected") news.ring();
  });
  const account: LiveAccount = { client, sent: new Set(), sending: new Set() };
  const hangUp = () => void client.destroy().catch(() => {});
  signal.addEventListener("abort", hangUp);
  async function listen(): Promise<void> {
    let place = placeOf(cursor) ?? (await firstPlace(client));
    await emit(null, { ...place });
    setLive(integrationId, account);
    while (!signal.aborted) {
      place = await catchUp(account, place, { emit, attempt });
      await connected();
      await news.wait(QUIET_MS);
    }
  }
  try {
    await Promise.race([listen(), away.promise]);
  } catch (error) {
    if (!signal.aborted) rethrowTrouble(error);
  } finally {
    signal.removeEventListener("abort", hangUp);
    endLive(integrationId, account);
    await client.destroy();
  }
}

async function firstPlace(client: BaseTelegramClient): Promise<Place> {
  const { pts, qts, date } = await client.call({ _: "updates.getState" }, { timeout: CALL_MS });
  return { pts, qts, date };
}

/** Reads the sequence to its end. @returns the position after it */
async function catchUp(
  account: LiveAccount,
  from: Place,
  { emit, attempt }: Pick<Receiving, "emit" | "attempt">,
): Promise<Place> {
  let place = from;
  for (;;) {
    const difference = await account.client.call({ _: "updates.getDifference", ...place }, { timeout: CALL_MS });
    if (difference._ === "updates.differenceEmpty") return place;
    if (difference._ === "updates.differenceTooLong") {
      // Telegram does not return so many updates at once; importing the history adds the missed ones.
      place = { ...place, pts: difference.pts };
      await emit(null, { ...place });
      continue;
    }
    // The response with the id of our own send may not have arrived yet.
    await Promise.allSettled(account.sending);
    const people = peopleOf(difference.users);
    for (const message of difference.newMessages) {
      if (account.sent.delete(message.id)) continue;
      const behind = { ...place };
      await attempt({ name: `message ${message.id}`, behind }, async () => {
        const reported = reportedOf(message, people);
        if (reported !== null) await emit(reported, behind);
      });
    }
    for (const update of difference.otherUpdates) {
      if (update._ !== "updateEditMessage") continue;
      const behind = { ...place };
      await attempt({ name: `edit ${update.message.id} ${update.pts}`, behind }, async () => {
        const change = editOf(update.message, people);
        if (change !== null) await emit(change, behind);
      });
    }
    const last = difference._ === "updates.difference";
    const { pts, qts, date } = last ? difference.state : difference.intermediateState;
    place = { pts, qts, date };
    await emit(null, { ...place });
    if (last) return place;
  }
}

function tellsOfMessages(updates: tl.TypeUpdates): boolean {
  switch (updates._) {
    case "updatesTooLong":
    case "updateShortMessage":
      return true;
    case "updates":
    case "updatesCombined":
      return updates.updates.some(({ _ }) => _ === "updateNewMessage" || _ === "updateEditMessage");
    default:
      return false;
  }
}

/** Resolves once for everything that happened since the last wait. */
class Bell {
  #rung = false;
  #wake: (() => void) | null = null;
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.ring(), { once: true });
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(longestMs: number): Promise<void> {
    if (!this.#rung && !this.#signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestMs);
      this.#wake = resolve;
      await promise;
      this.#wake = null;
      clearTimeout(timer);
    }
    this.#rung = false;
  }
}

async function sendParts(integrationId: string, out: Outgoing, ending?: AbortSignal): Promise<SendResult> {
  const externalIds: string[] = [];
  try {
    const account = connectedHere(integrationId);
    const parts = partsOf(out, TELEGRAM_MAX_CHARS);
    for (let place = out.delivered; place < parts.length; place++) {
      ending?.throwIfAborted();
      const sending = sendPart(account, out, parts[place]!, place, ending);
      account.sending.add(sending);
      const id = await sending.finally(() => account.sending.delete(sending));
      externalIds.push(String(id));
    }
    return { ok: true, externalIds };
  } catch (error) {
    return { externalIds, ok: false, ...sendFailure(error) };
  }
}

/** Telegram accepts a message with the same random_id only once, however often it is sent. */
function randomIdOf({ key }: Outgoing, place: number): Buffer {
  return createHash("sha256").update(`${key}:${place}`).digest().subarray(0, 8);
}

class UnknownContact extends Error {}

async function sendPart(
  account: LiveAccount,
  out: Outgoing,
  part: string,
  place: number,
  ending?: AbortSignal,
): Promise<number> {
  const { client } = account;
  const { Long } = await import("@mtcute/core");
  const peer = await client.storage.peers.getById(Number(out.conversation));
  if (peer === null) throw new UnknownContact();
  const { text: message, entities } = entitiesOf(part);
  const randomId = Long.fromBytesLE([...randomIdOf(out, place)]);
  const id = await client
    .call(
      { _: "messages.sendMessage", peer, message, entities, randomId, noWebpage: true },
      { timeout: SEND_MS, ...(ending === undefined ? {} : { abortSignal: ending }) },
    )
    .then(
      (updates) => idOf(updates),
      (error: unknown) => {
        if (isRpcFailure(error) && error.text === "RANDOM_ID_DUPLICATE") return findSent(client, peer, message);
        throw error;
      },
    );
  account.sent.add(id);
  return id;
}

function idOf(updates: tl.TypeUpdates): number {
  if (updates._ === "updateShortSentMessage") return updates.id;
  const known = "updates" in updates ? updates.updates.find(({ _ }) => _ === "updateMessageID") : undefined;
  return known?._ === "updateMessageID" ? known.id : 0;
}

/** Finds the message of an attempt whose response was lost. */
async function findSent(client: BaseTelegramClient, peer: tl.TypeInputPeer, text: string): Promise<number> {
  const { Long } = await import("@mtcute/core");
  const latest = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 20, maxId: 0, minId: 0, hash: Long.ZERO };
  const history = await client.call({ _: "messages.getHistory", peer, ...latest }, { timeout: CALL_MS });
  const messages = history._ === "messages.messagesNotModified" ? [] : history.messages;
  const found = messages.find((message) => message._ === "message" && message.out && message.message === text);
  return found?.id ?? 0;
}

type Failure =
  | { kind: "retry"; afterMs: number; message: string }
  | { kind: "auth" | "blocked" | "invalid"; message: string };

/** No result is unknown here, because a message that may have been delivered is sent again under the same random_id. */
function sendFailure(error: unknown): Failure {
  if (error instanceof UnknownContact) {
    return { kind: "invalid", message: "Telegram больше не показывает этого собеседника" };
  }
  const seconds = floodSeconds(error);
  if (seconds !== null) {
    return { kind: "retry", afterMs: seconds * 1000, message: `Telegram просит подождать ${waitWords(seconds)}` };
  }
  const ended = endedSession(error);
  if (ended !== null) return { kind: "auth", message: ended };
  const blocked = undeliverable(error);
  if (blocked !== null) return { kind: "blocked", message: blocked };
  if (isRpcFailure(error) && error.code >= 400 && error.code < 500) {
    return { kind: "invalid", message: "Telegram не принял сообщение" };
  }
  return { kind: "retry", afterMs: 2_000, message: "Telegram недоступен" };
}

const rethrowUnlessLost = (error: unknown): never => {
  if (error instanceof MediaUnavailable) throw error;
  return rethrowTrouble(error);
};

function rethrowTrouble(error: unknown): never {
  const ended = endedSession(error);
  if (ended !== null) throw new ChannelTrouble("auth", ended);
  const seconds = floodSeconds(error);
  if (seconds !== null) {
    throw new ChannelTrouble("away", `Telegram просит подождать ${waitWords(seconds)}`, seconds * 1000);
  }
  // A timeout, a broken connection, or an internal error of Telegram.
  if (
    isRpcFailure(error) ||
    (error instanceof Error && /Mt\w{0,40}Error|closed|destroyed/.test(`${error.name} ${error.message}`))
  ) {
    throw new ChannelTrouble("away", "Telegram недоступен");
  }
  throw error;
}
