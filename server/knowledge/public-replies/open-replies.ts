/** The owner's published and proposed replies, and how he publishes and withdraws them. */
import { and, count, countDistinct, desc, eq, exists, ilike, inArray, not, or, sql } from "drizzle-orm";
import {
  MAX_FOUND,
  MAX_OPENED,
  type OpenInput,
  type OpenReplies,
  type OpenReply,
  type PrivatePair,
} from "#contract/knowledge/open-replies.ts";
import { countReplyExamples } from "#server/accounts/twins/training.ts";
import { getOwnTwin } from "#server/accounts/twins/twins.ts";
import { requestEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { loadAlreadyPublished } from "#server/knowledge/facts/already-published.ts";
import { isSelfContainedQuestion } from "#server/knowledge/facts/self-contained-question.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { searchTwin } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import {
  declinedReplies,
  openReplies,
  openReplyWitnesses,
  replyProposals,
} from "#server/platform/db/schema/public-replies.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { hashOf } from "./keep-recurring.ts";

const SHOWN = 200;
const SHOWN_PROPOSALS = 30;
const NEWEST = 50;
/**
 * Length in characters beyond which a reply is no more informative. Proposals are ranked by informativeness and people; a farewell recurs
 * too, but publishing it helps nobody.
 */
const TELLING = 200;

type Row = typeof openReplies.$inferSelect;

interface OpenDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
}

/** @throws Problem 404 when the twin is not the caller's own */
export function listOpenReplies(db: Database, caller: Caller, twinId: string, search = ""): Promise<OpenReplies> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId);
    const words = search.trim();
    const like = `%${words.replace(/[\\%_]/g, "\\$&")}%`;
    const sought = words === "" ? undefined : or(ilike(openReplies.question, like), ilike(openReplies.reply, like));
    const rows = await tx
      .select()
      .from(openReplies)
      .where(and(eq(openReplies.twinId, twinId), sought))
      // Withdrawn replies come last; the others are sorted by age, newest first.
      .orderBy(desc(openReplies.state), desc(openReplies.id))
      .limit(SHOWN);
    const proposals = await proposalsOf(tx, twinId);
    return {
      counts: await countAll(tx, twinId, proposals.length),
      replies: rows.map(toJson),
      proposals: words === "" ? proposals.slice(0, SHOWN_PROPOSALS) : [],
      found: words === "" ? await newestPairs(tx, twinId) : await privatePairs(tx, twinId, words),
    };
  });
}

async function countAll(tx: Tx, twinId: string, proposals: number): Promise<OpenReplies["counts"]> {
  const groups = await tx
    .select({ origin: openReplies.origin, state: openReplies.state, total: count() })
    .from(openReplies)
    .where(eq(openReplies.twinId, twinId))
    .groupBy(openReplies.origin, openReplies.state);
  const of = (test: (group: (typeof groups)[number]) => boolean) =>
    groups.filter(test).reduce((sum, { total }) => sum + total, 0);
  const [witnesses] = await tx
    .select({ total: countDistinct(openReplyWitnesses.replyExampleId) })
    .from(openReplyWitnesses)
    .innerJoin(openReplies, eq(openReplies.id, openReplyWitnesses.openReplyId))
    .where(eq(openReplies.twinId, twinId));
  const replies = await countReplyExamples(tx, twinId);
  const ofOwner = of(({ origin }) => origin === "opened");
  return {
    replies,
    private: Math.max(0, replies - ofOwner - (witnesses?.total ?? 0)),
    opened: of(({ origin, state }) => origin === "opened" && state === "open"),
    recurring: of(({ origin, state }) => origin === "recurring" && state === "open"),
    closed: of(({ state }) => state === "closed"),
    proposals,
  };
}

function waits(tx: Tx, twinId: string) {
  const opened = tx
    .select({ id: openReplies.id })
    .from(openReplies)
    .innerJoin(replyExamples, eq(replyExamples.replyMessageId, openReplies.replyMessageId))
    .where(eq(replyExamples.id, replyProposals.replyExampleId));
  return and(eq(replyProposals.twinId, twinId), eq(replyProposals.skipped, false), not(exists(opened)));
}

const pairColumns = {
  id: replyExamples.id,
  contactName: contacts.name,
  incoming: replyExamples.incoming,
  reply: replyExamples.reply,
  repliedAt: replyExamples.repliedAt,
};

