/**
 * Finds messages by parts of words, then by inflected forms; by an index if the words have one
 * (docs/decisions/036-inbox-search-snooze-and-notifications.md).
 */
import { and, desc, eq, gte, inArray, lt, not, type SQL, sql } from "drizzle-orm";
import {
  FOUND_MESSAGES_PAGE,
  type FoundMessage,
  type FoundMessages,
  type MessageSearchQuery,
} from "#contract/conversations/message-search.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { formsIn } from "#server/knowledge/language/words/word-forms.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { isReadableMessage, readableBy } from "./access.ts";
import { filtersOf } from "./list-filters.ts";
import {
  containsInflectedWords,
  containsWords,
  excerptOf,
  haveInflections,
  inflectionStems,
  startsWithInflectedWords,
  startsWithWords,
} from "./word-match-sql.ts";

/** The index returns its messages unordered. So words in more messages than this are searched by reading the newest messages. */
const MOST_INDEXED = 5000;
/**
 * Number of messages that the first transaction reads: a common word is found among the newest. Each further one reads five times as many.
 */
const FIRST_READ = 1000;
/** Maximum number of messages that one transaction and the conversation list read. */
export const MAX_MESSAGES_READ = 50_000;
const CHUNK = 500;
/** Milliseconds after which a search returns what it has found, with a cursor. */
const BUDGET_MS = 1500;

/** Prefix of a cursor that continues among messages with other forms of the words. */
const AMONG_FORMS = "f";

/**
 * Returns one page of the messages that the caller may read. Messages that contain all words come first, then those with other forms; both
 * newest first.
 */
export async function searchMessages(
  db: Database,
  caller: Tenant,
  { q, before, limit = FOUND_MESSAGES_PAGE, ...filters }: MessageSearchQuery,
): Promise<FoundMessages> {
  const words = searchWords(q);
  const scope = and(readableBy(caller), isReadableMessage(caller), ...filtersOf(caller, filters));
  const deadline = performance.now() + BUDGET_MS;
  const amongForms = before?.startsWith(AMONG_FORMS) ?? false;
  const place = Number(before?.replace(AMONG_FORMS, "") || 0) || null;
  const rows: Row[] = [];
  let next: string | null = AMONG_FORMS;
  if (!amongForms) {
    const page = await readPage(db, caller, { ...asTyped(words), scope, limit }, place, deadline);
    rows.push(...page.rows);
    if (page.next !== null || !haveInflections(words)) next = page.next;
  }
  if (next === AMONG_FORMS && rows.length < limit) {
    const wanted = { ...inOtherForms(words), scope, limit: limit - rows.length };
    // A user who has found the typed form does not wait for inflected forms that no index covers. One step is read, and the next page
    // continues.
    const page = await readPage(db, caller, wanted, amongForms ? place : null, rows.length > 0 ? 0 : deadline);
    rows.push(...page.rows);
    next = page.next === null ? null : `${AMONG_FORMS}${page.next}`;
  }
  return {
    messages: rows.map(toJson),
    forms: formsIn(
      words,
      rows.map(({ excerpt }) => excerpt),
    ),
    next,
  };
}

interface Page {
  rows: Row[];
  /** Cursor of a search that has not ended. */
  next: string | null;
}

async function readPage(
  db: Database,
  caller: Tenant,
  wanted: Wanted,
  before: number | null,
  deadline: number,
): Promise<Page> {
  const { limit } = wanted;
  const indexed = await asTenant(db, caller, async (tx) => {
    const ids = await messagesWith(tx, wanted.parts, before);
    return ids && (await readIds(tx, ids, wanted));
  });
  if (indexed !== null) return pageOf(indexed, limit, null);
  const found: Row[] = [];
  let place = before;
  for (let rows = FIRST_READ; ; rows = Math.min(rows * 5, MAX_MESSAGES_READ)) {
    const step = await asTenant(db, caller, async (tx) => {
      const edge = await placeAfter(tx, caller, place, rows);
      const newer = edge === null ? undefined : gte(conversationMessages.id, edge);
      const older = place === null ? undefined : lt(conversationMessages.id, place);
      const scope = and(ofOrganization(caller), newer, older, wanted.scope);
      return { rows: await read(tx, { ...wanted, scope, limit: limit + 1 - found.length }), edge };
    });
    found.push(...step.rows);
    place = step.edge;
    const ended = found.length > limit || place === null || performance.now() > deadline;
    if (ended) return pageOf(found, limit, place);
  }
}

/** @param edge where an unfinished search continues if it has not filled its page */
function pageOf(rows: Row[], limit: number, edge: number | null): Page {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)!.id : edge;
  return { rows: shown, next: next === null ? null : String(next) };
}

