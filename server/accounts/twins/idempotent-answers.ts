/** Deletes responses stored for an Idempotency-Key (server/platform/http/idempotency.ts) that mention deleted data. */
import { arrayOverlaps } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";

/**
 * Call it in the transaction that deletes the things with these ids. It also keeps the response of a call in progress from being stored.
 */
export async function forgetAnswersAbout(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(idempotencyKeys).where(arrayOverlaps(idempotencyKeys.mentions, [...ids]));
}
