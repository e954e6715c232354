/** The last backups according to the database, for other machines and for the time after the machine that made them is gone. */
import { sql } from "drizzle-orm";
import type { Database } from "#server/platform/db/database.ts";
import { lastBackups } from "#server/platform/db/schema/operations.ts";
import type { BackupState } from "./last-backup.ts";

export interface KnownBackups {
  /** The last successful backup on any machine; null when none is known. */
  last: { at: Date; host: string; bytes: number; verified: boolean } | null;
  /** The last scheduled attempt, if it failed; the reason is a Russian sentence. */
  failure: { at: Date; host: string; reason: string } | null;
}

export async function readBackups(db: Database): Promise<KnownBackups> {
  const rows = await db.select().from(lastBackups);
  const made = rows.find(({ outcome }) => outcome === "made");
  const failed = rows.find(({ outcome }) => outcome === "failed");
  return {
    last: made === undefined ? null : { at: made.at, host: made.host, bytes: made.bytes!, verified: made.verified! },
    failure: failed === undefined ? null : { at: failed.at, host: failed.host, reason: failed.reason! },
  };
}

/** Stores what a machine knows of its backups, unless something newer is known. */
export async function storeBackups(db: Database, host: string, { last, failure }: BackupState): Promise<void> {
  const rows: (typeof lastBackups.$inferInsert)[] = [];
  if (last !== null) rows.push({ outcome: "made", at: last.at, host, bytes: last.bytes, verified: last.verified });
  if (failure !== null) rows.push({ outcome: "failed", at: failure.at, host, reason: failure.reason });
  for (const row of rows) {
    await db
      .insert(lastBackups)
      .values(row)
      .onConflictDoUpdate({
        target: lastBackups.outcome,
        set: row,
        setWhere: sql`${lastBackups.at} < excluded.at`,
      });
  }
}

/** Returns the newer of both; a failure counts until a later backup has succeeded. */
export function newestOf(one: KnownBackups, other: KnownBackups): KnownBackups {
  const newer = <Event extends { at: Date }>(a: Event | null, b: Event | null): Event | null =>
    a === null || (b !== null && b.at > a.at) ? b : a;
  const last = newer(one.last, other.last);
  const failure = newer(one.failure, other.failure);
  return { last, failure: failure !== null && last !== null && last.at >= failure.at ? null : failure };
}

export const backupsOf = ({ last, failure }: BackupState, host: string): KnownBackups => ({
  last: last && { at: last.at, host, bytes: last.bytes, verified: last.verified },
  failure: failure && { ...failure, host },
});
