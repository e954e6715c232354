/** Finds the pairs of stored chats page by page and stores them; repeating it changes nothing. */
import { and, eq, sql } from "drizzle-orm";
import { incrementKnowledgeVersion } from "#server/accounts/twins/training.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, messages } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import { type ChatLine, type TurnPair, TurnPairer } from "./pairs/pair-turns.ts";
import { type ChatPlace, dropReplyExamples, storeReplyExamples } from "./reply-examples.ts";

/** Maximum messages of a page; storing the pairs of two thousand new ones took a third of a second. */
const PAGE = 1000;
/** Each page sends some twenty statements, and any change of the twin between two pages has the chat paired from its beginning. */
const MIN_PAGE = 250;

export async function pairChat(tx: Tx, tenant: Tenant, chat: ChatPlace): Promise<void> {
  await lockRevision(tx, chat.twinId);
  const pairing = new ChatPairing();
  while (!pairing.ended) {
    const found = pairing.take(await readPage(tx, chat, pairing.after, PAGE));
    await storePage(tx, tenant, chat, found);
  }
}

/**
 * Pairs these chats with one transaction per page; the next page is read while one is stored. If another transaction changes the twin in
 * between, its revision shows it, and the page is read again.
 * @param onStored called with each page's pairs when some of them are new
 */
export async function pairChats(
  db: Database,
  tenant: Tenant,
  twinId: string,
  chatIds: Iterable<number>,
  signal: AbortSignal,
  onStored: (pairs: number) => void = () => {},
): Promise<void> {
  const portion = new AdaptiveBatchSize(PAGE, { minRows: MIN_PAGE });
  const store = new PageStore(db, tenant, twinId, { portion, onStored });
  await store.open();
  const left = [...chatIds];
  try {
    for (const chatId of left) {
      const chat = { twinId, chatId };
      const pairing = new ChatPairing();
      while (!pairing.ended) {
        signal.throwIfAborted();
        const page = await asTenant(db, tenant, (tx) => readPage(tx, chat, pairing.after, portion.rows));
        const found = pairing.take(page);
        const outdated = await store.settled;
        if (outdated !== null) left.push(outdated);
        if (outdated === chatId) break;
        await store.begin(chat, found, page.lines.length);
      }
    }
    const outdated = await store.settled;
    if (outdated !== null) await pairChats(db, tenant, twinId, [outdated], signal, onStored);
  } finally {
    await store.settled.catch(() => {});
  }
}

class PageStore {
  /** Resolves when the page is stored: to null, or to the chat whose page was outdated and not stored. */
  settled: Promise<number | null> = Promise.resolve(null);
  readonly #db: Database;
  readonly #tenant: Tenant;
  readonly #twinId: string;
  readonly #portion: AdaptiveBatchSize;
  readonly #onStored: (pairs: number) => void;
  /** The twin's revision after the last stored page. */
  #revision: number | null = null;

  constructor(
    db: Database,
    tenant: Tenant,
    twinId: string,
    { portion, onStored }: { portion: AdaptiveBatchSize; onStored: (pairs: number) => void },
  ) {
    this.#db = db;
    this.#tenant = tenant;
    this.#twinId = twinId;
    this.#portion = portion;
    this.#onStored = onStored;
  }

  /** Reads the twin's revision; call it before reading the first page. */
  async open(): Promise<void> {
    this.#revision = await asTenant(this.#db, this.#tenant, (tx) => lockRevision(tx, this.#twinId));
  }

