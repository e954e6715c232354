// The job that keeps a twin's stored index: segments over its rows, built in a worker thread and committed one by one,
// so that a run that was cut short is continued by the next.
import { eq, sql } from "drizzle-orm";
import { Piscina } from "piscina";
import { asTenant, type Database, type Tenant, type Tx } from "#server/db/database.ts";
import { exemplars, indexSegments, messages, passages, twins } from "#server/db/schema.ts";
import { MANY_ROWS, refreshStatistics } from "#server/db/statistics.ts";
import { fullSegment, type KnownRange, planIndex, type RangeToBuild } from "./index-plan.ts";
import type { PackedPage, PackedUnits } from "./index-worker.ts";
import { readableStart } from "./segment-bytes.ts";
import { countUnitsInRange, newestId, readUnitPage, type UnitKind, type UnitPage, unitKinds } from "./twin-units.ts";

/** Rows read in one transaction, and the text of one segment: about 2,500 passages. */
const pageSize = 5000;
const charactersInSegment = 2_500_000;

let workers: Piscina<PackedUnits, Uint8Array> | undefined;

function indexInWorker(packed: PackedUnits, signal: AbortSignal | undefined): Promise<Uint8Array> {
  workers ??= new Piscina({
    filename: new URL("index-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 1000,
    // Far above what a segment needs; with a smaller heap in view V8 clears up sooner.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 },
  });
  const transferList = packed.pages.flatMap((page) => Object.values(page).map(({ buffer }) => buffer));
  return workers.run(packed, { transferList, ...(signal ? { signal } : {}) });
}

const encoder = new TextEncoder();

// At once: strings that wait for the rest of their segment would grow old on this thread's heap.
const pack = ({ ids, audiences, texts, headings }: UnitPage): PackedPage => ({
  ids: Float64Array.from(ids),
  audiences: Float64Array.from(audiences),
  texts: encoder.encode(texts),
  headings: encoder.encode(headings),
});

/** The units of one segment to be. */
interface Chunk {
  kind: UnitKind;
  firstId: number;
  lastId: number;
  units: number;
  pages: PackedPage[];
  /** The last of its range. */
  complete: boolean;
}

interface BuiltSegment {
  kind: UnitKind;
  firstId: number;
  lastId: number;
  units: number;
  bytes: Uint8Array;
}

/**
 * Brings the stored index up to the rows: new units are added, ranges that lost or gained rows are done anew.
 * Running it again without changes does nothing.
 * @param onProgress gets the share done, 0..1
 * @returns how many units were indexed
 */
export async function buildTwinIndex(
  db: Database,
  tenant: Tenant,
  twinId: string,
  { onProgress, signal }: { onProgress?: (share: number) => void | Promise<void>; signal?: AbortSignal } = {},
): Promise<number> {
  const plans = await asTenant(db, tenant, async (tx) => {
    const found: { kind: UnitKind; range: RangeToBuild }[] = [];
    for (const kind of unitKinds) {
      for (const range of planIndex(await readRanges(tx, twinId, kind))) found.push({ kind, range });
    }
    return found;
  });
  const total = plans.reduce((sum, { range }) => sum + range.units, 0);
  // Without them a page may be found by sorting all that is left.
  if (total >= MANY_ROWS) await refreshStatistics(db, [passages, exemplars, messages]);
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

/** The segments of a kind, the gaps between them and what is newer than the last, ascending. */
async function readRanges(tx: Tx, twinId: string, kind: UnitKind): Promise<KnownRange[]> {
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

class RangeBuild {
  readonly #db: Database;
  readonly #tenant: Tenant;
  readonly #twinId: string;
  readonly #kind: UnitKind;
  readonly #range: RangeToBuild;
  readonly #signal: AbortSignal | undefined;
  /** Where the next page begins. */
  #cursor: number;
  /** Built, and to be committed together: until they cover what they replace, the old segments serve. */
  #pending: BuiltSegment[] = [];
  #replaces: number[];

  constructor(
    db: Database,
    tenant: Tenant,
    twinId: string,
    kind: UnitKind,
    range: RangeToBuild,
    signal: AbortSignal | undefined,
  ) {
    this.#db = db;
    this.#tenant = tenant;
    this.#twinId = twinId;
    this.#kind = kind;
    this.#range = range;
    this.#signal = signal;
    this.#cursor = range.from;
    this.#replaces = range.replaces;
  }

  /** Yields the number of units of each segment when it is built. */
  async *run(): AsyncGenerator<number> {
    let reading: Promise<Chunk> | null = this.#readChunk();
    let committing = Promise.resolve();
    try {
      while (reading !== null) {
        this.#signal?.throwIfAborted();
        const chunk: Chunk = await reading;
        const { kind, firstId, lastId, units } = chunk;
        const building = units > 0 ? indexInWorker({ kind, pages: chunk.pages }, this.#signal) : null;
        // While the worker builds this one, the next is read and the one before is stored.
        reading = chunk.complete ? null : this.#readChunk();
        reading?.catch(() => {});
        if (building !== null) this.#pending.push({ kind, firstId, lastId, units, bytes: await building });
        await committing;
        if (chunk.complete || lastId >= this.#range.replacesTo) committing = this.#commit();
        committing.catch(() => {});
        yield units;
      }
      await committing;
    } finally {
      await reading?.catch(() => {});
      await committing.catch(() => {});
    }
  }

  async #readChunk(): Promise<Chunk> {
    const firstId = this.#cursor;
    const pages: PackedPage[] = [];
    let [units, characters] = [0, 0];
    let complete = false;
    while (!complete && units < fullSegment && characters < charactersInSegment) {
      const page = await asTenant(this.#db, this.#tenant, (tx) =>
        readUnitPage(tx, this.#twinId, this.#kind, { from: this.#cursor, to: this.#range.to }, pageSize),
      );
      pages.push(pack(page));
      units += page.ids.length;
      characters += page.characters;
      complete = page.ids.length < pageSize;
      this.#cursor = complete ? this.#range.to + 1 : page.ids.at(-1)! + 1;
    }
    return { kind: this.#kind, firstId, lastId: this.#cursor - 1, units, pages, complete };
  }

  async #commit(): Promise<void> {
    const pending = this.#pending;
    const replaces = this.#replaces;
    this.#pending = [];
    this.#replaces = [];
    if (pending.length + replaces.length === 0) return;
    await asTenant(this.#db, this.#tenant, async (tx) => {
      // The twin first: a deletion of it waits, instead of waiting for us while we wait for it.
      await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, this.#twinId)).for("key share");
      if (replaces.length > 0) {
        const deleted = await tx.execute(
          sql`delete from index_segments where twin_id = ${this.#twinId} and id = any(${sql.param(replaces)}::bigint[])`,
        );
        // Another run was quicker: its segments stand, and a repetition of this one finds nothing left to do.
        if (deleted.rowCount !== replaces.length) throw new Error("index segments were replaced by another run");
      }
      for (const { bytes, ...segment } of pending) {
        await tx.insert(indexSegments).values({
          ...segment,
          orgId: this.#tenant.organizationId,
          twinId: this.#twinId,
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        });
      }
    });
  }
}
