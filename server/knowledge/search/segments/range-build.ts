// Builds segments over a range of a twin's rows one by one: reads pages, builds in a worker thread, commits.
import { eq, sql } from "drizzle-orm";
import { readUnitPage, type StoredKind, type UnitPage } from "#server/knowledge/embeddings/twin-units.ts";
import { asTenant, type Database, sqlState, type Tenant } from "#server/platform/db/database.ts";
import { indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { AdaptiveBatchSize } from "#server/platform/process/adaptive-batch-size.ts";
import { ThreadPool } from "#server/platform/process/thread-pool.ts";
import { fullSegment, type RangeToBuild } from "./index-plan.ts";
import type { PackedPage, PackedUnits } from "./index-worker.ts";

/** Maximum rows per transaction, and characters of one segment: about 2,500 chunks. */
const pageSize = 5000;
const charactersInSegment = 2_500_000;

const workers = new ThreadPool<PackedUnits, Uint8Array>({
  file: new URL("index-worker.ts", import.meta.url),
  maxThreads: 1,
  // An import adds a segment every few seconds, and a new thread would have to reload its modules and vocabulary.
  idleTimeout: 5000,
  // Far above the need of one segment; with a tighter limit V8 collects garbage earlier.
  resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
});

function indexInWorker(packed: PackedUnits, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const transferList = packed.pages.flatMap((page) => Object.values(page).map(({ buffer }) => buffer));
  return workers.run(packed, { transferList, signal });
}

const UNIQUE_VIOLATION = "23505";

const encoder = new TextEncoder();

// Packed at once, because strings that wait for the rest of their segment would fill this thread's heap.
const pack = ({ ids, audiences, texts, headings }: UnitPage): PackedPage => ({
  ids: Float64Array.from(ids),
  audiences: Float64Array.from(audiences),
  texts: encoder.encode(texts),
  headings: encoder.encode(headings),
});

interface Chunk {
  kind: StoredKind;
  firstId: number;
  lastId: number;
  units: number;
  pages: PackedPage[];
  complete: boolean;
}

interface BuiltSegment {
  kind: StoredKind;
  firstId: number;
  lastId: number;
  units: number;
  bytes: Uint8Array;
}

/** Another run has indexed the same rows; its segments stay, and the next run finds less to do. */
export class ConcurrentlyIndexed extends Error {
  override name = "ConcurrentlyIndexed";
}

export class RangeBuild {
  readonly #db: Database;
  readonly #tenant: Tenant;
  readonly #twinId: string;
  readonly #kind: StoredKind;
  readonly #range: RangeToBuild;
  readonly #signal: AbortSignal | undefined;
  readonly #portion = new AdaptiveBatchSize(pageSize);
  /** Where the next page begins. */
  #cursor: number;
  /** Built segments that are committed together; the old ones serve until these cover all that they replace. */
  #pending: BuiltSegment[] = [];
  #replaces: number[];

  constructor(
    db: Database,
    tenant: Tenant,
    twinId: string,
    kind: StoredKind,
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

  async *run(): AsyncGenerator<number> {
    let reading: Promise<Chunk> | null = this.#readChunk();
    let committing = Promise.resolve();
    try {
      while (reading !== null) {
        this.#signal?.throwIfAborted();
        const chunk: Chunk = await reading;
        const { kind, firstId, lastId, units } = chunk;
        const building = units > 0 ? indexInWorker({ kind, pages: chunk.pages }, this.#signal) : null;
        // While the worker builds this one, the next is read and the previous one is stored.
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

  /** Builds and commits the next segment if enough rows for a whole one exist. @returns otherwise their number */
  async buildWhole(): Promise<number | null> {
    const start = this.#cursor;
    const { kind, firstId, lastId, units, pages, complete } = await this.#readChunk();
    if (complete) {
      this.#cursor = start;
      return units;
    }
    this.#pending.push({ kind, firstId, lastId, units, bytes: await indexInWorker({ kind, pages }, this.#signal) });
    await this.#commit();
    return null;
  }

  async #readChunk(): Promise<Chunk> {
    const firstId = this.#cursor;
    const pages: PackedPage[] = [];
    let [units, characters] = [0, 0];
    let complete = false;
    while (!complete && units < fullSegment && characters < charactersInSegment) {
      const rows = Math.min(this.#portion.rows, fullSegment - units);
      const range = { from: this.#cursor, to: this.#range.to };
      const page = await asTenant(this.#db, this.#tenant, (tx) =>
        this.#portion.measure(
          () => readUnitPage(tx, this.#twinId, this.#kind, range, rows),
          ({ ids }) => ids.length,
        ),
      );
      pages.push(pack(page));
      units += page.ids.length;
      characters += page.characters;
      complete = page.ids.length < rows;
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
      // Locks the twin first: a concurrent deletion then waits, and neither blocks the other in turn.
      await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, this.#twinId)).for("key share");
      if (replaces.length > 0) {
        const deleted = await tx.execute(
          sql`delete from index_segments where twin_id = ${this.#twinId} and id = any(${sql.param(replaces)}::bigint[])`,
        );
        if (deleted.rowCount !== replaces.length)
          throw new ConcurrentlyIndexed("index segments were replaced by another run");
      }
      for (const { bytes, ...segment } of pending) {
        await tx.insert(indexSegments).values({
          ...segment,
          orgId: this.#tenant.organizationId,
          twinId: this.#twinId,
          bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        });
      }
    }).catch((error: unknown) => {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      throw new ConcurrentlyIndexed("another run has built the same segment", { cause: error });
    });
  }
}