const toPair = (row: { id: number; contactName: string; incoming: string; reply: string; repliedAt: Date }) => ({
  ...row,
  id: String(row.id),
  repliedAt: row.repliedAt.toISOString(),
});

/** Proposals whose answer is already published are left out. */
async function proposalsOf(tx: Tx, twinId: string): Promise<OpenReplies["proposals"]> {
  const rows = await tx
    .select({
      id: replyProposals.id,
      reason: replyProposals.reason,
      people: replyProposals.people,
      pair: pairColumns,
    })
    .from(replyProposals)
    .innerJoin(replyExamples, eq(replyExamples.id, replyProposals.replyExampleId))
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .where(waits(tx, twinId))
    .orderBy(
      desc(sql`${replyProposals.people} * least(length(${replyExamples.reply}), ${TELLING})`),
      replyProposals.id,
    );
  if (rows.length === 0) return [];
  const told = await loadAlreadyPublished(tx, twinId);
  const untold = await told.filterUnpublished(rows, ({ pair }) => ({
    ...{ question: pair.incoming, reply: pair.reply, pairId: pair.id, saidAt: pair.repliedAt },
  }));
  const proposals = untold.map(({ id, pair, ...rest }) => ({
    ...{ id: String(id), pair: toPair(pair), clear: isSelfContainedQuestion(pair.incoming) },
    ...rest,
  }));
  return proposals.sort((a, b) => Number(b.clear) - Number(a.clear));
}

/** The newest reply examples that no row of `open_replies` stands for. */
async function newestPairs(tx: Tx, twinId: string): Promise<PrivatePair[]> {
  const opened = tx
    .select({ id: openReplies.id })
    .from(openReplies)
    .where(eq(openReplies.replyMessageId, replyExamples.replyMessageId));
  const witnessed = tx
    .select({ id: openReplyWitnesses.openReplyId })
    .from(openReplyWitnesses)
    .where(eq(openReplyWitnesses.replyExampleId, replyExamples.id));
  const rows = await tx
    .select(pairColumns)
    .from(replyExamples)
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .where(and(eq(replyExamples.twinId, twinId), not(exists(opened)), not(exists(witnessed))))
    // By id, which the twin's index is sorted by, because an account may have a hundred thousand examples.
    .orderBy(desc(replyExamples.twinId), desc(replyExamples.id))
    .limit(NEWEST);
  return rows.map(toPair);
}

async function privatePairs(tx: Tx, twinId: string, query: string): Promise<PrivatePair[]> {
  const hits = await searchTwin(tx, {
    twinId,
    query,
    audience: { kind: "owner" },
    kinds: ["example"],
    limit: MAX_FOUND,
  });
  if (hits.length === 0) return [];
  const rows = await tx
    .select(pairColumns)
    .from(replyExamples)
    .innerJoin(contacts, eq(contacts.id, replyExamples.contactId))
    .leftJoin(openReplies, eq(openReplies.replyMessageId, replyExamples.replyMessageId))
    .where(
      and(
        inArray(
          replyExamples.id,
          hits.map(({ id }) => id),
        ),
        sql`${openReplies.id} is null`,
      ),
    );
  const places = new Map(hits.map(({ id }, place) => [id, place]));
  return rows.sort((a, b) => places.get(a.id)! - places.get(b.id)!).map(toPair);
}

