/** Limits of what is stored for `Idempotency-Key` (docs/decisions/010-load-shedding-and-rate-limits.md). */
import { and, count, eq, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { tooMany } from "#server/platform/errors.ts";

/** Limits of the stored responses, which count towards no quota: they serve retries after a lost response and are not an archive. */
export const STORE_LIMITS = {
  /** Maximum size of one response as JSON. */
  answerBytes: 64 * 1024,
  /** Maximum size of all responses of an organisation, as stored in the database. */
  organizationBytes: 16 * 1024 * 1024,
  /** The response to a request that names more ids than this is not stored, because its row must be deleted with each of them. */
  ids: 500,
  /** Maximum number of keys per user and day; the web app uses a few hundred. */
  keysOfUser: 5_000,
};
export type StoreLimits = typeof STORE_LIMITS;

/** @throws Problem 429 */
export async function requireFewKeys(
  tx: Tx,
  { organizationId, userId }: Tenant,
  { keysOfUser }: StoreLimits,
): Promise<void> {
  const [row] = await tx
    .select({ keys: count() })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.orgId, organizationId), eq(idempotencyKeys.userId, userId)));
  if ((row?.keys ?? 0) <= keysOfUser) return;
  throw tooMany("too_many_requests", `Не больше ${keysOfUser} запросов с Idempotency-Key за сутки`, {
    retryAfter: 3600,
  });
}

/** Whether a response of this size may still be stored for the organisation. */
export async function hasRoom(
  tx: Tx,
  { organizationId }: Tenant,
  bytes: number,
  { organizationBytes }: StoreLimits,
): Promise<boolean> {
  const [row] = await tx
    // Measures the stored, compressed size, so that nothing has to be decompressed.
    .select({ bytes: sql`coalesce(sum(pg_column_size(${idempotencyKeys.body})), 0)`.mapWith(Number) })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.orgId, organizationId));
  return row!.bytes + bytes <= organizationBytes;
}
