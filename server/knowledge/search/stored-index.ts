// A twin's index: segments stored in the database, loaded on demand, and the newest units, indexed in this process. The database rows are
// authoritative, so every call first checks what has changed.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  type Audience,
  listIdsInRange,
  listNewestIds,
  newestId,
  readUnitsById,
  type StoredKind,
  type UnitKind,
} from "#server/knowledge/embeddings/twin-units.ts";
import { holdsConnection, refuseInsideTransaction } from "#server/platform/db/connection-guard.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { notFound } from "#server/platform/errors.ts";
import type { IndexCache, KindState, SegmentRow } from "./index-cache.ts";
import type { Segment } from "./index-segment.ts";
import type { UnitHit } from "./ranking/found-unit.ts";
import { IndexTail, PART_UNITS } from "./segments/index-tail.ts";
import { decodeSegment, UnreadableSegment } from "./segments/segment-bytes.ts";
import { readStyleSamples, type StyleSampleContent } from "./style-samples.ts";
import {
  type ChunkContent,
  type OpenContent,
  type ReplyExampleContent,
  readAllChunks,
  readContents,
  readExchanges,
  readNeighbours,
  type UnitContent,
  type WantedExchanges,
} from "./twin-hits.ts";

/** Limits of the units indexed here; beyond them the job must index, because a request must not take seconds. */
const tailBounds = { limit: 5000, characters: 1_000_000 };

/** Cheap indicators of a change since a segment was read: the twin's revision and its newest ids. */
export interface Stamps {
  revision: number;
  segments: number | null;
  newest: Record<StoredKind, number | null>;
  /** Stamp of the published replies, which change without a training. */
  open: string;
  vectors: number | null;
}

/** Returns the stamps as one column of a query over twins. @param twinId an expression of that query */
export const stampsOf = (twinId: SQLWrapper): SQL<Stamps> => sql<Stamps>`json_build_object(
  'revision', (select t.knowledge_revision from twins t where t.id = ${twinId}),
  'segments', (select max(s.id) from index_segments s where s.twin_id = ${twinId}),
  'newest', json_build_object(
    'chunk', ${newestId("chunk", twinId)},
    'example', ${newestId("example", twinId)},
    'message', ${newestId("message", twinId)}),
  'open', (select count(*) || ' ' || coalesce(max(o.changed_at), 'epoch') from open_replies o where o.twin_id = ${twinId}),
  'vectors', (select max(e.id) from embeddings e where e.twin_id = ${twinId}))`;

/** Loads run one at a time per twin, so that many simultaneous first questions load its index once. */
const underWay = new Map<string, Promise<unknown>>();

async function inTurn<T>(twinId: string, work: () => Promise<T>): Promise<T> {
  const before = underWay.get(twinId);
  if (before !== undefined) refuseInsideTransaction("Another's loading of an index was waited for");
  const mine = (before ?? Promise.resolve()).catch(() => {}).then(work);
  underWay.set(twinId, mine);
  try {
    return await mine;
  } finally {
    if (underWay.get(twinId) === mine) underWay.delete(twinId);
  }
}

/** Data that a `TwinIndex` searches: segments, deleted units, and the contents of units. */
export interface IndexSource {
  /** @throws if there is no current transaction */
  readonly tx: Tx;
  readonly twinId: string;
  /** Stamp that changes whenever the embeddings do. */
  readonly vectorStamp: string;
  segments(kind: UnitKind): Promise<readonly Segment[]>;
  dead(kind: UnitKind): ReadonlySet<number>;
  findDead(kind: UnitKind, ids: readonly number[]): Promise<void>;
  contents(audience: Audience, hits: readonly UnitHit[]): Promise<ReadonlyMap<string, UnitContent>>;
  /** See `readAllChunks`. */
  allChunks(audience: Audience, characters: number): Promise<ChunkContent[]>;
  /** See `readNeighbours`. */
  neighbours(audience: Audience, ids: readonly number[]): Promise<ChunkContent[]>;
  /** See `readExchanges`. */
  exchanges(audience: Audience, wanted: WantedExchanges): Promise<(ReplyExampleContent | OpenContent)[]>;
  /** See `readStyleSamples`. */
  styleSamples(): Promise<StyleSampleContent[]>;
}

/** A twin's index as one transaction sees it. */
export class StoredIndex implements IndexSource {
  readonly tx: Tx;
  readonly twinId: string;
  readonly #cache: IndexCache;
  readonly #stamps: Stamps;

  constructor(cache: IndexCache, tx: Tx, twinId: string, stamps: Stamps) {
    this.#cache = cache;
    this.tx = tx;
    this.twinId = twinId;
    this.#stamps = stamps;
  }

  /** Throws `notFound` when the transaction sees no such twin. */
  static async open(cache: IndexCache, tx: Tx, twinId: string): Promise<StoredIndex> {
    const { rows } = await tx.execute(
      sql`select ${stampsOf(sql`twins.id`)} as stamps from twins where twins.id = ${twinId}`,
    );
    if (rows[0] === undefined) throw notFound();
    return new StoredIndex(cache, tx, twinId, rows[0].stamps as Stamps);
  }

  async segments(kind: UnitKind): Promise<Segment[]> {
    const ready = this.#inMemory(kind);
    if (ready) return ready;
    // The call that loads may be waiting for the connection that this transaction holds, so waiting for it could deadlock.
    if (holdsConnection() && underWay.has(this.twinId)) return this.#loadAll(await this.#readAlone(kind));
    return inTurn(this.twinId, async () => this.#loadAll(this.#currentState(kind) ?? (await this.#refresh(kind))));
  }

  async #loadAll(state: KindState): Promise<Segment[]> {
    const stored: Segment[] = [];
    for (const row of state.segments) {
      const segment = this.#cache.segment(this.twinId, row.id) ?? (await this.#load(row.id));
      if (segment) stored.push(segment);
    }
    return [...stored, ...state.tail.segments];
  }