/** @throws Problem 404; 409 when it is published already, or too many are; 422 */
export function openReply(
  deps: OpenDeps,
  caller: Caller,
  twinId: string,
  { pairId, question, reply }: OpenInput,
): Promise<OpenReply> {
  return asTenant(deps.db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    if (claimsToBeHuman(reply)) {
      throw unprocessable("human_claim", "Двойник не может говорить, что он живой человек: уберите это из ответа");
    }
    const [pair] = await tx
      .select({ contactId: replyExamples.contactId, replyMessageId: replyExamples.replyMessageId })
      .from(replyExamples)
      .innerJoin(chats, eq(chats.id, replyExamples.chatId))
      .where(and(eq(replyExamples.id, Number(pairId)), eq(replyExamples.twinId, twinId)));
    if (pair === undefined) throw notFound("Такого ответа в истории больше нет", "pair_not_found");
    const [known] = await tx.select({ total: count() }).from(openReplies).where(eq(openReplies.twinId, twinId));
    if ((known?.total ?? 0) >= MAX_OPENED)
      throw conflict("too_many_open", `Открытых ответов уже ${MAX_OPENED}: закройте лишние`);
    const [row] = await tx
      .insert(openReplies)
      .values({ orgId: caller.organizationId, twinId, origin: "opened", question, reply, ...pair })
      .onConflictDoNothing()
      .returning();
    if (row === undefined) throw conflict("already_open", "Этот ответ уже открыт или был закрыт: он есть в списке");
    await requestEmbeddings(tx, deps, { ...caller, twinId });
    // It may answer what the twin could not.
    const { organizationId, userId } = caller;
    await deps.jobs.enqueue(tx, "close-gaps", { organizationId, userId, twinId });
    return toJson(row);
  });
}

/**
 * Publishes or withdraws a reply. A withdrawn one is used in no answer or prompt from now on, and a recurring one is not published
 * automatically again.
 * @throws Problem 404
 */
export function setOpen(db: Database, caller: Caller, twinId: string, id: string, open: boolean): Promise<OpenReply> {
  return asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const [row] = await tx
      .update(openReplies)
      .set({ state: open ? "open" : "closed", changedAt: new Date() })
      .where(and(eq(openReplies.id, Number(id)), eq(openReplies.twinId, twinId)))
      .returning();
    if (row === undefined) throw replyNotFound();
    if (row.origin === "recurring") await decline(tx, caller, twinId, await wordingsOf(tx, row), !open);
    return toJson(row);
  });
}

async function wordingsOf(tx: Tx, { id, reply }: Row): Promise<string[]> {
  const said = await tx
    .select({ reply: replyExamples.reply })
    .from(openReplyWitnesses)
    .innerJoin(replyExamples, eq(replyExamples.id, openReplyWitnesses.replyExampleId))
    .where(eq(openReplyWitnesses.openReplyId, id));
  return [reply, ...said.map((one) => one.reply)];
}

async function decline(
  tx: Tx,
  caller: Caller,
  twinId: string,
  replies: readonly string[],
  declined: boolean,
): Promise<void> {
  const hashes = [...new Set(replies.map(hashOf))].map((hash) => Buffer.from(hash, "hex"));
  if (!declined) {
    await tx
      .delete(declinedReplies)
      .where(and(eq(declinedReplies.twinId, twinId), inArray(declinedReplies.contentHash, hashes)));
    return;
  }
  const rows = hashes.map((contentHash) => ({ orgId: caller.organizationId, twinId, contentHash }));
  await tx.insert(declinedReplies).values(rows).onConflictDoNothing();
}

/** Removes a reply that the owner has published. @throws Problem 404 */
export async function removeOpenReply(db: Database, caller: Caller, twinId: string, id: string): Promise<void> {
  await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const gone = await tx
      .delete(openReplies)
      .where(and(eq(openReplies.id, Number(id)), eq(openReplies.twinId, twinId), eq(openReplies.origin, "opened")));
    if (gone.rowCount === 0) throw replyNotFound();
  });
}

/** Sets whether the owner is asked about the proposal again. @throws Problem 404 */
export async function skipProposal(
  db: Database,
  caller: Caller,
  twinId: string,
  id: string,
  skipped: boolean,
): Promise<void> {
  await asTenant(db, caller, async (tx) => {
    await getOwnTwin(tx, caller, twinId, { lock: true });
    const [row] = await tx
      .update(replyProposals)
      .set({ skipped })
      .from(replyExamples)
      .where(
        and(
          eq(replyProposals.id, Number(id)),
          eq(replyProposals.twinId, twinId),
          eq(replyExamples.id, replyProposals.replyExampleId),
        ),
      )
      .returning({ reply: replyExamples.reply });
    if (row === undefined) throw notFound("Такого предложения больше нет", "proposal_not_found");
    await decline(tx, caller, twinId, [row.reply], skipped);
  });
}

const replyNotFound = () => notFound("Открытый ответ не найден", "open_reply_not_found");

const toJson = ({ id, origin, question, reply, people, state }: Row): OpenReply => ({
  id: String(id),
  origin,
  question,
  reply,
  people,
  state,
});
