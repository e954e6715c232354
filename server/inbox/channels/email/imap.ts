/** Reads a mailbox: incoming letters, and those that its owner sends himself. */
import type { ImapFlow, ImapFlowError } from "imapflow";
import * as z from "zod/mini";
import { ChannelTrouble, type Receiving } from "#server/inbox/channel-protocol/channel.ts";
import type { AnswerLetter } from "./answer.ts";
import type { TrustedServers } from "./authentication/sender-authenticity.ts";
import { READ_BYTES } from "./letter.ts";
import { awayMessage, type Login, placeOf, refusedLogin, SERVER_UNAVAILABLE } from "./login.ts";
import { titleOf } from "./parsing/letter-title.ts";
import { readLetter } from "./parsing/read-letter.ts";

const CONNECT_MS = 5_000;
/**
 * Milliseconds between reads of the folder of sent letters. It must be less than half an hour, after which servers end an idle connection.
 */
const IDLE_MS = 60_000;
/** A connection that ends sooner counts as trouble. Servers routinely end older ones, which are reopened. */
const SETTLED_MS = 10_000;
const COPY_MS = 20_000;

/** The position in a folder from which reading continues. `validity` changes when the server renumbers the letters. */
const Place = z.object({ validity: z.string(), next: z.number() });
type Place = z.infer<typeof Place>;
const EmailCursor = z.object({ inbox: z.catch(z.nullable(Place), null), sent: z.catch(z.nullable(Place), null) });
type EmailCursor = z.infer<typeof EmailCursor>;

export interface MailboxLogin extends Login {
  /** The mailbox's address in lower case. */
  address: string;
  /** The servers whose results on a letter's sender count. */
  checking: TrustedServers;
}

/** @throws ChannelTrouble */
export async function verifyImap(login: Login, signal?: AbortSignal): Promise<void> {
  await closeConnection(await openImap(login, signal));
}

export interface ReadingOptions {
  idleMs?: number;
  settledMs?: number;
}

/** Receives until the signal aborts. @throws ChannelTrouble */
export async function readMailbox(
  login: MailboxLogin,
  receiving: Receiving,
  { idleMs = IDLE_MS, settledMs = SETTLED_MS }: ReadingOptions = {},
): Promise<void> {
  const { signal } = receiving;
  const cursor = EmailCursor.parse(receiving.cursor);
  while (!signal.aborted) {
    const client = await openImap(login, signal);
    const began = Date.now();
    try {
      await readWhileOpen(client, login, receiving, cursor, idleMs);
    } catch (error) {
      // Work that failed because the connection ended is repeated over the next one.
      if (client.usable && !signal.aborted) throw error;
    } finally {
      client.close();
    }
    if (!signal.aborted && Date.now() - began < settledMs) throw new ChannelTrouble("away", SERVER_UNAVAILABLE);
  }
}

async function readWhileOpen(
  client: ImapFlow,
  { address, checking }: MailboxLogin,
  receiving: Receiving,
  cursor: EmailCursor,
  idleMs: number,
): Promise<void> {
  const { connected, signal } = receiving;
  const wait = waitForNews(client, signal);
  const sent = await sentFolder(client);
  const reading: Reading = { client, cursor, own: address, checking, receiving };
  await client.mailboxOpen("INBOX", { readOnly: true });
  while (client.usable && !signal.aborted) {
    // Sent letters are read first, because the twin must not answer what the owner has answered.
    if (sent !== null && (await hasGrown(client, sent, cursor.sent))) {
      await client.mailboxOpen(sent, { readOnly: true });
      await readFolder(reading, "sent");
      await client.mailboxOpen("INBOX", { readOnly: true });
    }
    await readFolder(reading, "inbox");
    await connected();
    await wait(idleMs);
  }
}

interface Reading {
  client: ImapFlow;
  cursor: EmailCursor;
  own: string;
  checking: TrustedServers;
  receiving: Receiving;
}

type Folder = "inbox" | "sent";

/**
 * Reads the opened folder from the cursor on, and the letters that the owner wants to retry. On the first visit, and after a renumbering,
 * only new letters are read. The cursor moves past a letter when all its content is stored.
 */
async function readFolder(reading: Reading, folder: Folder): Promise<void> {
  const { client, cursor, receiving } = reading;
  const { mailbox } = client;
  if (mailbox === false) throw new ChannelTrouble("away", SERVER_UNAVAILABLE);
  const validity = String(mailbox.uidValidity);
  const known = cursor[folder];
  if (known?.validity !== validity) {
    const behind = { validity, next: mailbox.uidNext };
    await receiving.emit(null, { ...cursor, [folder]: behind });
    cursor[folder] = behind;
    return;
  }
  const before = `${folder} ${validity}.`;
  for (const name of await receiving.again()) {
    if (name.startsWith(before)) await takeLetter(reading, folder, name, Number(name.slice(before.length)), known);
  }
  for (const uid of await uidsFrom(client, known.next)) {
    if (receiving.signal.aborted) return;
    await takeLetter(reading, folder, `${before}${uid}`, uid, { validity, next: uid + 1 });
  }
}

