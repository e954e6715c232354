/**
 * The job after each training that proposes facts from the owner's messages to him
 * (docs/decisions/023-facts-and-unanswered-questions.md).
 */
import { and, eq, getTableColumns, isNotNull, lt, sql } from "drizzle-orm";
import { personOfContacts } from "#server/knowledge/messages/people.ts";
import { asPlatform, asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { declinedReplies, factProposals } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";
import { decidedHash } from "./decided-hash.ts";
import { gatherFacts } from "./gather-facts.ts";
import type { GatheredFact } from "./join-subjects.ts";

const MAX_PROPOSED = 200;

type Proposed = GatheredFact & { subject: Buffer };

type TwinData = Tenant & { twinId: string };

/** Returns at once if the twin is deleted. Another run without new messages changes nothing. */
export async function findFacts({ db }: { db: Database }, data: TwinData, signal: AbortSignal): Promise<void> {
  const revision = await asTenant(db, data, (tx) => revisionOf(tx, data.twinId));
  if (revision === null) return;
  const gathered = await gatherFacts(db, data, data.twinId, signal);
  signal.throwIfAborted();
  await asTenant(db, data, async (tx) => {
    // Locks the twin first, like all transactions that change its knowledge.
    const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, data.twinId)).for("no key update");
    if (twin === undefined) return;
    const counted = await byPeopleNow(tx, data.twinId, gathered);
    await propose(tx, data, counted);
    await recountDecided(tx, data.twinId, counted.flat());
    await tx.update(twins).set({ factsRevision: revision }).where(eq(twins.id, data.twinId));
  });
}

/** Called at server start: enqueues the job for twins trained before this feature existed or whose job has used up its attempts. */
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

/** Contacts may have been merged while the messages were read. */
async function byPeopleNow(tx: Tx, twinId: string, gathered: readonly GatheredFact[][]): Promise<GatheredFact[][]> {
  const now = await personOfContacts(tx, twinId);
  return gathered.map((variants) =>
    variants.map((fact) => ({ ...fact, people: new Set([...fact.people].map((person) => now.get(person) ?? person)) })),
  );
}

/** Only the number of people of a decided fact is updated; it shows when the fact must be deleted with its only recipient. */
async function recountDecided(tx: Tx, twinId: string, facts: readonly GatheredFact[]): Promise<void> {
  const rows = facts.flatMap(({ subjects, value, people }) =>
    subjects.map((subject) => ({ name: Buffer.concat([subject, value]).toString("hex"), people: people.size })),
  );
  await tx.execute(sql`
    update ${factProposals} set people = found.people
    from unnest(${sql.param(rows.map(({ name }) => name))}::text[], ${sql.param(rows.map(({ people }) => people))}::int[])
      as found (name, people)
    where ${factProposals.twinId} = ${twinId} and ${factProposals.state} <> 'proposed'
      and encode(${factProposals.subject} || ${factProposals.value}, 'hex') = found.name
      and ${factProposals.people} <> found.people`);
}

async function propose(
  tx: Tx,
  { organizationId, twinId }: TwinData,
  gathered: readonly GatheredFact[][],
): Promise<void> {
  const wanted = await stillThere(tx, twinId, await undecided(tx, twinId, gathered));
  const chosen = wanted
    .sort((a, b) => peopleOf(b) - peopleOf(a) || timesOf(b) - timesOf(a) || newestOf(b) - newestOf(a))
    .slice(0, MAX_PROPOSED)
    .flat();
  const kept = sql.param(chosen.map(({ subject, value }) => Buffer.concat([subject, value]).toString("hex")));
  // Remaining proposals keep their ids, because the owner may be deciding right now. Decided ones are left unchanged.
  await tx
    .delete(factProposals)
    .where(
      and(
        eq(factProposals.twinId, twinId),
        eq(factProposals.state, "proposed"),
        sql`encode(${factProposals.subject} || ${factProposals.value}, 'hex') <> all(${kept}::text[])`,
      ),
    );
  if (chosen.length === 0) return;
  const rows = chosen.map(({ people, subjects: _, ...fact }) => ({
    orgId: organizationId,
    twinId,
    ...fact,
    people: people.size,
  }));
  const { replyExampleId, question, reply, times, people, saidAt } = getTableColumns(factProposals);
  const columns = { replyExampleId, question, reply, times, people, saidAt };
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

/** Drops facts that the owner has decided on, and those that he had written before the decision. */
async function undecided(tx: Tx, twinId: string, gathered: readonly GatheredFact[][]): Promise<Proposed[][]> {
  const hashes = await tx
    .select({ hash: declinedReplies.contentHash })
    .from(declinedReplies)
    .where(eq(declinedReplies.twinId, twinId));
  const decided = new Set(hashes.map(({ hash }) => hash.toString("hex")));
  const rows = await tx
    .select({
      subject: factProposals.subject,
      until: sql<string | null>`max(${factProposals.saidAt}) filter (where ${factProposals.state} <> 'proposed')`,
    })
    .from(factProposals)
    .where(eq(factProposals.twinId, twinId))
    .groupBy(factProposals.subject);
  const known = new Map(
    rows.map(({ subject, until }) => [subject.toString("hex"), until === null ? null : new Date(until).getTime()]),
  );
  return gathered
    .map((variants) => {
      const subjects = variants.flatMap((fact) => fact.subjects);
      const until = Math.max(
        ...subjects.map((subject) => known.get(subject.toString("hex")) ?? Number.NEGATIVE_INFINITY),
      );
      const subject = calledBy(subjects, known);
      const isDecided = ({ value }: GatheredFact) =>
        subjects.some((one) => decided.has(decidedHash({ subject: one, value }).toString("hex")));
      return variants
        .filter((fact) => !isDecided(fact) && fact.saidAt.getTime() > until)
        .map((fact) => ({ ...fact, subject }));
    })
    .filter((variants) => variants.length > 0);
}

/** Chooses the key of joined subjects: one with a decision, else one with a proposal, else a deterministic one. */
function calledBy(subjects: readonly Buffer[], known: ReadonlyMap<string, number | null>): Buffer {
  const weight = (subject: Buffer) => {
    const until = known.get(subject.toString("hex"));
    return until === undefined ? 0 : (until ?? 1);
  };
  return subjects.toSorted((one, other) => weight(other) - weight(one) || Buffer.compare(one, other))[0]!;
}

/** Keeps facts whose pairs still exist; the next training searches for others. */
async function stillThere(tx: Tx, twinId: string, gathered: readonly Proposed[][]): Promise<Proposed[][]> {
  const ids = sql.param(gathered.flatMap((variants) => variants.map(({ replyExampleId }) => replyExampleId)));
  const rows = await tx
    .select({ id: replyExamples.id })
    .from(replyExamples)
    .where(and(eq(replyExamples.twinId, twinId), sql`${replyExamples.id} = any(${ids}::bigint[])`))
    .for("key share");
  const there = new Set(rows.map(({ id }) => id));
  return gathered
    .map((variants) => variants.filter(({ replyExampleId }) => there.has(replyExampleId)))
    .filter((variants) => variants.length > 0);
}
