/** Keeps what a measurement of fidelity found, and the replies that its page compares. */
import { and, desc, eq, inArray, ne } from "drizzle-orm";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";

const KEPT_MEASURES = 100;

interface GivenReply {
  replyExampleId: number;
  reply: string;
  /** The verifier's log-odds that the owner wrote it. */
  logit: number;
}

type Measure = Omit<typeof fidelityMeasures.$inferInsert, "orgId"> & Tenant;

/**
 * Stores the measure. The newest one of contacts keeps its replies; of older ones the last hundred figures remain. A stranger's are not
 * kept: the page compares what contacts read.
 */
export function storeMeasure(
  db: Database,
  { organizationId, userId, ...measure }: Measure,
  given: readonly GivenReply[],
): Promise<void> {
  return asTenant(db, { organizationId, userId }, async (tx) => {
    const { twinId, audience = "contacts" } = measure;
    const isContact = audience === "contacts";
    const ofTwin = eq(twins.id, twinId);
    const [twin] = await tx.select({ id: twins.id }).from(twins).where(ofTwin).for("no key update");
    if (twin === undefined) return;
    if (isContact)
      await tx
        .update(twins)
        .set({ styleAccuracy: measure.value ?? null })
        .where(ofTwin);
    const [row] = await tx
      .insert(fidelityMeasures)
      .values({ ...measure, orgId: organizationId })
      .returning({ id: fidelityMeasures.id });
    if (isContact) await showExamples(tx, organizationId, twinId, row!.id, given);
    const old = tx
      .select({ id: fidelityMeasures.id })
      .from(fidelityMeasures)
      .where(and(eq(fidelityMeasures.twinId, twinId), eq(fidelityMeasures.audience, audience)))
      .orderBy(desc(fidelityMeasures.id))
      .offset(KEPT_MEASURES);
    await tx.delete(fidelityMeasures).where(inArray(fidelityMeasures.id, old));
  });
}

async function showExamples(
  tx: Tx,
  organizationId: string,
  twinId: string,
  measureId: number,
  given: readonly GivenReply[],
): Promise<void> {
  const before = tx
    .select({ id: fidelityMeasures.id })
    .from(fidelityMeasures)
    .where(and(eq(fidelityMeasures.twinId, twinId), ne(fidelityMeasures.id, measureId)));
  await tx.delete(fidelityExamples).where(inArray(fidelityExamples.measureId, before));
  // A reply is shown with the owner's own, so pairs deleted meanwhile are skipped.
  const there = await tx
    .select({ id: replyExamples.id })
    .from(replyExamples)
    .where(
      inArray(
        replyExamples.id,
        given.map(({ replyExampleId }) => replyExampleId),
      ),
    )
    .for("key share");
  const known = new Set(there.map(({ id }) => id));
  const shown = given.filter(({ replyExampleId }) => known.has(replyExampleId));
  if (shown.length > 0) {
    const place = { orgId: organizationId, measureId };
    await tx.insert(fidelityExamples).values(shown.map((one) => ({ ...place, ...one })));
  }
}