/** @param behind the cursor after this letter */
async function takeLetter(
  { client, cursor, own, checking, receiving }: Reading,
  folder: Folder,
  name: string,
  uid: number,
  behind: Place,
): Promise<void> {
  const { emit, attempt, organizationId } = receiving;
  const query = { source: { start: 0, maxLength: READ_BYTES }, internalDate: true };
  const { source, internalDate = Date.now() } = (await client.fetchOne(String(uid), query, { uid: true })) || {};
  const letter = { place: `${behind.validity}.${uid}`, arrivedAt: new Date(internalDate) };
  const after = { ...cursor, [folder]: behind };
  const title = async () => titleOf(source ?? Buffer.alloc(0));
  await attempt({ name, behind: after, title }, async () => {
    const kind = folder === "inbox" ? "incoming" : "outgoing";
    // Without a source, the letter was moved or deleted meanwhile.
    const found =
      source === undefined
        ? []
        : await readLetter(organizationId, { kind, letter: { ...letter, source }, own, trusted: checking });
    for (const inbound of found.slice(0, -1)) await emit(inbound, { ...cursor });
    await emit(found.at(-1) ?? null, after);
  });
  // A failure skips this line, so a letter that was not stored is read again.
  cursor[folder] = behind;
}

/** Drops earlier letters, because the range «n:*» includes the last letter even when its number is below n. */
async function uidsFrom(client: ImapFlow, next: number): Promise<number[]> {
  const found = await client.search({ uid: `${next}:*` }, { uid: true });
  return Array.isArray(found) ? found.filter((uid) => uid >= next).sort((a, b) => a - b) : [];
}

async function sentFolder(client: ImapFlow): Promise<string | null> {
  return (await client.list()).find(({ specialUse }) => specialUse === "\\Sent")?.path ?? null;
}

async function hasGrown(client: ImapFlow, folder: string, known: Place | null): Promise<boolean> {
  const status = await client.status(folder, { uidNext: true, uidValidity: true });
  if (!status) return false;
  return known?.validity !== String(status.uidValidity) || (status.uidNext ?? 0) > known.next;
}

/** Returns a function that waits for a new letter in the opened folder, for the end of the connection, or for the given time. */
function waitForNews(client: ImapFlow, signal: AbortSignal): (ms: number) => Promise<void> {
  let arrived = false;
  let wake = () => {};
  client.on("exists", () => {
    arrived = true;
    wake();
  });
  client.on("close", () => wake());
  return async (ms) => {
    if (!arrived && client.usable && !signal.aborted) {
      // Idling lasts until the next command ends it.
      client.idle().catch(() => {});
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    arrived = false;
  };
}

/**
 * Marks the answered letter, and stores the answer among the sent ones unless the server does so.
 * @throws ChannelTrouble and the client's errors
 */
export async function keepCopy(login: Login, letter: AnswerLetter): Promise<void> {
  const client = await openImap(login, AbortSignal.timeout(COPY_MS));
  try {
    if (letter.inReplyTo !== null) {
      await client.mailboxOpen("INBOX");
      const answered = await withMessageId(client, letter.inReplyTo);
      if (answered.length > 0) await client.messageFlagsAdd(answered, ["\\Answered"], { uid: true });
    }
    const sent = login.servers.provider?.keepsSent ? null : await sentFolder(client);
    if (sent === null) return;
    await client.mailboxOpen(sent, { readOnly: true });
    const kept = await withMessageId(client, letter.messageId);
    if (kept.length === 0) await client.append(sent, letter.source, ["\\Seen"]);
  } finally {
    await closeConnection(client);
  }
}

async function withMessageId(client: ImapFlow, id: string): Promise<number[]> {
  const found = await client.search({ header: { "message-id": id } }, { uid: true });
  return Array.isArray(found) ? found : [];
}

export async function closeConnection(client: ImapFlow): Promise<void> {
  await client.logout().catch(() => {});
  client.close();
}

/** Response codes of a server with a temporary fault. */
const PASSING = new Set(["UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "CONTACTADMIN"]);

/** Opens a signed-in connection, which closes when the signal aborts. @throws ChannelTrouble */
export async function openImap(login: Login, signal?: AbortSignal): Promise<ImapFlow> {
  const { imap } = login.servers;
  const library = await import("imapflow");
  const place = await placeOf(imap, login);
  const relay = login.proxy && (await login.proxy.relay({ host: place.host, port: imap.port, tls: false }));
  const client = new library.ImapFlow({
    ...place,
    port: imap.port,
    secure: imap.secure,
    ...(imap.secure ? {} : { doSTARTTLS: true }),
    auth: { user: login.user, pass: login.password },
    clientInfo: { name: "digital-twins" },
    logger: false,
    tls: { rejectUnauthorized: true, ...(relay && { path: relay.path }) },
    disableAutoIdle: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: 2 * IDLE_MS,
    maxLineLength: READ_BYTES,
    maxLiteralSize: 2 * READ_BYTES,
    maxResponseSize: 4 * READ_BYTES,
  });
  // The interrupted command and the close event also report an error that ends the connection.
  client.on("error", () => {});
  const close = () => client.close();
  signal?.addEventListener("abort", close, { once: true });
  client.on("close", () => {
    signal?.removeEventListener("abort", close);
    void relay?.close();
  });
  if (signal?.aborted) close();
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    await relay?.close();
    const { authenticationFailed, serverResponseCode = "" } = error as ImapFlowError;
    if (authenticationFailed && !PASSING.has(serverResponseCode)) throw refusedLogin(login, "IMAP");
    throw new ChannelTrouble("away", awayMessage(error));
  }
}
