/** Bounds of what is stored for `Idempotency-Key` (docs/decisions/010-load-shedding-and-rate-limits.md). */
import { and, count, eq, sql } from "drizzle-orm";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { idempotencyKeys } from "#server/platform/db/schema/platform.ts";
import { tooMany } from "#server/platform/errors.ts";

/** How much is stored, which counts towards no quota: a repetition is for a response that was lost on its way, not for an archive. */
export const STORE_LIMITS = {
  /** Of a response as JSON. */
  answerBytes: 64 * 1024,
  /** Of all responses of an organisation, as the database keeps them. */
  organizationBytes: 16 * 1024 * 1024,
  /** A request that names more than these has its response not stored, because the row must go with each of them. */
  ids: 500,
  /** In a day; a screen uses some hundred. */
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

/** Whether a response of so many bytes may still be stored for the organisation. */
export async function hasRoom(
  tx: Tx,
  { organizationId }: Tenant,
  bytes: number,
  { organizationBytes }: StoreLimits,
): Promise<boolean> {
  const [row] = await tx
    // As they are stored: nothing has to be unpacked for it.
    .select({ bytes: sql`coalesce(sum(pg_column_size(${idempotencyKeys.body})), 0)`.mapWith(Number) })
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.orgId, organizationId));
  return row!.bytes + bytes <= organizationBytes;
}
