import { onTwinDeleted } from "#server/accounts/twins/deleted-twins.ts";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import { calibrationFor, isSimilarEnough, likelihoodOf } from "#server/knowledge/embeddings/embedding-scale.ts";
import {
  type EmbeddedKind,
  embeddedKinds,
  type NearUnit,
  nearestUnits,
} from "#server/knowledge/embeddings/nearest-units.ts";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { type Audience, allowsOf, mayReadKind, type UnitKind } from "#server/knowledge/embeddings/twin-units.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { IndexCache } from "./index-cache.ts";
import type { Segment } from "./index-segment.ts";
import { confidenceOf } from "./ranking/answerability.ts";
import type { UnitMatch } from "./ranking/found-unit.ts";
import { type FusedHit, fuseRanks, MAX_FUSED_UNITS } from "./ranking/fuse-ranks.ts";
import { parseQuery, type Query } from "./ranking/query-terms.ts";
import { type ScoredSentence, scoreSentences, weighForSentences } from "./ranking/score-sentences.ts";
import { rank, search } from "./ranking/search-segments.ts";
import { TermStatistics } from "./ranking/term-statistics.ts";
import { type IndexSource, type Stamps, StoredIndex } from "./stored-index.ts";
import type { StyleSampleContent } from "./style-samples.ts";
import {
  type ChunkContent,
  type MessageContent,
  type OpenContent,
  type ReplyExampleContent,
  readShortReplies,
  type ShortReply,
  type UnitContent,
} from "./twin-hits.ts";

interface Found {
  /** Relative to the best hit, 0..1. */
  score: number;
  /** Likelihood that the unit answers the query, 0..1 (see `confidenceOf`). */
  confidence: number;
  /** Likelihood that the unit means what the query means, whatever the words, 0..1; 0 when unknown. */
  meant: number;
  match: UnitMatch;
}

/** Sentences keep the order of the text; their scores are comparable across the chunks of one search. */
export type ChunkHit = Found & ChunkContent & { sentences: ScoredSentence[] };
export type ReplyExampleHit = Found & ReplyExampleContent;
export type OpenHit = Found & OpenContent;
type MessageHit = Found & MessageContent;
type TwinHit = ChunkHit | ReplyExampleHit | OpenHit | MessageHit;
type HitOf<Kind extends UnitKind> = Extract<TwinHit, { kind: Kind }>;

interface TwinQuery<Kind extends UnitKind> {
  audience: Audience;
  query: string;
  /** All these kinds share one ranking. */
  kinds: readonly Kind[];
  limit: number;
  /** Embedding of the query; its nearest units join the word ranking by rank fusion. Null or absent: words alone. */
  queryEmbedding?: QueryEmbedding | null;
  /** Whether sentences of found chunks are ranked, which costs more than the search; true by default. */
  sentences?: boolean;
}

/**
 * With more postings than this, a search scores only the most promising units, which bounds its time. On a million messages the first
 * unit stays the same for 99 queries of 100; below about 200,000 messages nothing changes.
 */
const maxPostings = 100_000;

/** Rows may have been deleted or have changed their audience since they were indexed; the search is then repeated without them. */
const maxRounds = 4;

/**
 * Term frequencies cover only what the asker may see. Otherwise the confidence of an answer would reveal to anyone who quotes a private
 * message that it exists. Messages repeat the reply examples and count only when they are searched.
 */
const alwaysCounted: readonly UnitKind[] = ["chunk", "example", "open"];

/** Number of pairs sampled from the whole history, of which the newest are read; reading all pairs would cost more with every message. */
const EXCHANGES_AMONG = 120;

/** Unit ids, by kind, that no search returns, as if the twin had never learnt them. */
export type LeftOut = ReadonlyMap<UnitKind, ReadonlySet<number>>;

/** A twin's index within one transaction; open it once and search it as often as needed. */
export class TwinIndex {
  readonly #stored: IndexSource;
  readonly #leftOut: LeftOut;
  readonly #statistics = new Map<string, TermStatistics>();

  constructor(stored: IndexSource, leftOut: LeftOut = new Map()) {
    this.#stored = stored;
    this.#leftOut = leftOut;
  }

