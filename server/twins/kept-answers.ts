/** Answers that are kept for their Idempotency-Key (server/idempotency.ts) and speak of what is deleted. */
import { arrayOverlaps } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { idempotencyKeys } from "#server/db/schema.ts";

/** In the transaction that deletes what has these ids: also the answer of a call that still runs is not kept. */
export async function forgetAnswersAbout(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(idempotencyKeys).where(arrayOverlaps(idempotencyKeys.mentions, [...ids]));
}
