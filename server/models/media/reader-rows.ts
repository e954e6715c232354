/** Stores the chosen readers of an organisation and its used part of the daily limit. */
import { and, eq, sql } from "drizzle-orm";
import { MEDIA_DEFAULTS, type MediaKind } from "#contract/models/media-readers.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { mediaReaders } from "#server/platform/db/schema/models.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export type ReaderRow = typeof mediaReaders.$inferSelect;

const placeOf = (orgId: string, kind: MediaKind) => ({
  ...{ table: "media_readers", tenant: orgId, row: `${orgId}:${kind}`, column: "api_key" },
});

export const sealKey = (vault: Vault, orgId: string, kind: MediaKind, key: string): Buffer =>
  vault.seal(placeOf(orgId, kind), key);

/** @throws VaultError */
export const keyOf = (vault: Vault, { orgId, kind, apiKey }: Pick<ReaderRow, "orgId" | "kind" | "apiKey">) =>
  apiKey === null ? null : vault.open(placeOf(orgId, kind), apiKey);

export async function readerOf(tx: Tx, orgId: string, kind: MediaKind, lock = false): Promise<ReaderRow | null> {
  const query = tx
    .select()
    .from(mediaReaders)
    .where(and(eq(mediaReaders.orgId, orgId), eq(mediaReaders.kind, kind)));
  const [row] = await (lock ? query.for("update") : query);
  return row ?? null;
}

export async function readKinds(tx: Tx, orgId: string): Promise<ReadonlySet<MediaKind>> {
  const rows = await tx
    .select({ kind: mediaReaders.kind })
    .from(mediaReaders)
    .where(and(eq(mediaReaders.orgId, orgId), sql`${mediaReaders.mode} <> 'off'`));
  return new Set(rows.map(({ kind }) => kind));
}

/** Units of a daily limit: seconds of recordings, single pictures. */
const unitsOf = (kind: MediaKind, limit: number): number => (kind === "speech" ? limit * 60 : limit);

/**
 * Reserves units of the organisation's day if enough are left.
 * @param day in the form of `usageDay`
 * @param share part of the limit that background work may use in total; 1 when absent
 */
export async function reserveDailyUnits(
  tx: Tx,
  orgId: string,
  kind: MediaKind,
  { units, day, share = 1 }: { units: number; day: string; share?: number | undefined },
): Promise<boolean> {
  const row = await readerOf(tx, orgId, kind, true);
  if (row === null) return false;
  const used = row.day === day ? row.used : 0;
  if (used + units > unitsOf(kind, row.dailyLimit) * share) return false;
  await tx
    .update(mediaReaders)
    .set({ day, used: used + units })
    .where(and(eq(mediaReaders.orgId, orgId), eq(mediaReaders.kind, kind)));
  return true;
}

/** Corrects the reserved units of a recording whose length was unknown. */
export async function correctDailyUnits(
  tx: Tx,
  orgId: string,
  kind: MediaKind,
  units: number,
  day: string,
): Promise<void> {
  await tx
    .update(mediaReaders)
    .set({ used: sql`greatest(0, ${mediaReaders.used} + ${units})` })
    .where(and(eq(mediaReaders.orgId, orgId), eq(mediaReaders.kind, kind), eq(mediaReaders.day, day)));
}

export const longestOf = (row: Pick<ReaderRow, "longestSeconds">): number =>
  row.longestSeconds ?? MEDIA_DEFAULTS.speech.longestSeconds;
