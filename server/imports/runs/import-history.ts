/** Stores a stream of messages in a twin's history, batch by batch. */
import { hash } from "node:crypto";
import type { WithAttached } from "#server/imports/attached/attached-rows.ts";
import type { ImportedMessage } from "#server/imports/formats/message.ts";
import { ensureContacts, type HistoryMessage, storeMessages } from "#server/knowledge/messages/messages.ts";
import { type Database, sharesOneConnection, type Tx } from "#server/platform/db/database.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import type { ImportJob, ImportRun } from "./job-deps.ts";

const BATCH = 2000;
/** The maximum on the embedded database, where all share one connection and thread. */
const SHARED_BATCH = 400;
/** Storing 25 messages costs 5 ms of CPU, 125 cost 8: smaller batches would starve an import beside users. */
const MIN_BATCH = 125;
/** Maximum characters of a batch: two thousand emails of some megabytes each would not fit into memory. */
const BATCH_CHARS = 2_000_000;
const CONTACTS_KEPT = 20_000;

interface HistoryPlan {
  twinId: string;
  sourceId: string;
  platform: string;
  ownerId: string;
  /** Maps ids of the chosen chats in the stream to ids in the database. Messages of other chats are skipped. */
  chats: ReadonlyMap<string, number>;
  /** Number of messages of the chosen chats that an earlier run has handled. */
  done: number;
  /** Time for messages that come before the first one with a time. */
  undatedAt: Date;
  /** Set: the whole stream is one batch, whose size the caller adapts; absent: batches are cut here. */
  together?: AdaptiveBatchSize;
  /** Called after each batch is stored, with its messages that have recordings and pictures. */
  attach?(tx: Tx, batch: readonly WithAttached[]): Promise<void>;
  /** Called at the start of each batch's transaction; false: the import was stopped or deleted, and nothing more is stored. */
  proceed(tx: Tx): Promise<boolean>;
  /** Called at its end: `batch` messages were handled, `stored` of them are new. */
  record(tx: Tx, counts: { batch: number; stored: number }): Promise<void>;
}

/**
 * Stores the chosen chats' messages in batches of one transaction each, so that a killed run is resumed after its last batch. Stored
 * messages, found by id or content, and system messages are skipped. Forwards and messages without text are stored for the order of the
 * conversation, but are not training data.
 * @returns false when `proceed` ended it early
 */
export async function importHistory(
  db: Database,
  run: ImportRun,
  plan: HistoryPlan,
  messages: AsyncIterable<ImportedMessage>,
  signal: AbortSignal,
): Promise<boolean> {
  const contacts = new Map<string, number>();
  const nextContentId = contentIds();
  const lastTimes = new Map<string, Date>();
  let place = 0;
  const portion =
    plan.together ??
    (sharesOneConnection(db)
      ? new AdaptiveBatchSize(SHARED_BATCH, { minRows: MIN_BATCH })
      : new AdaptiveBatchSize(BATCH, { minRows: MIN_BATCH, idlePieceMs: Number.POSITIVE_INFINITY }));
  const isFull = () => plan.together === undefined && (batch.length >= portion.rows || chars >= BATCH_CHARS);
  let batch: Incoming[] = [];
  let chars = 0;
  // One batch is being stored while the next is read.
  let storing = Promise.resolve(true);

  try {
    for await (const message of messages) {
      const { kind } = message;
      const chatId = plan.chats.get(message.chatId);
      if (chatId === undefined || kind === "service") continue;
      place++;
      // Derived from the stream alone, also for messages that are done, so that a resumed run gets the same result.
      const externalId = message.externalId ?? nextContentId(message);
      const sentAt = message.sentAt ?? lastTimes.get(message.chatId) ?? plan.undatedAt;
      lastTimes.set(message.chatId, sentAt);
      if (place <= plan.done) continue;
      batch.push({ message: { ...message, kind }, chatId, externalId, sentAt });
      chars += message.text.length;
      if (!isFull()) continue;
      if (!(await storing)) return false;
      signal.throwIfAborted();
      storing = storeBatch(run, plan, { contacts, portion, batch });
      // A failure is reported when the next batch is complete, so it must not count as unhandled now.
      storing.catch(() => {});
      batch = [];
      chars = 0;
    }
    if (!(await storing)) return false;
    return batch.length === 0 || (await storeBatch(run, plan, { contacts, portion, batch }));
  } finally {
    await storing.catch(() => {});
  }
}

interface Incoming {
  message: ImportedMessage & { kind: HistoryMessage["kind"] };
  chatId: number;
  externalId: string;
  sentAt: Date;
}

interface Batch {
  contacts: Map<string, number>;
  portion: AdaptiveBatchSize;
  batch: Incoming[];
}

function storeBatch(
  { job, transact }: ImportRun,
  plan: HistoryPlan,
  { contacts, portion, batch }: Batch,
): Promise<boolean> {
  return transact(async (tx) => {
    if (!(await plan.proceed(tx))) return false;
    const store = async () => {
      await findContacts(tx, job, plan, contacts, batch);
      const rows = batch.map((incoming) => toRow(incoming, plan.ownerId, contacts));
      return storeMessages(tx, job, plan, rows);
    };
    const stored = await portion.measure(store, () => batch.length);
    if (plan.attach !== undefined) await plan.attach(tx, batch.flatMap(attachedOf));
    await plan.record(tx, { batch: batch.length, stored });
    return true;
  });
}

const attachedOf = ({ message: { attached }, chatId, externalId }: Incoming): WithAttached[] =>
  attached === undefined ? [] : [{ chatId, externalId, attached }];

function toRow(
  { message, chatId, externalId, sentAt }: Incoming,
  ownerId: string,
  contacts: ReadonlyMap<string, number>,
): HistoryMessage {
  const { authorId, replyTo, kind, text } = message;
  return {
    chatId,
    contactId: authorId === ownerId ? null : (contacts.get(authorId) ?? null),
    fromOwner: authorId === ownerId,
    externalId,
    replyTo,
    kind,
    text,
    sentAt,
  };
}

async function findContacts(
  tx: Tx,
  job: ImportJob,
  plan: HistoryPlan,
  contacts: Map<string, number>,
  batch: Incoming[],
): Promise<void> {
  if (contacts.size > CONTACTS_KEPT) contacts.clear();
  const people = batch
    .map(({ message }) => ({ externalId: message.authorId, name: message.authorName || message.authorId }))
    .filter(({ externalId }) => externalId !== "" && externalId !== plan.ownerId && !contacts.has(externalId));
  if (people.length === 0) return;
  for (const [externalId, id] of await ensureContacts(tx, job, plan, people)) contacts.set(externalId, id);
}

/**
 * Creates ids for formats without ids: a hash of author, time and text, plus the number of identical messages before. Only messages with
 * the same time are compared, so memory stays bounded and an export that begins later yields the same ids.
 */
function contentIds(): (message: ImportedMessage) => string {
  const seen = new Map<string, { time: number | undefined; counts: Map<string, number> }>();
  return ({ chatId, authorId, sentAt, text }) => {
    const time = sentAt?.getTime();
    let chat = seen.get(chatId);
    if (chat === undefined || chat.time !== time) {
      chat = { time, counts: new Map() };
      seen.set(chatId, chat);
    }
    const id = hash("sha256", JSON.stringify([authorId, time ?? null, text]), "base64url").slice(0, 24);
    const before = chat.counts.get(id) ?? 0;
    chat.counts.set(id, before + 1);
    return before === 0 ? id : `${id}.${before}`;
  };
}
