/** Lists the history newest first, filtered by words, platform and twin; suitable for millions of messages. */
import { and, asc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type KnowledgeMessage, MESSAGES_PAGE, type MessagesQuery } from "#contract/knowledge/knowledge-base.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { twinNotFound } from "#server/accounts/twins/twins.ts";
import type { MediaRow } from "#server/models/media/attempts.ts";
import { shownMedia } from "#server/models/media/shown-media.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages } from "#server/platform/db/schema/knowledge.ts";
import { mediaFiles } from "#server/platform/db/schema/media.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** Rows scanned in the first step. Each further step takes five times more, because a common word is found within the first few. */
const FIRST_ROWS = 2000;
const MAX_ROWS = 50_000;
/** After this time a search returns what it has found and a cursor. */
const BUDGET_MS = 2000;

interface MessagesPage {
  messages: KnowledgeMessage[];
  /** `before` of the next page; null at the end of the history. */
  next: string | null;
}

/** A cursor in the history; messages before it are older. */
interface Place {
  /** Time of the message, in microseconds since 1970. */
  micros: number;
  id: number;
}

/**
 * Returns one page of messages of the caller's own twins. It scans backwards in short transactions: the embedded database can serve
 * others in between, and `signal` stops the scan when the caller disconnects. A trigram index is no help: under row-level security
 * PostgreSQL uses an index only for leakproof operators, and text matching is none.
 * @throws Problem 404 for another organisation's twin; a colleague's has no messages for the caller
 */
export async function findMessages(
  db: Database,
  caller: Tenant,
  query: MessagesQuery,
  { budgetMs = BUDGET_MS, signal }: { budgetMs?: number; signal?: AbortSignal } = {},
): Promise<MessagesPage> {
  const { limit = MESSAGES_PAGE } = query;
  const deadline = performance.now() + budgetMs;
  const found: KnowledgeMessage[] = [];
  let before = query.before === undefined ? null : parsePlace(query.before);
  for (let rows = FIRST_ROWS; ; rows = Math.min(rows * 5, MAX_ROWS)) {
    const step = await asTenant(db, caller, async (tx) => {
      const from = await chatsOf(tx, caller, query);
      if (from === null) return { found: [], edge: null };
      const edge = await placeAfter(tx, caller, before, rows);
      const scope = and(
        eq(messages.orgId, caller.organizationId),
        from,
        before === null ? undefined : olderThan(before),
        edge === null ? undefined : gte(placeColumns, placeValue(edge)),
        ...searchWords(query.search ?? "").map(contains),
      );
      return { found: await read(tx, scope, limit - found.length), edge };
    });
    found.push(...step.found.map(({ message }) => message));
    if (found.length === limit) return { messages: found, next: format(step.found.at(-1)!.place) };
    before = step.edge;
    if (before === null) return { messages: found, next: null };
    if (performance.now() > deadline || signal?.aborted === true) return { messages: found, next: format(before) };
  }
}

/** Returns filter conditions, or null when no message can match. @throws Problem 404 */
async function chatsOf(tx: Tx, caller: Tenant, { twinId, platform }: MessagesQuery): Promise<SQL | null> {
  const inOrganization = eq(twins.orgId, caller.organizationId);
  const rows = await tx
    .select({ id: twins.id, ownerId: twins.ownerId })
    .from(twins)
    .where(
      twinId === undefined
        ? and(inOrganization, eq(twins.ownerId, caller.userId))
        : and(inOrganization, eq(twins.id, twinId)),
    );
  if (twinId !== undefined && rows.length === 0) throw twinNotFound();
  const own = rows.filter(({ ownerId }) => ownerId === caller.userId).map(({ id }) => id);
  if (own.length === 0) return null;
  const ofTwins = inArray(messages.twinId, own);
  if (platform === undefined) return ofTwins;
  const [any] = await tx
    .select({ id: chats.id })
    .from(chats)
    .where(and(inArray(chats.twinId, own), eq(chats.platform, platform)))
    .limit(1);
  return any === undefined ? null : and(ofTwins, eq(chats.platform, platform))!;
}

const placeColumns = sql`(${messages.sentAt}, ${messages.id})`;
const placeValue = ({ micros, id }: Place) =>
  sql`(timestamptz 'epoch' + ${micros}::float8 * interval '1 microsecond', ${id}::bigint)`;
const micros = sql<number>`(extract(epoch from ${messages.sentAt}) * 1000000)::bigint`.mapWith(Number);
const olderThan = (place: Place) => lt(placeColumns, placeValue(place));

const newestFirst = [sql`${messages.sentAt} desc`, sql`${messages.id} desc`] as const;

/** Returns the place `rows` messages of the organisation after `before`, or null when there are fewer. An index-only scan. */
async function placeAfter(tx: Tx, caller: Tenant, before: Place | null, rows: number): Promise<Place | null> {
  const [place] = await tx
    .select({ micros, id: messages.id })
    .from(messages)
    .where(and(eq(messages.orgId, caller.organizationId), before === null ? undefined : olderThan(before)))
    .orderBy(...newestFirst)
    .offset(rows - 1)
    .limit(1);
  return place ?? null;
}

async function read(tx: Tx, scope: SQL | undefined, limit: number) {
  const rows = await tx
    .select({
      id: messages.id,
      platform: chats.platform,
      content: messages.text,
      sentAt: messages.sentAt,
      micros,
      isTrainingData: messages.isTrainingData,
      fromOwner: messages.fromOwner,
      author: contacts.name,
      chatName: chats.name,
      digitalTwinId: twins.id,
      digitalTwinName: twins.name,
    })
    .from(messages)
    .innerJoin(chats, eq(chats.id, messages.chatId))
    .innerJoin(twins, eq(twins.id, messages.twinId))
    .leftJoin(contacts, eq(contacts.id, messages.contactId))
    .where(scope)
    .orderBy(...newestFirst)
    .limit(limit);
  const media = await mediaOf(tx, rows);
  return rows.map(({ id, sentAt, micros, ...message }) => {
    const attached = media.get(id)?.map(shownMedia);
    const shown = { ...message, id: String(id), timestamp: sentAt.toISOString(), ...(attached && { media: attached }) };
    return { message: shown satisfies KnowledgeMessage, place: { micros, id } };
  });
}

async function mediaOf(tx: Tx, rows: readonly { id: number }[]) {
  if (rows.length === 0) return new Map<number, MediaRow[]>();
  const ids = rows.map(({ id }) => id);
  const found = await tx
    .select()
    .from(mediaFiles)
    .where(inArray(mediaFiles.importedMessageId, ids))
    .orderBy(asc(mediaFiles.place));
  return Map.groupBy(found, ({ importedMessageId }) => importedMessageId!);
}

/** A regular expression without special characters is twice as fast as `ilike`, which copies each text; «ё» matches «е». */
const contains = (word: string): SQL =>
  sql`${messages.text} ~* ${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/[её]/gi, "[её]")}`;

const format = ({ micros, id }: Place): string => `${micros}_${id}`;

function parsePlace(text: string): Place {
  const [micros, id] = text.split("_").map(Number);
  return { micros: micros!, id: id! };
}