  /** Returns the best units, best first, among those that the audience may see. */
  async search<Kind extends UnitKind>(request: TwinQuery<Kind>): Promise<HitOf<Kind>[]> {
    return (await this.searchAll([request]))[0]!;
  }

  /** Searches for several queries of one audience and reads their rows together. Kinds closed to the audience are skipped. */
  async searchAll<Kind extends UnitKind>(wanted: readonly TwinQuery<Kind>[]): Promise<HitOf<Kind>[][]> {
    const audience = wanted[0]!.audience;
    const requests = wanted.map((one) => ({ ...one, kinds: one.kinds.filter((kind) => mayReadKind(audience, kind)) }));
    const queries = requests.map((request) => parseQuery(request.query));
    const kinds = new Set<UnitKind>(requests.flatMap((request) => request.kinds));
    if (queries.every((query) => query.grams.length === 0)) return requests.map(() => []);
    const near = await this.#near(requests);
    const byKind = new Map<UnitKind, readonly Segment[]>();
    for (const kind of kinds) byKind.set(kind, await this.#stored.segments(kind));
    const statistics: TermStatistics[] = [];
    for (const request of requests) statistics.push(await this.#statisticsFor(audience, request.kinds));

    const hidden = new Map<string, ReadonlySet<number>>(this.#leftOut);
    for (let round = 1; ; round++) {
      const dead = new Map(
        [...kinds].map((kind) => [kind as string, union(this.#stored.dead(kind), hidden.get(kind))]),
      );
      const found = requests.map((request, at): FusedHit[] => {
        const nearest = nearestOf(request, near).filter(({ kind, id }) => !hidden.get(kind)?.has(id));
        const segments = request.kinds.flatMap((kind) => byKind.get(kind)!);
        const options = { allows: allowsOf(audience), dead, statistics: statistics[at]!, maxPostings };
        if (nearest.length === 0) return search(segments, queries[at]!, { ...options, limit: request.limit });
        return fuseRanks(rank(segments, queries[at]!, { ...options, limit: MAX_FUSED_UNITS }), nearest, request.limit);
      });
      const contents = await this.#stored.contents(audience, found.flat());
      const gone = found.flat().filter((hit) => !contents.has(keyOf(hit)));
      if (gone.length === 0 || round === maxRounds) {
        return requests.map((request, at) => {
          const { units } = statistics[at]!;
          const scored = found[at]!.flatMap((hit) => {
            const content = contents.get(keyOf(hit));
            return content === undefined ? [] : [withContent(hit, content, units, request.queryEmbedding)];
          });
          const plain = request.sentences === false;
          return (
            plain ? scored.map(withPlainSentences) : this.#withSentences(scored, queries[at]!, statistics[at]!)
          ) as HitOf<Kind>[];
        });
      }
      for (const [kind, ofKind] of Map.groupBy(gone, (hit) => hit.kind as UnitKind)) {
        const ids = ofKind.map((hit) => hit.id);
        hidden.set(kind, union(new Set(ids), hidden.get(kind)));
        await this.#stored.findDead(kind, ids);
      }
    }
  }

  async #near(requests: readonly TwinQuery<UnitKind>[]): Promise<Map<QueryEmbedding, NearUnit[]>> {
    const found = new Map<QueryEmbedding, NearUnit[]>();
    for (const [queryEmbedding, about] of Map.groupBy(requests, (request) => request.queryEmbedding ?? null)) {
      const kinds = embeddedKinds.filter((kind) => about.some((request) => request.kinds.includes(kind)));
      if (queryEmbedding === null || kinds.length === 0) continue;
      const { audience } = about[0]!;
      const leftOut = this.#leftOut;
      const { tx, twinId, vectorStamp: stamp } = this.#stored;
      const near = await nearestUnits(tx, cache, {
        twinId,
        stamp,
        audience,
        kinds,
        queryEmbedding,
        limit: MAX_FUSED_UNITS,
        leftOut,
      });
      // A nearest neighbour always exists, so units no closer than unrelated texts are dropped.
      found.set(
        queryEmbedding,
        near.filter(({ kind, similarity }) => isSimilarEnough(similarity, calibrationFor(queryEmbedding.scale, kind))),
      );
    }
    return found;
  }

  get tx(): Tx {
    return this.#stored.tx;
  }

  /** Returns all chunks that the audience may see if they fit, in a stable order and with equal scores; else none. */
  async wholeKnowledge(audience: Audience, characters: number): Promise<ChunkContent[]> {
    const leftOut = this.#leftOut.get("chunk");
    const all = await this.#stored.allChunks(audience, characters);
    return leftOut === undefined ? all : all.filter(({ id }) => !leftOut.has(id));
  }

  /** Returns the chunks directly before and after these in their documents that the audience may see. */
  async neighbours(audience: Audience, ids: readonly number[]): Promise<ChunkContent[]> {
    const leftOut = this.#leftOut.get("chunk");
    const all = await this.#stored.neighbours(audience, ids);
    return leftOut === undefined ? all : all.filter(({ id }) => !leftOut.has(id));
  }

  async rankSentences(audience: Audience, query: string, chunks: readonly ChunkHit[]): Promise<ChunkHit[]> {
    const statistics = await this.#statisticsFor(audience, []);
    return this.#withSentences([...chunks], parseQuery(query), statistics) as ChunkHit[];
  }

  /** Returns the rarity of a stem among the chunks and past replies that the audience may see, 0..1; 1 for an unknown stem. */
  async rarity(audience: Audience): Promise<(stem: string) => number> {
    const statistics = await this.#statisticsFor(audience, []);
    return (stem) => statistics.rarity(stem);
  }

  /** Returns short replies that the audience may see, sampled evenly from the whole history, whatever they answered. */
  async spreadReplies(audience: Audience, count: number, random: () => number): Promise<ShortReply[]> {
    const ids = await this.#spreadPairs(audience, count, random);
    return readShortReplies(this.#stored.tx, this.#stored.twinId, audience, ids);
  }

  /** Returns how the owner writes to everybody, without replies that are kept from the twin to measure it. */
  async styleSamples(): Promise<StyleSampleContent[]> {
    const leftOut = this.#leftOut.get("example");
    const samples = await this.#stored.styleSamples();
    return samples.filter(({ replyExampleId }) => replyExampleId === null || !leftOut?.has(replyExampleId));
  }

  /**
   * Returns how the owner wrote recently: to this contact, and in published replies. The owner gets the newest pairs of a sample of the
   * whole history. `others` admits pairs with other contacts, limited to `group` when one is named.
   */
  async recentExchanges(
    audience: Audience,
    { group, others, random }: { group: string | null; others: boolean; random: () => number },
  ): Promise<(ReplyExampleContent | OpenContent)[]> {
    const among = audience.kind === "owner" ? await this.#spreadPairs(audience, EXCHANGES_AMONG, random) : [];
    const leftOut = [...(this.#leftOut.get("example") ?? [])];
    const openLeftOut = [...(this.#leftOut.get("open") ?? [])];
    return this.#stored.exchanges(audience, { among, leftOut, openLeftOut, group, others });
  }

  /** Returns ids of pairs whose reply the audience may see, sampled evenly from the whole history. */
  async #spreadPairs(audience: Audience, count: number, random: () => number): Promise<number[]> {
    if (!mayReadKind(audience, "example")) return [];
    const allows = allowsOf(audience);
    const hidden = this.#leftOut.get("example");
    const ids: number[] = [];
    const ranges = (await this.#stored.segments("example")).flatMap(({ ids, audiences, audienceStarts }) =>
      [...audiences.keys()]
        .filter((at) => allows(audiences[at]!))
        .map((at) => ids.subarray(audienceStarts[at]!, audienceStarts[at + 1]!)),
    );
    const all = ranges.reduce((sum, range) => sum + range.length, 0);
    const step = Math.max(1, all / count);
    let before = 0;
    let next = random() * step;
    for (const range of ranges) {
      for (; next < before + range.length; next += step) {
        const id = range[Math.floor(next - before)]!;
        if (!hidden?.has(id)) ids.push(id);
      }
      before += range.length;
    }
    return ids;
  }

  async #statisticsFor(audience: Audience, kinds: readonly UnitKind[]): Promise<TermStatistics> {
    const counted = [...new Set([...alwaysCounted, ...kinds])].filter((kind) => mayReadKind(audience, kind));
    const segments: Segment[] = [];
    for (const kind of counted) segments.push(...(await this.#stored.segments(kind)));
    const key = [audience.kind, audience.kind === "contact" ? audience.contactId : "", ...counted].join(" ");
    const known = this.#statistics.get(key);
    // Until it is fully loaded, an index may lack a segment that could not be read.
    if (known?.segments.length === segments.length && segments.every((one, at) => one === known.segments[at]))
      return known;
    const statistics = new TermStatistics(segments, allowsOf(audience));
    this.#statistics.set(key, statistics);
    return statistics;
  }

  #withSentences(hits: (Found & UnitContent)[], query: Query, statistics: TermStatistics): (Found & UnitContent)[] {
    const chunks = hits.filter((hit) => hit.kind === "chunk");
    if (chunks.length === 0) return hits;
    const texts = chunks.map((hit) => ({ sentences: sentencesOf(hit.text), score: hit.score }));
    const scored = scoreSentences(texts, weighForSentences(query, statistics));
    const sentences = new Map(chunks.map((hit, at) => [hit, scored[at]!]));
    return hits.map((hit) => (hit.kind === "chunk" ? { ...hit, sentences: sentences.get(hit)! } : hit));
  }
}

function nearestOf(
  { queryEmbedding, kinds }: TwinQuery<UnitKind>,
  near: ReadonlyMap<QueryEmbedding, NearUnit[]>,
): NearUnit[] {
  const found = queryEmbedding ? near.get(queryEmbedding) : undefined;
  return found?.filter(({ kind }) => kinds.includes(kind)) ?? [];
}

function withContent(
  hit: FusedHit,
  content: UnitContent,
  units: number,
  queryEmbedding: QueryEmbedding | null | undefined,
): Found & UnitContent {
  const meant =
    queryEmbedding && hit.similarity !== undefined
      ? likelihoodOf(hit.similarity, calibrationFor(queryEmbedding.scale, hit.kind as EmbeddedKind))
      : 0;
  return { ...content, score: hit.score, match: hit.match, confidence: confidenceOf(hit.match, units), meant };
}

function withPlainSentences(hit: Found & UnitContent): Found & UnitContent {
  if (hit.kind !== "chunk") return hit;
  return { ...hit, sentences: sentencesOf(hit.text).map((text) => ({ text, score: hit.score })) } as ChunkHit;
}

const keyOf = ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`;

function union(one: ReadonlySet<number>, other: ReadonlySet<number> | undefined): ReadonlySet<number> {
  if (other === undefined || other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
}

/** Shared by the whole process, so that its size limit covers all twins. */
let cache = new IndexCache(256 * 2 ** 20);

/** Limits the memory of all indexes together and empties the cache. Called once at start. */
export function setIndexCacheBytes(bytes: number): void {
  cache = new IndexCache(bytes);
}

// Other processes do not see this event; their copies are unreachable and are evicted when room is needed.
onTwinDeleted((twinId) => cache.forget(twinId));

/** Opens the index with one query for its state; nothing is loaded before the first search. Throws `notFound`. */
export async function openTwinIndex(tx: Tx, twinId: string): Promise<TwinIndex> {
  return new TwinIndex(await StoredIndex.open(cache, tx, twinId));
}

export function twinIndexAt(tx: Tx, twinId: string, stamps: Stamps, leftOut?: LeftOut): TwinIndex {
  return new TwinIndex(new StoredIndex(cache, tx, twinId, stamps), leftOut);
}

export async function searchTwin<Kind extends UnitKind>(
  tx: Tx,
  { twinId, ...request }: TwinQuery<Kind> & { twinId: string },
): Promise<HitOf<Kind>[]> {
  return (await openTwinIndex(tx, twinId)).search(request);
}
