import { onTwinDeleted } from "#server/accounts/twins/deleted-twins.ts";
import { sentencesOf } from "#server/knowledge/documents/chunk-sentences.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { calibrationFor, isSimilarEnough, likelihoodOf } from "./embeddings/embedding-scale.ts";
import { type FusedHit, fuseRanks, MAX_FUSED_UNITS } from "./embeddings/fuse-ranks.ts";
import { type EmbeddedKind, embeddedKinds, type NearUnit, nearestUnits } from "./embeddings/nearest-units.ts";
import type { QueryEmbedding } from "./embeddings/query-embedder.ts";
import { IndexCache } from "./index-cache.ts";
import { confidenceOf } from "./ranking/answerability.ts";
import type { Match } from "./ranking/found-unit.ts";
import { parseQuery, type Query } from "./ranking/query-terms.ts";
import { type ScoredSentence, scoreSentences, weighForSentences } from "./ranking/score-sentences.ts";
import { rank, search } from "./ranking/search-segments.ts";
import { TermStatistics } from "./ranking/term-statistics.ts";
import type { Segment } from "./segments/index-segment.ts";
import { type IndexSource, type Stamps, StoredIndex } from "./stored-index.ts";
import {
  type ChunkContent,
  type MessageContent,
  type OpenContent,
  type ReplyExampleContent,
  readExchanges,
  readShortReplies,
  type ShortReply,
  type UnitContent,
} from "./twin-hits.ts";
import { type Audience, allowsOf, mayReadKind, type UnitKind } from "./twin-units.ts";

/** How a found unit fits the query. */
interface Found {
  /** 0..1, relative to the best found. */
  score: number;
  /** 0..1: how likely it answers (see `confidenceOf`). */
  confidence: number;
  /** 0..1: how likely it is what is meant, whatever the words; 0 where that is not known. */
  meant: number;
  match: Match;
}

/** Sentences stand in the order of the text; their scores compare across the chunks of one search. */
export type ChunkHit = Found & ChunkContent & { sentences: ScoredSentence[] };
export type ReplyExampleHit = Found & ReplyExampleContent;
export type OpenHit = Found & OpenContent;
type MessageHit = Found & MessageContent;
type TwinHit = ChunkHit | ReplyExampleHit | OpenHit | MessageHit;
type HitOf<Kind extends UnitKind> = Extract<TwinHit, { kind: Kind }>;

interface TwinQuery<Kind extends UnitKind> {
  audience: Audience;
  query: string;
  /** One ranking over all of them. */
  kinds: readonly Kind[];
  limit: number;
  /** Embedding of the query: units near it are found too, and both rankings are fused. Null or absent: words alone. */
  queryEmbedding?: QueryEmbedding | null;
  /** Whether the sentences of found chunks are ranked, which costs more than finding them; yes unless told. */
  sentences?: boolean;
}

/** Beyond this many postings a search looks at the most promising units only: on a million messages it gives the same
 * first unit for 99 queries of 100 and bounds the time; below about 200,000 messages it changes nothing. */
const maxPostings = 100_000;

/** Rows may have gone, or changed their audience, since they were indexed: then the search is made again without them. */
const maxRounds = 4;

/**
 * Word frequencies come from all of this that the asker may see, and from nothing else: who quotes a letter that is not his must not learn
 * by how sure an answer is that it was written. Messages repeat the reply examples and join only when searched.
 */
const alwaysCounted: readonly UnitKind[] = ["chunk", "example", "open"];

/** Pairs from all over the history of which the newest are read: reading all to find them would cost with the history. */
const EXCHANGES_AMONG = 120;

/** Units, by kind, that are not found however well they fit: as if the twin had never learnt them. */
export type LeftOut = ReadonlyMap<UnitKind, ReadonlySet<number>>;

/** A twin's index in one transaction: opened once, searched as often as needed. */
export class TwinIndex {
  readonly #stored: IndexSource;
  readonly #leftOut: LeftOut;
  /** Term statistics by the audience and kinds that are counted. */
  readonly #statistics = new Map<string, TermStatistics>();

  constructor(stored: IndexSource, leftOut: LeftOut = new Map()) {
    this.#stored = stored;
    this.#leftOut = leftOut;
  }

  /** The units that fit best, best first. Only what the audience may see is ranked and returned. */
  async search<Kind extends UnitKind>(request: TwinQuery<Kind>): Promise<HitOf<Kind>[]> {
    return (await this.searchAll([request]))[0]!;
  }

  /** The same for several queries of one audience: their rows are read together. Kinds that the audience never meets are not looked at. */
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

