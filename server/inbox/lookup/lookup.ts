/** Finds everything that the caller may see and that contains the words: names first, then texts. */
import { and, desc, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type * as z from "zod/mini";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { type LookupQuery, type LookupResult, MAX_FOUND } from "#contract/lookup.ts";
import { readableBy } from "#server/inbox/conversations/access.ts";
import { newestMessages } from "#server/inbox/conversations/search-messages.ts";
import { excerptOf, startsWithInflectedWords, startsWithWords } from "#server/inbox/conversations/word-match-sql.ts";
import { formsIn } from "#server/knowledge/language/words/word-forms.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { documents } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

/** Number of rows read for a handful of results, because several rows may belong to one contact or conversation. */
const ROWS = 25;
/** Maximum number of documents, and bytes of their texts, that are searched, newest first: no index covers parts of words. */
const MAX_DOCUMENTS = 500;
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** Characters of a contact's last message that a line of the palette shows. */
const LAST_WORDS = 120;

/** The words as typed, and those of the other keyboard layout. */
type Wanted = readonly (readonly string[])[];

export async function lookup(
  db: Database,
  caller: Tenant,
  { q, or: other }: z.output<typeof LookupQuery>,
): Promise<LookupResult> {
  const wanted = (other === undefined || other === q ? [q] : [q, other]).map(searchWords);
  const found = await asTenant(db, caller, async (tx) => ({
    contacts: await findContacts(tx, caller, wanted),
    messages: await findMessages(tx, caller, wanted),
    documents: await findDocuments(tx, caller, wanted),
    facts: await findFacts(tx, caller, wanted),
  }));
  const texts = [
    ...[...found.contacts, ...found.documents].map(({ name }) => name),
    ...[...found.messages, ...found.documents].map(({ excerpt }) => excerpt ?? ""),
    ...found.facts.flatMap(({ question, text }) => [question, text]),
  ];
  return { ...found, forms: formsIn(wanted.flat(), texts) };
}

const beginsEither = (text: AnyPgColumn | SQL, wanted: Wanted): SQL =>
  or(...wanted.map((words) => startsWithInflectedWords(text, words)))!;

/** SQL sort key: matches that begin with the typed words come before inflected forms. */
const asTyped = (wanted: Wanted, ...texts: AnyPgColumn[]): SQL =>
  desc(or(...wanted.flatMap((words) => texts.map((text) => startsWithWords(text, words))))!);

async function findContacts(tx: Tx, caller: Tenant, wanted: Wanted): Promise<LookupResult["contacts"]> {
  const name = conversations.participantName;
  const rows = await tx
    .select({
      conversationId: conversations.id,
      contactId: conversations.contactId,
      name,
      platform: conversations.platform,
      twinName: twins.name,
      lastMessage: sql<string | null>`left(${conversations.lastMessage}, ${LAST_WORDS}::int)`,
      hasDraft: sql<boolean>`exists (select from ${outbox}
        where ${outbox.conversationId} = ${conversations.id} and ${outbox.state} = 'draft')`,
    })
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(readableBy(caller), isNotNull(conversations.contactId), beginsEither(name, wanted)))
    .orderBy(asTyped(wanted, name), desc(conversations.updatedAt))
    .limit(ROWS);
  return firstOf(rows, ({ contactId }) => contactId).map(({ contactId: _once, lastMessage, ...contact }) => ({
    ...contact,
    lastMessage: lastMessage === null ? null : onOneLine(lastMessage),
  }));
}

async function findMessages(tx: Tx, caller: Tenant, wanted: Wanted): Promise<LookupResult["messages"]> {
  for (const words of wanted) {
    const rows = await newestMessages(tx, caller, words, ROWS);
    if (rows.length === 0) continue;
    return firstOf(rows, ({ conversationId }) => conversationId).map(
      ({ id, conversationId, participantName, platform, excerpt }) => ({
        ...{ id: String(id), conversationId, name: participantName, platform },
        excerpt: onOneLine(excerpt),
      }),
    );
  }
  return [];
}

async function findDocuments(tx: Tx, caller: Tenant, wanted: Wanted): Promise<LookupResult["documents"]> {
  const newest = tx
    .select({
      id: documents.id,
      name: documents.name,
      twinId: documents.twinId,
      content: documents.content,
      createdAt: documents.createdAt,
      bytes:
        sql<number>`sum(octet_length(${documents.content})) over (order by ${documents.createdAt} desc, ${documents.id})`.as(
          "bytes",
        ),
    })
    .from(documents)
    .where(eq(documents.orgId, caller.organizationId))
    .orderBy(desc(documents.createdAt), documents.id)
    .limit(MAX_DOCUMENTS)
    .as("newest");
  const named = beginsEither(newest.name, wanted);
  const excerpts = wanted.map(
    (words) => sql`when ${startsWithInflectedWords(newest.content, words)} then ${excerptOf(words, newest.content)}`,
  );
  const rows = await tx
    .select({
      id: newest.id,
      name: newest.name,
      twinName: twins.name,
      excerpt: sql<string | null>`case when ${named} then null ${sql.join(excerpts, sql` `)} end`,
    })
    .from(newest)
    .innerJoin(twins, eq(twins.id, newest.twinId))
    .where(or(named, and(sql`${newest.bytes} <= ${MAX_TEXT_BYTES}::bigint`, beginsEither(newest.content, wanted))))
    .orderBy(desc(named), desc(newest.createdAt))
    .limit(MAX_FOUND);
  return rows.map((row) => ({ ...row, excerpt: row.excerpt === null ? null : onOneLine(withoutMarks(row.excerpt)) }));
}

function findFacts(tx: Tx, caller: Tenant, wanted: Wanted): Promise<LookupResult["facts"]> {
  return tx
    .select({
      id: corrections.id,
      question: corrections.question,
      text: corrections.text,
      twinName: twins.name,
    })
    .from(corrections)
    .innerJoin(twins, eq(twins.id, corrections.twinId))
    .where(
      and(
        eq(twins.orgId, caller.organizationId),
        eq(twins.ownerId, caller.userId),
        eq(corrections.kind, "fact"),
        eq(corrections.state, "active"),
        eq(corrections.audience, 0),
        or(beginsEither(corrections.question, wanted), beginsEither(corrections.text, wanted)),
      ),
    )
    .orderBy(asTyped(wanted, corrections.question, corrections.text), desc(corrections.place))
    .limit(MAX_FOUND);
}

/** Removes Markdown's marks of headings, quotations, bold text and tables from an excerpt. */
const withoutMarks = (excerpt: string): string =>
  excerpt
    .split("\n")
    .filter((line) => !line.includes("---") || /[^\s:|-]/.test(line))
    .map((line) => line.replace(/^(…?)[ \t]{0,3}(?:#{1,6}|>)[ \t]/, "$1").replaceAll("**", ""))
    .join("\n")
    .replaceAll("|", " ");

const onOneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function firstOf<R>(rows: readonly R[], keyOf: (row: R) => unknown): R[] {
  const seen = new Set<unknown>();
  const first = rows.filter((row) => {
    const key = keyOf(row);
    return !seen.has(key) && seen.add(key);
  });
  return first.slice(0, MAX_FOUND);
}
