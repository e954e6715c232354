/** Beside a draft: what its owner has answered to the like message before, for him to take in its place. */
import { eq, inArray } from "drizzle-orm";
import { MOST_PAST_REPLIES, type PastReply } from "#contract/approvals.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { contacts, conversations, outbox, twins } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import { personalSpans } from "#server/facts/personal-data.ts";
import type { Viewer } from "#server/http.ts";
import { contactNamesOf } from "#server/knowledge/exemplars.ts";
import { keyOf } from "#server/open-replies/alike.ts";
import { canChange } from "#server/organizations/access.ts";
import { surestFirst } from "#server/replies/reading/answer-by-meaning.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { type ExemplarHit, type OpenHit, searchTwin } from "#server/search/twin-index.ts";
import { audienceOf } from "#server/search/twin-units.ts";

/** Found, of which repeated ones are left out. */
const CANDIDATES = 12;
/** Below it the messages have hardly a word in common. */
const LIKE = 0.3;
/** Characters: what was asked is there to recognise the talk by. */
const LONGEST_QUESTION = 300;

/**
 * To the twin's owner his own letters, whoever got them; to whoever else may decide about the draft what everybody may be told, for the
 * letters are the owner's (docs/decisions/031). Best first; none where nothing was asked or the draft is decided on.
 * @throws Problem 404, 403
 */
export async function pastReplies(
  { db, meanings }: { db: Database; meanings: Meanings | null },
  viewer: Viewer,
  id: string,
): Promise<PastReply[]> {
  const draft = await asTenant(db, viewer, (tx) => draftOf(tx, id));
  if (draft === undefined) throw notFound("Ответ не найден", "approval_not_found");
  const { twin, question, state, author, contactId } = draft;
  canChange(viewer, twin);
  if (question.trim() === "" || state !== "draft" || author !== null) return [];
  const meaning = (await meanings?.of(question)) ?? null;
  return asTenant(db, viewer, async (tx) => {
    const audience = audienceOf(viewer, twin);
    const kinds = audience.kind === "owner" ? (["exemplar"] as const) : (["open"] as const);
    const about = { twinId: twin.id, audience, query: question, kinds, limit: CANDIDATES, meaning };
    const hits = surestFirst(await searchTwin<"exemplar" | "open">(tx, about));
    const chosen = distinct(hits.filter(({ confidence }) => confidence >= LIKE)).slice(0, MOST_PAST_REPLIES);
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

type Hit = ExemplarHit | OpenHit;

/** The same said in the same words stands there once. */
function distinct(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ reply }) => {
    const key = keyOf(reply) ?? reply.trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

async function described(tx: Tx, twinId: string, contactId: number | null, hits: readonly Hit[]): Promise<PastReply[]> {
  const names = await contactNamesOf(tx, twinId);
  const ids = hits.flatMap((hit) => (hit.kind === "exemplar" ? [hit.contactId] : []));
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
      question: hit.incoming.slice(0, LONGEST_QUESTION),
      reply: hit.reply,
      repliedAt: hit.repliedAt.toISOString(),
      // What was said to this very person is theirs.
      personal: sameContact ? [] : personalSpans(hit.reply, names).map(({ start, end }) => ({ start, end })),
    };
  });
}
