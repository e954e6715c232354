/** Facts from the owner's messages, visible to him alone, and his decisions on them. */
import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import {
  type ChatFacts,
  FACTS_SHOWN,
  type FactDecision,
  type FactVariant,
  maskIn,
} from "#contract/knowledge/chat-facts.ts";
import { getOwnTwin, type TwinRow } from "#server/accounts/twins/twins.ts";
import { removeTaughtFact, teachFact } from "#server/knowledge/corrections/taught-facts.ts";
import { requestEmbeddings } from "#server/knowledge/embeddings/learn-embeddings.ts";
import type { QueryEmbedder } from "#server/knowledge/embeddings/query-embedder.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { corrections, declinedReplies, factProposals } from "#server/platform/db/schema/public-replies.ts";
import { notFound, unprocessable } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { type AlreadyPublished, loadAlreadyPublished } from "./already-published.ts";
import { decidedHash } from "./decided-hash.ts";
import { isSelfContainedQuestion } from "./self-contained-question.ts";

/** Milliseconds after which a search for facts counts as failed and the screen stops waiting. */
const LOOKED_FOR_MS = 10 * 60_000;
/** Time after a message whose messages are shown with it, because an answer often takes several. */
const FOLLOWING_MS = 10 * 60_000;

interface DecisionDeps {
  db: Database;
  jobs: Jobs;
  queryEmbedder: QueryEmbedder | null;
}

type Row = typeof factProposals.$inferSelect;

/** @throws Problem 404 when the twin is not the caller's own */
export function listFacts(db: Database, caller: Caller, twinId: string): Promise<ChatFacts> {
  return asTenant(db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId);
    const alreadyPublished = await loadAlreadyPublished(tx, twinId);
    const waiting = await loadFactsAwaitingDecision(tx, twinId, alreadyPublished);
    const current = await confirmedNow(tx, twinId);
    const shown = strongestFirst(waiting).slice(0, FACTS_SHOWN);
    const letters = await messagesOf(tx, shown);
    const [all] = await tx
      .select({ total: sql<number>`count(distinct ${factProposals.subject})::int` })
      .from(factProposals)
      .where(eq(factProposals.twinId, twinId));
    return {
      counts: { total: all?.total ?? 0, left: waiting.length },
      facts: shown.map(({ clear, variants }) => ({
        question: variants[0].question,
        variants: variants.map((row) => ({ ...toVariant(row), message: letters.get(row.replyExampleId)! })),
        current: current.get(variants[0].subject.toString("hex")) ?? alreadyPublished.findAnswer(variants[0].question),
        clear,
      })),
      looking: isLooking(twin),
    };
  });
}

type Variants = [Row, ...Row[]];

/**
 * Returns the proposals that the owner has neither confirmed nor rejected, grouped by question, without those that are published already.
 * @param alreadyPublished loaded here when the caller has not
 */
export async function loadFactsAwaitingDecision(
  tx: Tx,
  twinId: string,
  alreadyPublished?: AlreadyPublished,
): Promise<Variants[]> {
  const rows = await tx
    .select()
    .from(factProposals)
    .where(and(eq(factProposals.twinId, twinId), eq(factProposals.state, "proposed")))
    .orderBy(desc(factProposals.saidAt), desc(factProposals.id));
  if (rows.length === 0) return [];
  const published = alreadyPublished ?? (await loadAlreadyPublished(tx, twinId));
  const unpublished = await published.filterUnpublished(rows, (row) => ({ ...row, pairId: row.replyExampleId }));
  return [...Map.groupBy(unpublished, ({ subject }) => subject.toString("hex")).values()] as Variants[];
}

/** Sorts self-contained facts first, then by number of people, by frequency, and whole sentences first. */
function strongestFirst(all: readonly Variants[]): { variants: Variants; clear: boolean }[] {
  return all
    .map((variants) => ({
      variants,
      clear: isSelfContainedQuestion(variants[0].question),
      people: Math.max(...variants.map(({ people }) => people)),
      times: variants.reduce((sum, { times }) => sum + times, 0),
      whole: WHOLE.test(variants[0].reply),
    }))
    .sort(
      (a, b) =>
        Number(b.clear) - Number(a.clear) ||
        b.people - a.people ||
        b.times - a.times ||
        Number(b.whole) - Number(a.whole),
    );
}

