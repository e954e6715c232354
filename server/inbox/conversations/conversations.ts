import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Label } from "#contract/conversations/conversations.ts";
import {
  CONVERSATIONS_PAGE,
  type Conversation,
  type ConversationInput,
  type ConversationsQuery,
  type ConversationTotals,
  type ConversationUpdate,
} from "#contract/conversations/conversations.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { forgetAnswersAbout } from "#server/accounts/twins/idempotent-answers.ts";
import { drainThenDelete } from "#server/accounts/twins/in-flight-sends.ts";
import { getTwinRow } from "#server/accounts/twins/twins.ts";
import { type RemainsDeps, removeMediaRemains } from "#server/models/media/remains.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { canChangeConversation, conversationNotFound, isReadableMessage, readableBy } from "./access.ts";
import { labelsOf } from "./labels.ts";
import { filtersOf } from "./list-filters.ts";
import { namesOf, requireAssignee } from "./member-names.ts";
import { MAX_MESSAGES_READ, messagesWith, placeAfter } from "./search-messages.ts";
import { hasReturned, isListed, isSnoozed, wasNeverSnoozed } from "./snooze.ts";
import { containsInflectedWords, excerptOf, haveInflections, inflectionStems } from "./word-match-sql.ts";

/** Name of a test chat until its first question, which then becomes the name. */
const NEW_TEST_CHAT = "Тестовый чат";

