/** The job after each training that proposes to the owner what his letters say (docs/decisions/055). */
import { and, eq, getTableColumns, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { declinedReplies, exemplars, factProposals, twins } from "#server/db/schema.ts";
import type { Jobs } from "#server/jobs/queue.ts";
import { decidedHash } from "./decided.ts";
import { type GatheredFact, gatherFacts } from "./gather-facts.ts";

/** Things that the owner is asked about at once. */
const MOST_PROPOSED = 200;

type TwinData = Tenant & { twinId: string };

/** Without the twin it ends at once. Run again without changes it changes nothing. */
export async function findFacts({ db }: { db: Database }, data: TwinData, signal: AbortSignal): Promise<void> {
  const revision = await asTenant(db, data, (tx) => revisionOf(tx, data.twinId));
  if (revision === null) return;
  const gathered = await gatherFacts(db, data, data.twinId, signal);
  signal.throwIfAborted();
  await asTenant(db, data, async (tx) => {
    // The twin first, as everyone who changes what it knows.
    const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, data.twinId)).for("no key update");
    if (twin === undefined) return;
    await propose(tx, data, gathered);
    await tx.update(twins).set({ factsRevision: revision }).where(eq(twins.id, data.twinId));
  });
}

/** For the start of the server: twins that were trained before facts were looked for, or whose job has used up its tries. */
export async function resumeFacts({ db, jobs }: { db: Database; jobs: Jobs }): Promise<void> {
  const behind = await asPlatform(db, (tx) =>
    tx
      .select({ twinId: twins.id, organizationId: twins.orgId, userId: twins.ownerId })
      .from(twins)
      .where(and(lt(twins.factsRevision, twins.trainedRevision), isNotNull(twins.styleProfile))),
  );
  for (const twin of behind) await asTenant(db, twin, (tx) => jobs.enqueue(tx, "find-facts", twin));
}

async function revisionOf(tx: Tx, twinId: string): Promise<number | null> {
  const [twin] = await tx.select({ revision: twins.trainedRevision }).from(twins).where(eq(twins.id, twinId));
  return twin?.revision ?? null;
}

async function propose(
  tx: Tx,
  { organizationId, twinId }: TwinData,
  gathered: readonly GatheredFact[][],
): Promise<void> {
  const wanted = await stillThere(tx, twinId, await undecided(tx, twinId, gathered));
  const chosen = wanted
    .sort((a, b) => peopleOf(b) - peopleOf(a) || timesOf(b) - timesOf(a) || newestOf(b) - newestOf(a))
    .slice(0, MOST_PROPOSED)
    .flat();
  const kept = sql.param(chosen.map(({ exemplarId }) => exemplarId));
  // What stays keeps its id: its owner may be deciding about it just now. What he has decided on is left alone.
  await tx
    .delete(factProposals)
    .where(
      and(
        eq(factProposals.twinId, twinId),
        eq(factProposals.state, "proposed"),
        sql`${factProposals.exemplarId} <> all(${kept}::bigint[])`,
      ),
    );
  if (chosen.length === 0) return;
  const rows = chosen.map(({ people, ...fact }) => ({ orgId: organizationId, twinId, ...fact, people: people.size }));
  const { exemplarId, question, reply, times, people, saidAt } = getTableColumns(factProposals);
  const columns = { exemplarId, question, reply, times, people, saidAt };
  await tx
    .insert(factProposals)
    .values(rows)
    .onConflictDoUpdate({
      target: [factProposals.twinId, factProposals.subject, factProposals.value],
      set: Object.fromEntries(
        Object.entries(columns).map(([key, column]) => [key, sql.raw(`excluded."${column.name}"`)]),
      ),
      setWhere: eq(factProposals.state, "proposed"),
    });
}

const peopleOf = (variants: readonly GatheredFact[]) => Math.max(...variants.map(({ people }) => people.size));
const timesOf = (variants: readonly GatheredFact[]) => variants.reduce((sum, { times }) => sum + times, 0);
const newestOf = (variants: readonly GatheredFact[]) => variants[0]!.saidAt.getTime();

/** Without what the owner has decided on, and without what he had said before that. */
async function undecided(tx: Tx, twinId: string, gathered: readonly GatheredFact[][]): Promise<GatheredFact[][]> {
  const hashes = await tx
    .select({ hash: declinedReplies.contentHash })
    .from(declinedReplies)
    .where(eq(declinedReplies.twinId, twinId));
  const decided = new Set(hashes.map(({ hash }) => hash.toString("hex")));
  const rows = await tx
    .select({ subject: factProposals.subject, until: sql<string>`max(${factProposals.saidAt})` })
    .from(factProposals)
    .where(and(eq(factProposals.twinId, twinId), inArray(factProposals.state, ["confirmed", "rejected"])))
    .groupBy(factProposals.subject);
  const until = new Map(rows.map((row) => [row.subject.toString("hex"), new Date(row.until).getTime()]));
  return gathered
    .map((variants) =>
      variants.filter(
        (fact) =>
          !decided.has(decidedHash(fact).toString("hex")) &&
          fact.saidAt.getTime() > (until.get(fact.subject.toString("hex")) ?? Number.NEGATIVE_INFINITY),
      ),
    )
    .filter((variants) => variants.length > 0);
}

/** Without what has gone since it was read; the training that follows looks anew. */
async function stillThere(tx: Tx, twinId: string, gathered: readonly GatheredFact[][]): Promise<GatheredFact[][]> {
  const ids = sql.param(gathered.flatMap((variants) => variants.map(({ exemplarId }) => exemplarId)));
  const rows = await tx
    .select({ id: exemplars.id })
    .from(exemplars)
    .where(and(eq(exemplars.twinId, twinId), sql`${exemplars.id} = any(${ids}::bigint[])`))
    .for("key share");
  const there = new Set(rows.map(({ id }) => id));
  return gathered
    .map((variants) => variants.filter(({ exemplarId }) => there.has(exemplarId)))
    .filter((variants) => variants.length > 0);
}
