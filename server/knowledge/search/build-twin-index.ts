// The job that keeps a twin's stored index. It commits segments one by one, so that the next run can continue an interrupted one.
import { sql } from "drizzle-orm";
import { countUnitsInRange, newestId, type StoredKind, storedKinds } from "#server/knowledge/embeddings/twin-units.ts";
import type { Database, Tenant, Tx } from "#server/platform/db/database.ts";
import { chunks, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { MANY_ROWS, refreshStatistics } from "#server/platform/db/statistics.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { type KnownRange, planIndex, type RangeToBuild } from "./segments/index-plan.ts";
import { ConcurrentlyIndexed, RangeBuild } from "./segments/range-build.ts";
import { readableStart } from "./segments/segment-bytes.ts";

/** Maximum retries after a concurrent run was faster. */
const TRIES = 5;

interface IndexProgress {
  onProgress?: (share: number) => void | Promise<void>;
  signal?: AbortSignal;
}

/**
 * Updates the stored index: adds new units and rebuilds ranges that lost or gained rows. Another run without changes does nothing.
 * @returns number of units indexed
 */
export async function buildTwinIndex(
  db: Database,
  tenant: Tenant,
  twinId: string,
  progress: IndexProgress = {},
): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await buildMissing(db, tenant, twinId, progress);
    } catch (error) {
      if (!(error instanceof ConcurrentlyIndexed) || tries === TRIES) throw error;
    }
  }
}

async function buildMissing(
  db: Database,
  tenant: Tenant,
  twinId: string,
  { onProgress, signal }: IndexProgress,
): Promise<number> {
  // Each segment's rows are counted in a transaction of its own: together they would hold a connection for longer with every message. What
  // changes in between is found by the training that the change has requested.
  const each = eachAsTenant(db, tenant);
  const plans: { kind: StoredKind; range: RangeToBuild }[] = [];
  for (const kind of storedKinds) {
    for (const range of planIndex(await readRanges(each, twinId, kind))) plans.push({ kind, range });
  }
  const total = plans.reduce((sum, { range }) => sum + range.units, 0);
  // Without fresh statistics the planner may sort all remaining rows for each page.
  if (total >= MANY_ROWS) await refreshStatistics(db, [chunks, replyExamples, messages]);
  let done = 0;
  for (const { kind, range } of plans) {
    const build = new RangeBuild(db, tenant, twinId, kind, range, signal);
    for await (const units of build.run()) {
      done += units;
      await onProgress?.(Math.min(1, done / Math.max(1, total)));
    }
  }
  return done;
}

/** Returns the segments of a kind, the gaps between them and the ids after the last one, ascending. */
async function readRanges(tx: Tx, twinId: string, kind: StoredKind): Promise<KnownRange[]> {
  const start = readableStart.length;
  const { rows } = await tx.execute(sql`
    select id, first_id as "from", last_id as "to", units, substring(bytes from 1 for ${start}) as start
    from index_segments where twin_id = ${twinId} and kind = ${kind} order by first_id`);
  const newest = await tx.execute(sql`select coalesce(${newestId(kind, sql`${twinId}::uuid`)}, 0) as id`);
  const ranges: KnownRange[] = [];
  let next = 1;
  const addGap = async (to: number) => {
    if (to < next) return;
    const units = await countUnitsInRange(tx, twinId, kind, { from: next, to });
    if (units > 0) ranges.push({ from: next, to, segmentId: null, units, stale: true });
  };
  for (const row of rows as { id: number; from: number; to: number; units: number; start: Buffer }[]) {
    await addGap(row.from - 1);
    const units = await countUnitsInRange(tx, twinId, kind, row);
    const stale = units !== row.units || !readableStart.equals(row.start);
    ranges.push({ from: row.from, to: row.to, segmentId: row.id, units, stale });
    next = row.to + 1;
  }
  await addGap(newest.rows[0]!.id as number);
  return ranges;
}