/**
 * Returns the newest messages in which words begin with all the words, then those with other forms. Words without an index are searched
 * among the newest messages only.
 */
export async function newestMessages(tx: Tx, caller: Tenant, words: readonly string[], limit: number): Promise<Row[]> {
  const newest = async (wanted: Wanted): Promise<Row[]> => {
    const ids = await messagesWith(tx, wanted.parts);
    if (ids !== null) return (await readIds(tx, ids, wanted)).slice(0, wanted.limit);
    const edge = await placeAfter(tx, caller, null, FIRST_READ);
    const newer = edge === null ? undefined : gte(conversationMessages.id, edge);
    return read(tx, { ...wanted, scope: and(ofOrganization(caller), newer, wanted.scope) });
  };
  const { content } = conversationMessages;
  const scope = and(readableBy(caller), isReadableMessage(caller));
  const rows = await newest({ words, parts: words, matches: startsWithWords(content, words), scope, limit });
  if (rows.length >= limit || !haveInflections(words)) return rows;
  const { parts } = inOtherForms(words);
  const matches = and(startsWithInflectedWords(content, words), not(startsWithWords(content, words)!));
  return [...rows, ...(await newest({ words, parts, matches, scope, limit: limit - rows.length }))];
}

/**
 * Returns ids of the organisation's messages that contain all words, newest first, including conversations that the caller may not read.
 * null: too many messages contain them, or they are too short for the index.
 * @param before only messages older than this one
 */
export async function messagesWith(
  tx: Tx,
  words: readonly string[],
  before: number | null = null,
): Promise<number[] | null> {
  const long = words.filter((word) => /[\p{L}\p{N}]{3}/u.test(word));
  if (long.length === 0) return null;
  const { rows } = await tx.execute(sql`
    select id from search.messages_with(${sql.param(long)}::text[], ${before}::bigint, ${MOST_INDEXED + 1}) as id`);
  if (rows.length > MOST_INDEXED) return null;
  return rows.map(({ id }) => Number(id)).sort((a, b) => b - a);
}

/** Returns the id of the message `rows` messages of the organisation before `before`; null when there are fewer. */
export async function placeAfter(tx: Tx, caller: Tenant, before: number | null, rows: number): Promise<number | null> {
  const [place] = await tx
    .select({ id: conversationMessages.id })
    .from(conversationMessages)
    .where(and(ofOrganization(caller), before === null ? undefined : lt(conversationMessages.id, before)))
    .orderBy(desc(conversationMessages.id))
    .offset(rows - 1)
    .limit(1);
  return place?.id ?? null;
}

const ofOrganization = (caller: Tenant) => eq(conversationMessages.orgId, caller.organizationId);

interface Wanted {
  words: readonly string[];
  /** What the index is queried for: parts of words that all matching messages contain. */
  parts: readonly string[];
  matches: SQL | undefined;
  scope: SQL | undefined;
  limit: number;
}

type Kind = Pick<Wanted, "words" | "parts" | "matches">;

const asTyped = (words: readonly string[]): Kind => ({
  ...{ words, parts: words },
  matches: containsWords(conversationMessages.content, words),
});

/** Excludes messages with all words as typed, because they come first. */
const inOtherForms = (words: readonly string[]): Kind => ({
  ...{ words, parts: inflectionStems(words) },
  matches: and(
    containsInflectedWords(conversationMessages.content, words),
    not(containsWords(conversationMessages.content, words)!),
  ),
});

/** Reads one row more than a page, to know whether there is a next page. */
async function readIds(tx: Tx, ids: readonly number[], wanted: Wanted): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < ids.length && found.length <= wanted.limit; at += CHUNK) {
    const scope = and(inArray(conversationMessages.id, ids.slice(at, at + CHUNK)), wanted.scope);
    found.push(...(await read(tx, { ...wanted, scope, limit: wanted.limit + 1 - found.length })));
  }
  return found;
}

type Row = Awaited<ReturnType<typeof read>>[number];

function read(tx: Tx, { words, matches, scope, limit }: Omit<Wanted, "parts">) {
  return tx
    .select({
      id: conversationMessages.id,
      conversationId: conversationMessages.conversationId,
      twinName: twins.name,
      participantName: conversations.participantName,
      platform: conversations.platform,
      role: conversationMessages.role,
      author: conversationMessages.author,
      excerpt: excerptOf(words, conversationMessages.content),
      createdAt: conversationMessages.createdAt,
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(scope, matches))
    .orderBy(desc(conversationMessages.id))
    .limit(limit);
}

const toJson = ({ id, author, createdAt, ...row }: Row): FoundMessage => ({
  ...row,
  id: String(id),
  ...(author === null ? {} : { author }),
  timestamp: createdAt.toISOString(),
});
