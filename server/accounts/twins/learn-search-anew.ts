/** Has an organisation's twins learn the vectors of another model after the one by which they search was changed. */
import { and, eq, isNotNull } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import type { Jobs } from "#server/platform/jobs/queue.ts";

export async function learnSearchAnew(
  tx: Tx,
  jobs: Pick<Jobs, "enqueue">,
  { organizationId }: Pick<Tenant, "organizationId">,
): Promise<void> {
  const trained = await tx
    .update(twins)
    // Failures of the former model say nothing of the next one.
    .set({ embeddingCutOff: 0, embeddingError: null })
    .where(and(eq(twins.orgId, organizationId), isNotNull(twins.lastTrainedAt)))
    .returning({ twinId: twins.id, userId: twins.ownerId });
  for (const twin of trained) await jobs.enqueue(tx, "learn-embeddings", { organizationId, ...twin });
}