  dead(kind: UnitKind): ReadonlySet<number> {
    return this.#cache.state(this.twinId, kind)?.dead ?? new Set();
  }

  async findDead(kind: UnitKind, ids: readonly number[]): Promise<void> {
    const state = this.#cache.state(this.twinId, kind);
    if (!state) return;
    const holds = (row: SegmentRow) => ids.some((id) => id >= row.firstId && id <= row.lastId);
    for (const row of state.segments.filter(holds)) {
      const segment = this.#cache.segment(this.twinId, row.id);
      if (!segment) continue;
      const alive = new Set(await listIdsInRange(this.tx, this.twinId, kind, { from: row.firstId, to: row.lastId }));
      for (const id of segment.ids) if (!alive.has(id)) state.dead.add(id);
    }
    await this.#syncTail(kind, state);
    this.#cache.keepState(this.twinId, kind, state);
  }

  contents(audience: Audience, hits: readonly UnitHit[]): Promise<Map<string, UnitContent>> {
    return readContents(this.tx, this.twinId, audience, hits);
  }

  allChunks(audience: Audience, characters: number): Promise<ChunkContent[]> {
    return readAllChunks(this.tx, this.twinId, audience, characters);
  }

  neighbours(audience: Audience, ids: readonly number[]): Promise<ChunkContent[]> {
    return readNeighbours(this.tx, this.twinId, audience, ids);
  }

  exchanges(audience: Audience, wanted: WantedExchanges): Promise<(ReplyExampleContent | OpenContent)[]> {
    return readExchanges(this.tx, this.twinId, audience, wanted);
  }

  styleSamples(): Promise<StyleSampleContent[]> {
    return readStyleSamples(this.tx, this.twinId);
  }

  /** Changes with the embeddings and with the units that have them. */
  get vectorStamp(): string {
    return `${this.#stamps.revision} ${this.#stamps.vectors} ${this.#stamps.open}`;
  }

  #stamp(kind: UnitKind): string {
    const { revision, segments, newest, open } = this.#stamps;
    return kind === "open" ? open : `${revision} ${segments} ${newest[kind]}`;
  }

  #currentState(kind: UnitKind): KindState | undefined {
    const state = this.#cache.state(this.twinId, kind);
    return state?.stamp === this.#stamp(kind) ? state : undefined;
  }

  #inMemory(kind: UnitKind): Segment[] | undefined {
    const state = this.#currentState(kind);
    if (!state) return undefined;
    const segments: Segment[] = [];
    for (const row of state.segments) {
      const segment = this.#cache.segment(this.twinId, row.id);
      if (!segment) return undefined;
      segments.push(segment);
    }
    return segments.concat(state.tail.segments);
  }

  async #refresh(kind: UnitKind): Promise<KindState> {
    const old = this.#cache.state(this.twinId, kind);
    const state = await this.#read(kind, old?.tail ?? new IndexTail(kind), old?.dead ?? new Set());
    this.#cache.keepState(this.twinId, kind, state);
    return state;
  }

  /** Reads for this transaction only, because another one is changing the shared state. */
  #readAlone(kind: UnitKind): Promise<KindState> {
    const old = this.#cache.state(this.twinId, kind);
    return this.#read(kind, old?.tail.copy() ?? new IndexTail(kind), new Set(old?.dead));
  }

  async #read(kind: UnitKind, tail: IndexTail, dead: Set<number>): Promise<KindState> {
    const { rows } = await this.tx.execute(sql`
      select id, first_id as "firstId", last_id as "lastId", units from index_segments
      where twin_id = ${this.twinId} and kind = ${kind} order by first_id`);
    const state: KindState = { stamp: this.#stamp(kind), segments: rows as unknown as SegmentRow[], tail, dead };
    await this.#syncTail(kind, state);
    return state;
  }

  async #syncTail(kind: UnitKind, state: KindState): Promise<void> {
    const sealed = state.segments.at(-1)?.lastId ?? 0;
    const ids = await listNewestIds(this.tx, this.twinId, kind, sealed, tailBounds);
    const first = ids[0] ?? Number.POSITIVE_INFINITY;
    const older = Math.max(state.tail.firstBefore(first) ?? first, sealed + 1);
    const stay = older < first ? await listIdsInRange(this.tx, this.twinId, kind, { from: older, to: first - 1 }) : [];
    state.tail.keepOnly([...stay, ...ids], first);
    const missing = state.tail.missing(ids);
    for (let from = 0; from < missing.length; from += PART_UNITS) {
      // Others go first between two parts.
      if (from > 0) await nextTurn();
      state.tail.add(await readUnitsById(this.tx, this.twinId, kind, missing.slice(from, from + PART_UNITS)));
    }
  }

  /** Returns undefined for unreadable bytes: the segment is dropped, and the next training rebuilds it. */
  async #load(id: number): Promise<Segment | undefined> {
    const { rows } = await this.tx.execute(sql`select bytes from index_segments where id = ${id}`);
    const bytes = rows[0]?.bytes as Buffer | undefined;
    if (!bytes) return undefined;
    try {
      const segment = decodeSegment(bytes);
      this.#cache.keepSegment(this.twinId, id, segment, bytes.byteLength);
      return segment;
    } catch (error) {
      if (!(error instanceof UnreadableSegment)) throw error;
      await this.tx.execute(sql`delete from index_segments where id = ${id}`);
      return undefined;
    }
  }
}