  /** What is near to the embeddings asked for, in all the kinds that are asked for with them. */
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
      // Something is always nearest: what is no nearer than strangers are is not found.
      found.set(
        queryEmbedding,
        near.filter(({ kind, similarity }) => isSimilarEnough(similarity, calibrationFor(queryEmbedding.scale, kind))),
      );
    }
    return found;
  }

  /** The transaction of the current read. */
  get tx(): Tx {
    return this.#stored.tx;
  }

  /** The chunks with their sentences ranked by how they fit `query`. */
  async rankSentences(audience: Audience, query: string, chunks: readonly ChunkHit[]): Promise<ChunkHit[]> {
    const statistics = await this.#statisticsFor(audience, []);
    return this.#withSentences([...chunks], parseQuery(query), statistics) as ChunkHit[];
  }

  /** How rare a stem is among what the audience may see of chunks and past replies, 0..1; 1 for one that occurs nowhere. */
  async rarity(audience: Audience): Promise<(stem: string) => number> {
    const statistics = await this.#statisticsFor(audience, []);
    return (stem) => statistics.rarity(stem);
  }

  /** Short replies that the audience may see, taken evenly from all over the history, whatever they answered. */
  async spreadReplies(audience: Audience, count: number, random: () => number): Promise<ShortReply[]> {
    const ids = await this.#spreadPairs(audience, count, random);
    return readShortReplies(this.#stored.tx, this.#stored.twinId, audience, ids);
  }

  /**
   * How the owner wrote lately: to the contact, and of what is open to all; the owner gets the newest of pairs from all over the history.
   * Others' are of a group of manner alone where one is named, and none unless they are asked for.
   */
  async recentExchanges(
    audience: Audience,
    { group, others, random }: { group: string | null; others: boolean; random: () => number },
  ): Promise<(ReplyExampleContent | OpenContent)[]> {
    const among = audience.kind === "owner" ? await this.#spreadPairs(audience, EXCHANGES_AMONG, random) : [];
    const leftOut = [...(this.#leftOut.get("example") ?? [])];
    const openLeftOut = [...(this.#leftOut.get("open") ?? [])];
    return readExchanges(this.#stored.tx, this.#stored.twinId, audience, {
      among,
      leftOut,
      openLeftOut,
      group,
      others,
    });
  }

  /** Ids of pairs whose reply the audience may see, taken evenly from all over the history. */
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

  /** Statistics over the kinds that are always counted and these kinds, as far as the audience may see them. */
  async #statisticsFor(audience: Audience, kinds: readonly UnitKind[]): Promise<TermStatistics> {
    const counted = [...new Set([...alwaysCounted, ...kinds])].filter((kind) => mayReadKind(audience, kind));
    const segments: Segment[] = [];
    for (const kind of counted) segments.push(...(await this.#stored.segments(kind)));
    const key = [audience.kind, audience.kind === "contact" ? audience.contactId : "", ...counted].join(" ");
    const known = this.#statistics.get(key);
    // Until it is loaded whole, an index may lack a segment that could not be read.
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

/** Each sentence as good as its chunk. */
function withPlainSentences(hit: Found & UnitContent): Found & UnitContent {
  if (hit.kind !== "chunk") return hit;
  return { ...hit, sentences: sentencesOf(hit.text).map((text) => ({ text, score: hit.score })) } as ChunkHit;
}

const keyOf = ({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`;

function union(one: ReadonlySet<number>, other: ReadonlySet<number> | undefined): ReadonlySet<number> {
  if (other === undefined || other.size === 0) return one;
  return one.size === 0 ? other : new Set([...one, ...other]);
}

/** One for the process, so that its bound holds over all twins. */
let cache = new IndexCache(256 * 2 ** 20);

/** Bounds the memory of all indexes together; drops what is held. Called once at start. */
export function setIndexCacheBytes(bytes: number): void {
  cache = new IndexCache(bytes);
}

// The copies of other processes, which nothing can reach any more, leave when room is needed.
onTwinDeleted((twinId) => cache.forget(twinId));

/** One query that tells what changed; nothing is loaded before the first search. Throws `notFound`. */
export async function openTwinIndex(tx: Tx, twinId: string): Promise<TwinIndex> {
  return new TwinIndex(await StoredIndex.open(cache, tx, twinId));
}

/** The same where the stamps have been read already, in this transaction. */
export function twinIndexAt(tx: Tx, twinId: string, stamps: Stamps, leftOut?: LeftOut): TwinIndex {
  return new TwinIndex(new StoredIndex(cache, tx, twinId, stamps), leftOut);
}

/** Opens the twin's index and searches it once. */
export async function searchTwin<Kind extends UnitKind>(
  tx: Tx,
  { twinId, ...request }: TwinQuery<Kind> & { twinId: string },
): Promise<HitOf<Kind>[]> {
  return (await openTwinIndex(tx, twinId)).search(request);
}