const WHOLE = /^[«"(]?\p{Lu}.*[.!)»]$/su;

const toVariant = ({ id, reply, times, people, saidAt }: Row) => ({
  id: String(id),
  reply,
  times,
  people,
  saidAt: saidAt.toISOString(),
});

/** Returns the message that states each fact by its reply example, with the cursor of a page of the history that shows it. */
async function messagesOf(tx: Tx, shown: readonly { variants: Variants }[]) {
  const ids = shown.flatMap(({ variants }) => variants.map(({ replyExampleId }) => replyExampleId));
  if (ids.length === 0) return new Map<number, FactVariant["message"]>();
  const rows = await tx
    .select({ id: replyExamples.id, messageId: messages.id, sentAt: messages.sentAt })
    .from(replyExamples)
    .innerJoin(messages, eq(messages.id, replyExamples.replyMessageId))
    .where(inArray(replyExamples.id, ids));
  return new Map(
    rows.map(({ id, messageId, sentAt }) => [
      id,
      { id: String(messageId), before: `${(sentAt.getTime() + FOLLOWING_MS) * 1000}_0` },
    ]),
  );
}

function isLooking({ factsRevision, trainedRevision, styleProfile, lastTrainedAt }: TwinRow): boolean {
  const asked = factsRevision < trainedRevision && styleProfile !== null && lastTrainedAt !== null;
  return asked && Date.now() - lastTrainedAt.getTime() < LOOKED_FOR_MS;
}

async function confirmedNow(tx: Tx, twinId: string): Promise<Map<string, string>> {
  const rows = await tx
    .select({ subject: corrections.factSubject, text: corrections.text })
    .from(corrections)
    .where(and(eq(corrections.twinId, twinId), isNotNull(corrections.factSubject), eq(corrections.state, "active")));
  return new Map(rows.map(({ subject, text }) => [subject!.toString("hex"), text]));
}

/**
 * Decides on all answers to one subject: confirming one settles the others, rejecting settles all.
 * @throws Problem 404; 422 when the text contains data of one person
 */
export function decideFact(
  deps: DecisionDeps,
  caller: Caller,
  twinId: string,
  factId: string,
  decision: FactDecision,
): Promise<void> {
  return asTenant(deps.db, caller, async (tx) => {
    const twin = await getOwnTwin(tx, caller, twinId, { lock: true });
    const [chosen] = await tx
      .select()
      .from(factProposals)
      .where(and(eq(factProposals.id, Number(factId)), eq(factProposals.twinId, twinId)));
    if (chosen === undefined) throw notFound("Этого факта больше нет: переписка изменилась", "fact_not_found");
    if (decision.decision === "reopen") return reopen(tx, caller, twin, chosen);
    if (chosen.state !== "proposed") return;
    if (decision.decision === "reject") return settle(tx, chosen);
    const { question, text } = decision;
    const mask = maskIn(question) ?? maskIn(text);
    if (mask !== null) {
      throw unprocessable("masked_fact", `Замените «${mask}» своими словами или уберите: двойник скажет факт всем.`);
    }
    // Facts are proposed for publication, and only the owner confirms them.
    const to = { everybody: true } as const;
    const taught = await teachFact(tx, twin, caller.userId, { question, text, to, subject: chosen.subject });
    await settle(tx, chosen);
    await tx
      .update(factProposals)
      .set({ state: "confirmed", ...taught })
      .where(eq(factProposals.id, chosen.id));
    // Has the question embedded, so that it is found in other words too.
    await requestEmbeddings(tx, deps, { ...caller, twinId });
  });
}

/** Marks all proposals of the subject as settled, so that they are not proposed again. */
async function settle(tx: Tx, { orgId, twinId, subject }: Row): Promise<void> {
  const settled = await tx
    .update(factProposals)
    .set({ state: "rejected", decidedAt: new Date() })
    .where(
      and(eq(factProposals.twinId, twinId), eq(factProposals.subject, subject), eq(factProposals.state, "proposed")),
    )
    .returning();
  const hashes = settled.map((row) => ({ orgId, twinId, contentHash: decidedHash(row) }));
  await tx.insert(declinedReplies).values(hashes).onConflictDoNothing();
}

/** Withdraws one decision as a whole; earlier ones stay. */
async function reopen(tx: Tx, caller: Caller, twin: TwinRow, { twinId, subject, decidedAt }: Row): Promise<void> {
  if (decidedAt === null) return;
  const together = and(
    eq(factProposals.twinId, twinId),
    eq(factProposals.subject, subject),
    eq(factProposals.decidedAt, decidedAt),
  );
  const rows = await tx.select().from(factProposals).where(together);
  const confirmed = rows.find(({ state }) => state === "confirmed");
  if (confirmed !== undefined) await removeTaughtFact(tx, twin, caller.userId, confirmed);
  await tx
    .update(factProposals)
    .set({ state: "proposed", decidedAt: null, correctionId: null, replacedId: null })
    .where(together);
  await tx
    .delete(declinedReplies)
    .where(and(eq(declinedReplies.twinId, twinId), inArray(declinedReplies.contentHash, rows.map(decidedHash))));
}