/** The timestamp in microseconds: a cursor cut to milliseconds would skip or repeat rows. */
const exactly = sql<string>`to_char(${conversations.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const columns = { conversation: conversations, twinName: sql<string>`${twins.name}`, exactly };

async function toJson(db: Database, rows: readonly Row[]): Promise<Conversation[]> {
  const assigned = rows.flatMap(({ conversation: { assigneeId } }) => (assigneeId === null ? [] : [assigneeId]));
  const names = await namesOf(db, [...new Set(assigned)]);
  return rows.map((row) => rowToJson(row, names));
}

function rowToJson(
  { conversation, twinName, exactly, match, labels }: Row,
  names: ReadonlyMap<string, string>,
): Conversation {
  const { assigneeId } = conversation;
  return {
    id: conversation.id,
    twinId: conversation.twinId,
    twinName,
    participants: { name: conversation.participantName, status: conversation.status },
    platform: conversation.platform,
    lastMessage: conversation.lastMessage,
    messageCount: conversation.messageCount,
    createdAt: conversation.createdAt.toISOString(),
    updatedAt: conversation.updatedAt.toISOString(),
    lead: conversation.userId !== null ? null : isPaused(conversation) ? "me" : "twin",
    pausedUntil: isPaused(conversation) ? conversation.pausedUntil!.toISOString() : null,
    unread: conversation.unread,
    assignee: assigneeId === null ? null : { id: assigneeId, name: names.get(assigneeId) ?? "Бывший участник" },
    snoozedUntil: conversation.snoozedUntil?.toISOString() ?? null,
    labels,
    match: match ?? null,
    cursor: `${exactly},${conversation.id}`,
  };
}

const isPaused = ({ pausedUntil }: Pick<typeof conversations.$inferSelect, "pausedUntil">) =>
  pausedUntil !== null && pausedUntil > new Date();

type Row = {
  conversation: typeof conversations.$inferSelect;
  twinName: string;
  exactly: string;
  match?: string | null;
  labels: Label[];
};

/**
 * Lists at most `CONVERSATIONS_PAGE` conversations, newest first, those after `query.before` if given. The first page begins with
 * conversations whose snooze has ended; a later page may repeat them in their own place.
 */
export async function listConversations(
  db: Database,
  caller: Tenant,
  query: ConversationsQuery,
): Promise<Conversation[]> {
  const words = searchWords(query.q ?? "");
  const rows = await asTenant(db, caller, async (tx) => {
    const named = query.named !== undefined;
    const sought = words.length === 0 ? undefined : named ? foundByName(words) : await found(tx, caller, words);
    const before = query.before ? after(query.before) : undefined;
    const page = (which: SQL) =>
      tx
        .select({ ...columns, match: words.length > 0 && !named ? placeFound(caller, words) : sql<null>`null` })
        .from(conversations)
        // Every conversation has a twin, but for an inner join PostgreSQL expects so few rows that it sorts them all.
        .leftJoin(twins, eq(twins.id, conversations.twinId))
        .where(and(readableBy(caller), which, before, sought, ...filtersOf(caller, query)))
        .orderBy(desc(conversations.updatedAt), desc(conversations.id))
        .limit(CONVERSATIONS_PAGE);
    if (query.snoozed) return withLabels(tx, await page(isSnoozed));
    if (query.before) return withLabels(tx, await page(isListed));
    return withLabels(tx, [...(await page(hasReturned)), ...(await page(wasNeverSnoozed))]);
  });
  return toJson(db, rows);
}

async function withLabels<R extends Omit<Row, "labels">>(tx: Tx, rows: readonly R[]): Promise<(R & Row)[]> {
  const labels = await labelsOf(
    tx,
    rows.map(({ conversation }) => conversation.id),
  );
  return rows.map((row) => ({ ...row, labels: labels.get(row.conversation.id) ?? [] }));
}

/** SQL for the excerpt of the newest message that contains the words or their forms; null if only a name matches. */
function placeFound(caller: Tenant, words: readonly string[]): SQL<string | null> {
  return sql<string | null>`(
    select ${excerptOf(words, conversationMessages.content)} from ${conversationMessages}
    where ${conversationMessages.conversationId} = ${conversations.id} and ${containsInflectedWords(conversationMessages.content, words)}
      and ${isReadableMessage(caller)}
    order by ${conversationMessages.id} desc limit 1)`;
}

const after = (cursor: string): SQL => {
  const [at, id] = cursor.split(",");
  return sql`(${conversations.updatedAt}, ${conversations.id}) < (${at}::timestamptz, ${id}::uuid)`;
};

/** A test chat has no searchable name: its name is its first question, which is found among the messages. */
const contactName = sql`case when ${conversations.platform} = 'test' then '' else ${conversations.participantName} end`;

const NAMES = [contactName, twins.name];

/** SQL per word: one of the texts contains the word or a form of it. */
const inOneOf = (
  texts: readonly (typeof conversations.lastMessage | (typeof NAMES)[number])[],
  words: readonly string[],
) => words.map((word) => or(...texts.map((text) => containsInflectedWords(text, [word]))));

/** SQL condition: each word is in a name or the last message, and at least one is in a name. */
const foundByName = (words: readonly string[]): SQL | undefined =>
  and(or(...inOneOf(NAMES, words)), ...inOneOf([...NAMES, conversations.lastMessage], words));

/** SQL condition: each word is in a name or in the last message, or all of them are in one message, as typed or in another form. */
async function found(tx: Tx, caller: Tenant, words: readonly string[]): Promise<SQL | undefined> {
  const named = and(...inOneOf([...NAMES, conversations.lastMessage], words));
  const typed = await messagesWith(tx, words);
  const inForms = haveInflections(words) ? await messagesWith(tx, inflectionStems(words)) : typed;
  // If only the inflected forms are too common for the index, messages with the typed form are still found, however old.
  const ids = inForms ?? typed ?? [];
  const indexed =
    ids.length === 0
      ? undefined
      : sql`${conversations.id} in (
          select ${conversationMessages.conversationId} from ${conversationMessages}
          where ${conversationMessages.id} = any(${sql.param(ids)}::bigint[]) and ${containsInflectedWords(conversationMessages.content, words)}
            and ${isReadableMessage(caller)})`;
  if (inForms !== null) return or(named, indexed);
  const edge = await placeAfter(tx, caller, null, MAX_MESSAGES_READ);
  // With `exists`, PostgreSQL would read all these messages first. This subquery reads one conversation after another until the page is
  // full.
  const said = sql`(select true from ${conversationMessages} where ${conversationMessages.conversationId} = ${conversations.id}
    and ${conversationMessages.id} >= ${edge ?? 0} and ${containsInflectedWords(conversationMessages.content, words)}
    and ${isReadableMessage(caller)} limit 1)`;
  return or(named, indexed, said);
}

/** Counts customers' conversations; until there is one, test chats (docs/decisions/037-analytics-counts.md). */
export async function conversationTotals(db: Database, caller: Tenant): Promise<ConversationTotals> {
  const rows = await asTenant(db, caller, (tx) =>
    tx
      .select({
        ofContacts: sql<boolean>`${conversations.userId} is null`,
        conversations: sql<number>`count(*)::int`,
        active: sql<number>`(count(*) filter (where ${conversations.status} = 'active'))::int`,
        messages: sql<number>`coalesce(sum(${conversations.messageCount}), 0)::float8`,
        unread: sql<number>`(count(*) filter (where ${conversations.unread} > 0))::int`,
      })
      .from(conversations)
      .where(readableBy(caller))
      .groupBy(sql`1`),
  );
  const { ofContacts, ...totals } = rows.find((row) => row.ofContacts) ?? rows[0] ?? NO_TOTALS;
  return totals;
}

const NO_TOTALS = { ofContacts: true, conversations: 0, active: 0, messages: 0, unread: 0 };

/** @throws Problem 404 */
export async function getConversation(db: Database, caller: Tenant, id: string): Promise<Conversation> {
  const row = await asTenant(db, caller, (tx) => findConversation(tx, caller, id));
  return (await toJson(db, [row]))[0]!;
}

async function findConversation(tx: Tx, caller: Tenant, id: string): Promise<Row> {
  const [row] = await tx
    .select(columns)
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(conversations.id, id), readableBy(caller)));
  if (row === undefined) throw conversationNotFound();
  return (await withLabels(tx, [row]))[0]!;
}

/** Opens a test conversation, or returns the member's empty one. @throws Problem 404 */
export async function openTestConversation(db: Database, caller: Caller, { twinId }: ConversationInput) {
  const id = await asTenant(db, caller, async (tx) => {
    const { organizationId: orgId, userId } = caller;
    await getTwinRow(tx, caller, twinId);
    const [empty] = await tx
      .select({ id: conversations.id })
      .from(conversations)
      .where(
        and(
          eq(conversations.orgId, orgId),
          eq(conversations.twinId, twinId),
          eq(conversations.userId, userId),
          eq(conversations.messageCount, 0),
          eq(conversations.status, "active"),
          isNull(conversations.lastMessage),
          isNull(conversations.asked),
        ),
      )
      .limit(1);
    const [row] = empty
      ? [empty]
      : await tx
          .insert(conversations)
          .values({ orgId, twinId, userId, participantName: NEW_TEST_CHAT })
          .returning({ id: conversations.id });
    return (row as { id: string }).id;
  });
  return getConversation(db, caller, id);
}

/**
 * Closing does not move the conversation in the list, whose order is the time of the last message.
 * @throws Problem 404, also for an assignee who is not a member or only a viewer; 403; 422 for a test chat's assignee
 */
export async function updateConversation(
  db: Database,
  caller: Caller,
  id: string,
  { status, assigneeId }: ConversationUpdate,
): Promise<Conversation> {
  // Access to the conversation is checked before the assignee, so that an error about it comes first.
  await asTenant(db, caller, (tx) => canChangeConversation(tx, caller, id));
  if (assigneeId) await requireAssignee(db, caller.organizationId, assigneeId);
  await asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    const [row] = await tx
      .update(conversations)
      // The column is set to itself if nothing changes, because SQL rejects an UPDATE without columns.
      .set({ status: status ?? sql`${conversations.status}`, assigneeId })
      .where(and(eq(conversations.id, id), assigneeId ? isNotNull(conversations.contactId) : undefined))
      .returning({ id: conversations.id });
    if (row === undefined) throw unprocessable("no_contact", "Тестовый чат никому не поручают");
  });
  return getConversation(db, caller, id);
}

/** @throws Problem 404, 403 */
export function markRead(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    await tx
      .update(conversations)
      .set({
        unread: 0,
        // A conversation that returned from its snooze leaves the top once opened; a snoozed one stays snoozed.
        snoozedUntil: sql`case when ${isSnoozed} then ${conversations.snoozedUntil} end`,
      })
      .where(and(eq(conversations.id, id), or(gt(conversations.unread, 0), hasReturned)));
  });
}

/**
 * Deletes the conversation with its messages and their feedback. Before it returns, every send to the contact has arrived or was stopped.
 * @throws Problem 404, 403
 */
export async function removeConversation(deps: RemainsDeps, caller: Caller, id: string): Promise<void> {
  const { db } = deps;
  const claim = async (tx: Tx) => {
    await canChangeConversation(tx, caller, id);
    await tx.select({ id: conversations.id }).from(conversations).where(eq(conversations.id, id)).for("update");
    return { conversationId: id };
  };
  await drainThenDelete(db, caller, claim, async (tx) => {
    await forgetAnswersAbout(tx, [id]);
    const [gone] = await tx.delete(conversations).where(eq(conversations.id, id)).returning();
    const { userId, organizationId } = caller;
    const detail = { twinId: gone?.twinId };
    await auditInTenant(tx, { action: "conversation-deleted", userId, organizationId, subject: id, detail });
  });
  await removeMediaRemains(deps);
}