  /** Returns once the twin's row is locked. A page read from then on is current when it is stored, or else the revision differs. */
  async begin(chat: ChatPlace, found: PagePairs, messages: number): Promise<void> {
    const held = Promise.withResolvers<void>();
    this.settled = asTenant(this.#db, this.#tenant, async (tx) => {
      const revision = await lockRevision(tx, this.#twinId);
      held.resolve();
      const outdated = revision !== null && revision !== this.#revision;
      this.#revision = revision;
      if (revision === null) return null;
      if (outdated) return chat.chatId;
      const store = () => storePage(tx, this.#tenant, chat, found);
      if (await this.#portion.measure(store, () => messages)) {
        this.#revision = revision + 1;
        this.#onStored(found.pairs.length);
      }
      return null;
    }).finally(held.resolve);
    this.settled.catch(() => {});
    await held.promise;
  }
}

/** Locks the twin first, like all transactions that change its knowledge; another order could deadlock. Null: the twin is deleted. */
async function lockRevision(tx: Tx, twinId: string): Promise<number | null> {
  const [twin] = await tx
    .select({ revision: twins.knowledgeRevision })
    .from(twins)
    .where(eq(twins.id, twinId))
    .for("no key update");
  return twin?.revision ?? null;
}

interface PagePairs {
  pairs: TurnPair[];
  /** Messages that no longer begin a reply, because a later import inserted a message into the turn; their pairs are deleted. */
  unpaired: number[];
}

/** @returns whether anything changed; the twin's revision is then increased by one */
async function storePage(tx: Tx, tenant: Tenant, chat: ChatPlace, found: PagePairs): Promise<boolean> {
  const dropped = await dropReplyExamples(tx, found.unpaired);
  const stored = await storeReplyExamples(tx, tenant, chat, found.pairs);
  if (dropped || stored) await incrementKnowledgeVersion(tx, chat.twinId);
  return dropped || stored;
}

interface Place {
  sentAt: Date;
  id: number;
}

interface Page {
  /** Null when the chat was deleted or contains no conversation with the owner. */
  kind: string | null;
  lines: ChatLine[];
  more: boolean;
}

class ChatPairing {
  after: Place | null = null;
  ended = false;
  readonly #pairer = new TurnPairer();

  take({ kind, lines, more }: Page): PagePairs {
    this.ended = !more;
    if (kind === null) return { pairs: [], unpaired: [] };
    this.after = lines.at(-1) ?? null;
    const pairer = this.#pairer;
    const unpaired = new Set(lines.filter((line) => line.fromOwner).map((line) => line.id));
    if (pairer.openReply !== null) unpaired.add(pairer.openReply);
    const pairs: TurnPair[] = [];
    for (const line of lines) {
      const pair = pairer.add(line);
      if (pair !== null) pairs.push(pair);
    }
    const rest = more ? null : pairer.end();
    if (rest !== null) pairs.push(rest);
    for (const { replyMessageId } of pairs) unpaired.delete(replyMessageId);
    if (pairer.openReply !== null) unpaired.delete(pairer.openReply);
    return { pairs, unpaired: [...unpaired] };
  }
}

async function readPage(
  tx: Tx,
  { twinId, chatId }: ChatPlace,
  after: Place | null,
  messagesAtMost: number,
): Promise<Page> {
  const [chat] = await tx
    .select({ kind: chats.kind })
    .from(chats)
    .where(and(eq(chats.id, chatId), eq(chats.twinId, twinId)));
  if (chat === undefined || chat.kind === "channel" || chat.kind === "saved") {
    return { kind: null, lines: [], more: false };
  }
  // Raw SQL, because drizzle's column mapping costs as much as reading a million rows.
  const { rows } = await tx.execute(sql`
    select id, external_id as "externalId", reply_to as "replyTo", contact_id as "contactId", from_owner as "fromOwner",
      kind, text, (date_part('epoch', sent_at) * 1000000)::bigint as microseconds
    from ${messages}
    where chat_id = ${chatId} and ${
      after === null ? sql`true` : sql`(sent_at, id) > (${after.sentAt.toISOString()}::timestamptz, ${after.id})`
    }
    order by sent_at, id limit ${messagesAtMost + 1}`);
  const more = rows.length > messagesAtMost;
  if (more) rows.pop();
  const lines = (rows as unknown as LineRow[]).map(({ microseconds, ...line }) => ({
    ...line,
    sentAt: new Date(Math.floor(microseconds / 1000)),
  }));
  return { kind: chat.kind, lines, more };
}

type LineRow = Omit<ChatLine, "sentAt"> & { microseconds: number };
