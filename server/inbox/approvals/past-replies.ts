/** The owner's past replies to similar messages, shown beside a draft so that he can use one instead. */
import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import { MAX_PAST_REPLIES, type PastReply } from "#contract/conversations/approvals.ts";
import { canChange } from "#server/accounts/organizations/access.ts";
import { sortByConfidence } from "#server/answers/replies/sort-by-confidence.ts";
import { canChangeConversation } from "#server/inbox/conversations/access.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { audienceOf } from "#server/knowledge/embeddings/twin-units.ts";
import { personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import { keyOf } from "#server/knowledge/public-replies/near-duplicates.ts";
import { type OpenHit, type ReplyExampleHit, searchTwin } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { conversationMessages, conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

/** Number of pairs that are found; repetitions among them are dropped. */
const CANDIDATES = 12;
/** Similarity below which messages have hardly a word in common. */
const LIKE = 0.3;
/** Characters after which a past question is cut. The member recognises the conversation by its beginning. */
const MAX_QUESTION_CHARACTERS = 300;

interface PastReplyDeps {
  db: Database;
  queryEmbedder: QueryEmbedder | null;
}

/**
 * Returns past replies, best first; none without a question or after the decision. The twin's owner gets all his replies. Other members who
 * may decide get only published ones, because his messages are private (docs/decisions/021-shared-past-replies.md).
 * @throws Problem 404, 403
 */
export async function pastReplies(deps: PastReplyDeps, caller: Caller, id: string): Promise<PastReply[]> {
  const { db } = deps;
  const draft = await asTenant(db, caller, (tx) => draftOf(tx, id));
  if (draft === undefined) throw notFound("Ответ не найден", "approval_not_found");
  const { twin, question, state, author, contactId } = draft;
  canChange(caller, twin);
  if (state !== "draft" || author !== null) return [];
  return pastRepliesTo(deps, caller, { twin, contactId, question });
}

/**
 * Returns replies to the contact's last unanswered message, for an owner who has taken over. The same rules apply.
 * @throws Problem 404, 403
 */
export async function pastRepliesToContact(deps: PastReplyDeps, caller: Caller, id: string): Promise<PastReply[]> {
  const asked = await asTenant(deps.db, caller, async (tx) => {
    await canChangeConversation(tx, caller, id);
    return lastContactMessage(tx, id);
  });
  return asked === undefined ? [] : pastRepliesTo(deps, caller, asked);
}

/** Returns undefined in a test chat, and when the last message is not the contact's. */
async function lastContactMessage(tx: Tx, conversationId: string): Promise<Asked | undefined> {
  const [row] = await tx
    .select({
      question: conversationMessages.content,
      role: conversationMessages.role,
      contactId: conversations.contactId,
      twin: { id: twins.id, orgId: twins.orgId, ownerId: twins.ownerId },
    })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.id, conversationMessages.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(conversationMessages.conversationId, conversationId), isNull(conversations.userId)))
    .orderBy(desc(conversationMessages.id))
    .limit(1);
  return row?.role === "user" ? row : undefined;
}

interface Asked {
  twin: { id: string; orgId: string; ownerId: string };
  contactId: number | null;
  question: string;
}

async function pastRepliesTo(
  { db, queryEmbedder }: PastReplyDeps,
  caller: Caller,
  { twin, contactId, question }: Asked,
): Promise<PastReply[]> {
  if (question.trim() === "") return [];
  const queryEmbedding = (await queryEmbedder?.of(question)) ?? null;
  return asTenant(db, caller, async (tx) => {
    const audience = audienceOf(caller, twin);
    const kinds = audience.kind === "owner" ? (["example"] as const) : (["open"] as const);
    const about = { twinId: twin.id, audience, query: question, kinds, limit: CANDIDATES, queryEmbedding };
    const hits = sortByConfidence(await searchTwin<"example" | "open">(tx, about));
    const chosen = distinct(hits.filter(({ confidence }) => confidence >= LIKE)).slice(0, MAX_PAST_REPLIES);
    return chosen.length === 0 ? [] : described(tx, twin.id, contactId, chosen);
  });
}

async function draftOf(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      question: outbox.question,
      state: outbox.state,
      author: outbox.author,
      contactId: conversations.contactId,
      twin: { id: twins.id, orgId: twins.orgId, ownerId: twins.ownerId },
    })
    .from(outbox)
    .innerJoin(conversations, eq(conversations.id, outbox.conversationId))
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(eq(outbox.id, id));
  return row;
}

type Hit = ReplyExampleHit | OpenHit;

function distinct(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ reply }) => {
    const key = keyOf(reply) ?? reply.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

async function described(tx: Tx, twinId: string, contactId: number | null, hits: readonly Hit[]): Promise<PastReply[]> {
  const names = await contactNamesOf(tx, twinId);
  const ids = hits.flatMap((hit) => (hit.kind === "example" ? [hit.contactId] : []));
  const people = ids.length === 0 ? [] : await tx.select().from(contacts).where(inArray(contacts.id, ids));
  const nameOf = new Map(people.map((person) => [person.id, person.name]));
  return hits.map((hit) => {
    if (hit.kind === "open") {
      const { question, reply } = hit;
      return { contactName: null, sameContact: false, question, reply, repliedAt: null, personal: [] };
    }
    const sameContact = hit.contactId === contactId;
    return {
      contactName: nameOf.get(hit.contactId) ?? "",
      sameContact,
      question: hit.incoming.slice(0, MAX_QUESTION_CHARACTERS),
      reply: hit.reply,
      repliedAt: hit.repliedAt.toISOString(),
      // Data in a reply to this very person is not another person's.
      personal: sameContact ? [] : personalSpans(hit.reply, names).map(({ start, end }) => ({ start, end })),
    };
  });
}
