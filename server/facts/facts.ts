/** What the owner, and nobody else, sees of the facts in his letters, and what he decides about each. */
import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { type ChatFacts, FACTS_SHOWN, type FactDecision, maskIn } from "#contract/chat-facts.ts";
import { takeFactBack, teachFact } from "#server/corrections/taught-facts.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { corrections, declinedReplies, factProposals } from "#server/db/schema.ts";
import { notFound, unprocessable } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { requestMeanings } from "#server/search/meaning/learn-meanings.ts";
import type { Meanings } from "#server/search/meaning/meanings.ts";
import { getOwnTwin, type TwinRow } from "#server/twins/twins.ts";
import { decidedHash } from "./decided.ts";

/** A search that has not ended by then has failed: nobody waits for it any more. */
const LOOKED_FOR_MS = 10 * 60_000;

interface DecisionDeps {
  db: Database;
  jobs: Jobs;
  meanings: Meanings | null;
}

type Row = typeof factProposals.$inferSelect;

/** @throws Problem 404: no twin of the viewer's own */
export function listFacts(db: Database, viewer: Viewer, twinId: string): Promise<ChatFacts> {
  return asTenant(db, viewer, async (tx) => {
    const twin = await getOwnTwin(tx, viewer, twinId);
    const rows = await tx
      .select()
      .from(factProposals)
      .where(and(eq(factProposals.twinId, twinId), eq(factProposals.state, "proposed")))
      .orderBy(desc(factProposals.saidAt), desc(factProposals.id));
    const groups = Map.groupBy(rows, ({ subject }) => subject.toString("hex"));
    const shown = [...groups].sort(([, a], [, b]) => weightOf(b) - weightOf(a)).slice(0, FACTS_SHOWN);
    const current = await confirmedNow(tx, twinId);
    const [all] = await tx
      .select({ total: sql<number>`count(distinct ${factProposals.subject})::int` })
      .from(factProposals)
      .where(eq(factProposals.twinId, twinId));
    return {
      counts: { total: all?.total ?? 0, left: groups.size },
      facts: shown.map(([subject, variants]) => ({
        question: variants[0]!.question,
        variants: variants.map(toVariant),
        current: current.get(subject) ?? null,
      })),
      looking: isLooking(twin),
    };
  });
}

/** Told to the most people first, then the most often. */
const weightOf = (variants: readonly Row[]): number =>
  Math.max(...variants.map(({ people }) => people)) * 1000 +
  Math.min(
    999,
    variants.reduce((sum, { times }) => sum + times, 0),
  );

const toVariant = ({ id, reply, times, people, saidAt }: Row) => ({
  id: String(id),
  reply,
  times,
  people,
  saidAt: saidAt.toISOString(),
});

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
 * One decision for all that the letters say of its subject: a confirmed answer settles the others, a rejection all of them.
 * @throws Problem 404; 422: it holds what belongs to one person
 */
export function decideFact(
  deps: DecisionDeps,
  viewer: Viewer,
  twinId: string,
  factId: string,
  decision: FactDecision,
): Promise<void> {
  return asTenant(deps.db, viewer, async (tx) => {
    const twin = await getOwnTwin(tx, viewer, twinId, { lock: true });
    const [chosen] = await tx
      .select()
      .from(factProposals)
      .where(and(eq(factProposals.id, Number(factId)), eq(factProposals.twinId, twinId)));
    if (chosen === undefined) throw notFound("Этого факта больше нет: переписка изменилась", "fact_not_found");
    if (decision.decision === "reopen") return reopen(tx, viewer, twin, chosen);
    // Asked twice, it is done once.
    if (chosen.state !== "proposed") return;
    if (decision.decision === "reject") return settle(tx, chosen);
    const { question, text } = decision;
    const mask = maskIn(question) ?? maskIn(text);
    if (mask !== null) {
      throw unprocessable("masked_fact", `Замените «${mask}» своими словами или уберите: двойник скажет факт всем.`);
    }
    const taught = await teachFact(tx, twin, viewer.userId, { question, text, subject: chosen.subject });
    await settle(tx, chosen);
    await tx
      .update(factProposals)
      .set({ state: "confirmed", ...taught })
      .where(eq(factProposals.id, chosen.id));
    // Its question is to be found in other words too.
    await requestMeanings(tx, deps, { ...viewer, twinId });
  });
}

/** What was proposed of the subject is proposed no more, also when it is found again. */
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

/** One decision, whole; those before it stay. */
async function reopen(tx: Tx, viewer: Viewer, twin: TwinRow, { twinId, subject, decidedAt }: Row): Promise<void> {
  if (decidedAt === null) return;
  const together = and(
    eq(factProposals.twinId, twinId),
    eq(factProposals.subject, subject),
    eq(factProposals.decidedAt, decidedAt),
  );
  const rows = await tx.select().from(factProposals).where(together);
  const confirmed = rows.find(({ state }) => state === "confirmed");
  if (confirmed !== undefined) await takeFactBack(tx, twin, viewer.userId, confirmed);
  await tx
    .update(factProposals)
    .set({ state: "proposed", decidedAt: null, correctionId: null, replacedId: null })
    .where(together);
  await tx
    .delete(declinedReplies)
    .where(and(eq(declinedReplies.twinId, twinId), inArray(declinedReplies.contentHash, rows.map(decidedHash))));
}
