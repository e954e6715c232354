import { and, desc, eq, inArray } from "drizzle-orm";
import { type ConfirmedFacts, MAX_CONFIRMED_FACTS } from "#contract/knowledge/confirmed-facts.ts";
import { asTenant, type Database, type Tenant } from "#server/platform/db/database.ts";
import { corrections, factProposals } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { loadFactsAwaitingDecision } from "./facts.ts";

/** Only of the caller's own twins: others see a fact only when a twin states it. */
export function confirmedFacts(db: Database, caller: Tenant): Promise<ConfirmedFacts> {
  const own = and(eq(twins.orgId, caller.organizationId), eq(twins.ownerId, caller.userId));
  return asTenant(db, caller, async (tx) => {
    const rows = await tx
      .select({
        id: corrections.id,
        digitalTwinId: twins.id,
        digitalTwinName: twins.name,
        question: corrections.question,
        rewordings: corrections.rewordings,
        text: corrections.text,
        subject: corrections.factSubject,
        state: corrections.state,
        createdAt: corrections.createdAt,
      })
      .from(corrections)
      .innerJoin(twins, eq(twins.id, corrections.twinId))
      .where(
        and(
          own,
          eq(corrections.kind, "fact"),
          inArray(corrections.state, ["active", "off"]),
          eq(corrections.audience, 0),
        ),
      )
      .orderBy(desc(corrections.place))
      .limit(MAX_CONFIRMED_FACTS);
    const asking = await tx
      .selectDistinct({ digitalTwinId: twins.id, digitalTwinName: twins.name })
      .from(factProposals)
      .innerJoin(twins, eq(twins.id, factProposals.twinId))
      .where(and(own, eq(factProposals.state, "proposed")))
      .orderBy(twins.name);
    const waiting: ConfirmedFacts["waiting"] = [];
    for (const twin of asking) {
      const facts = (await loadFactsAwaitingDecision(tx, twin.digitalTwinId)).length;
      if (facts > 0) waiting.push({ ...twin, facts });
    }
    return {
      facts: rows.map(({ subject, state, createdAt, ...row }) => ({
        ...row,
        fromLetters: subject !== null,
        active: state === "active",
        createdAt: createdAt.toISOString(),
      })),
      waiting,
    };
  });
}
