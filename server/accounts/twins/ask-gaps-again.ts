/** Has twins asked their open questions again after a model was switched on: it may know the answer from the same documents. */
import { and, eq } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { gaps } from "#server/platform/db/schema/conversations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

/** Twins of one change; each asks at most twenty questions, in the background's half of the day's budget (inbox/gaps/ask-again.ts). */
const TWINS = 50;

export async function askGapsAgain(tx: Tx, jobs: Pick<Jobs, "enqueue">, { organizationId }: Tenant): Promise<void> {
  await tx
    .update(gaps)
    .set({ checkedBy: null })
    .where(and(eq(gaps.state, "open"), eq(gaps.checkedBy, "")));
  const asked = await tx
    .selectDistinct({ twinId: gaps.twinId, userId: twins.ownerId })
    .from(gaps)
    .innerJoin(twins, eq(twins.id, gaps.twinId))
    .where(eq(gaps.state, "open"))
    .limit(TWINS);
  for (const twin of asked) await jobs.enqueue(tx, "close-gaps", { organizationId, ...twin });
}
