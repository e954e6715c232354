/** Finds what was said in conversations by parts of words: by an index where the words have one (docs/decisions/090). */
import { and, desc, eq, gte, inArray, like, lt, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import {
  FOUND_MESSAGES_PAGE,
  type FoundMessages,
  type MessageSearchQuery,
} from "#contract/conversations/message-search.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { conversationMessages, conversations, twins } from "#server/db/schema.ts";
import { readableBy } from "./access.ts";
import { filtersOf } from "./list-filters.ts";

/** The index gives its messages in no order, so that words in more of them are sought by reading the newest messages. */
const MOST_INDEXED = 5000;
/** Messages that are read in the first transaction: a common word is found in the newest. Each further one reads five times as many. */
const FIRST_READ = 1000;
/** Messages that are read in one transaction, and by the list of conversations, at most. */
export const MOST_READ = 50_000;
/** Ids whose messages are looked at in one statement. */
const CHUNK = 500;
/** After this time a search returns what it has found and where it goes on. */
const BUDGET_MS = 1500;

const EXCERPT = 160;
const BEFORE_WORD = 24;

/** One page of the messages that hold all words, newest first, of conversations that the caller may read. */
export async function searchMessages(
  db: Database,
  caller: Tenant,
  { q, before, limit = FOUND_MESSAGES_PAGE, ...filters }: MessageSearchQuery,
): Promise<FoundMessages> {
  const words = searchWords(q);
  const scope = and(readableBy(caller), ...filtersOf(caller, filters));
  const indexed = await asTenant(db, caller, async (tx) => {
    const ids = await messagesWith(tx, words, before);
    return ids === null ? null : pageOf(await readIds(tx, ids, { words, scope, limit }), limit, null);
  });
  if (indexed !== null) return indexed;
  const deadline = performance.now() + BUDGET_MS;
  const found: Row[] = [];
  let place = before === undefined ? null : Number(before);
  for (let rows = FIRST_READ; ; rows = Math.min(rows * 5, MOST_READ)) {
    const step = await asTenant(db, caller, async (tx) => {
      const edge = await placeAfter(tx, caller, place, rows);
      const newer = edge === null ? undefined : gte(conversationMessages.id, edge);
      const older = place === null ? undefined : lt(conversationMessages.id, place);
      const of = and(ofOrganization(caller), newer, older, scope);
      return { rows: await read(tx, of, words, limit + 1 - found.length), edge };
    });
    found.push(...step.rows);
    place = step.edge;
    const ended = found.length > limit || place === null || performance.now() > deadline;
    if (ended) return pageOf(found, limit, place);
  }
}

/** The newest messages in which all words begin one; of words without an index among the newest of all messages only. */
export async function newestMessages(tx: Tx, caller: Tenant, words: readonly string[], limit: number): Promise<Row[]> {
  const scope = and(readableBy(caller), begins(conversationMessages.content, words));
  const ids = await messagesWith(tx, words);
  if (ids !== null) return readIds(tx, ids, { words, scope, limit: limit - 1 });
  const edge = await placeAfter(tx, caller, null, FIRST_READ);
  const newer = edge === null ? undefined : gte(conversationMessages.id, edge);
  return read(tx, and(ofOrganization(caller), newer, scope), words, limit);
}

/**
 * Ids of the caller's organisation's messages that hold all words, newest first, also of conversations that the caller may not read.
 * null: the words stand in too many of them, or are too short for the index.
 * @param before only messages older than this one
 */
export async function messagesWith(tx: Tx, words: readonly string[], before?: string): Promise<number[] | null> {
  const long = words.filter((word) => /[\p{L}\p{N}]{3}/u.test(word));
  if (long.length === 0) return null;
  const { rows } = await tx.execute(sql`
    select id from search.messages_with(${sql.param(long)}::text[], ${before ?? null}::bigint, ${MOST_INDEXED + 1}) as id`);
  if (rows.length > MOST_INDEXED) return null;
  return rows.map(({ id }) => Number(id)).sort((a, b) => b - a);
}

/** The id of the message that lies `rows` of the organisation's messages behind `before`; null when there are fewer. */
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

/** As the index has it: one letter for «ё» and «е», small letters. */
const folded = (text: SQL | AnyPgColumn) => sql`translate(lower(${text}), 'ё', 'е')`;
const foldedWord = (word: string) => word.toLowerCase().replaceAll("ё", "е");

/** Whether the text holds each of the words as a part of a word. */
export const holds = (text: Parameters<typeof folded>[0], words: readonly string[]): SQL | undefined =>
  and(...words.map((word) => like(folded(text), `%${foldedWord(word).replace(/[\\%_]/g, "\\$&")}%`)));

/** The word where it begins a word of a folded text: «алина» not in «сахалина». A sign in front of it begins anywhere. */
const beginning = (word: string) => {
  const letters = foldedWord(word);
  const pattern = letters.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
  return /^[\p{L}\p{N}]/u.test(letters) ? `(^|[^[:alnum:]])${pattern}` : pattern;
};

/** Whether each of the words begins a word of the text. */
export const begins = (text: Parameters<typeof folded>[0], words: readonly string[]): SQL | undefined =>
  // What holds it is found without an expression, which is dearer.
  and(holds(text, words), ...words.map((word) => sql`${folded(text)} ~ ${beginning(word)}`));

/** The text around the first of the words: where it begins a word, else where it stands at all. */
export function excerptOf(
  words: readonly string[],
  content: AnyPgColumn | SQL = conversationMessages.content,
): SQL<string> {
  const word = words[0] ?? "";
  const text = folded(content);
  const at = sql`coalesce(nullif(regexp_instr(${text}, ${beginning(word)}), 0), strpos(${text}, ${foldedWord(word)}))`;
  // A few letters are not worth a cut.
  const start = sql`case when ${at} <= ${BEFORE_WORD + 8}::int then 1 else ${at} - ${BEFORE_WORD}::int end`;
  return sql<string>`concat(case when ${start} > 1 then '…' end, substr(${content}, ${start}, ${EXCERPT}::int),
    case when length(${content}) >= ${start} + ${EXCERPT}::int then '…' end)`;
}

const ofOrganization = (caller: Tenant) => eq(conversationMessages.orgId, caller.organizationId);

interface Wanted {
  words: readonly string[];
  scope: SQL | undefined;
  limit: number;
}

/** One row more than a page, where there are so many. */
async function readIds(tx: Tx, ids: readonly number[], { words, scope, limit }: Wanted): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < ids.length && found.length <= limit; at += CHUNK) {
    const of = and(inArray(conversationMessages.id, ids.slice(at, at + CHUNK)), scope);
    found.push(...(await read(tx, of, words, limit + 1 - found.length)));
  }
  return found;
}

type Row = Awaited<ReturnType<typeof read>>[number];

function read(tx: Tx, scope: SQL | undefined, words: readonly string[], limit: number) {
  return tx
    .select({
      id: conversationMessages.id,
      conversationId: conversationMessages.conversationId,
      twinName: twins.name,
      participantName: conversations.participantName,
      platform: conversations.platform,
      role: conversationMessages.role,
      author: conversationMessages.author,
      excerpt: excerptOf(words),
      createdAt: conversationMessages.createdAt,
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(scope, holds(conversationMessages.content, words)))
    .orderBy(desc(conversationMessages.id))
    .limit(limit);
}

/** @param edge where the search goes on that has not filled its page */
function pageOf(rows: readonly Row[], limit: number, edge: number | null): FoundMessages {
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)!.id : edge;
  return {
    messages: shown.map(({ id, author, createdAt, ...row }) => ({
      ...row,
      id: String(id),
      ...(author === null ? {} : { author }),
      timestamp: createdAt.toISOString(),
    })),
    next: next === null ? null : String(next),
  };
}
