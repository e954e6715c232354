/** Finds the twin's chunks and questions nearest to a query by embedding, among those that this audience may see. */
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { encodeVector, SignTable, similarityTo } from "./codes.ts";
import type { QueryEmbedding } from "./query-embedder.ts";
import { type Audience, allowsOf, audienceCondition, mayReadKind, type UnitKind, unitRows } from "./twin-units.ts";

/** Kinds with embeddings. Messages have none: they repeat the pairs, and embedding them all would cost too much. */
export type EmbeddedKind = Exclude<UnitKind, "message">;
export const embeddedKinds: readonly EmbeddedKind[] = ["chunk", "example", "open"];

export interface NearUnit {
  kind: EmbeddedKind;
  id: number;
  /** Cosine of unit and query, −1..1. */
  similarity: number;
}

export interface NearestQuery {
  twinId: string;
  /** Stamp of the twin's embeddings as this transaction sees them. */
  stamp: string;
  audience: Audience;
  kinds: readonly EmbeddedKind[];
  queryEmbedding: QueryEmbedding;
  limit: number;
  leftOut: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Sign bits of a twin's embeddings of one kind, as of `stamp`. */
export interface SignState {
  stamp: string;
  ids: number[];
  audiences: number[];
  table: SignTable;
  /** Stored bytes of embeddings compared earlier, by id; later questions often need the same ones. */
  codes: Map<number, Buffer>;
}

export interface SignCache {
  signs(twinId: string, kind: EmbeddedKind): SignState | undefined;
  keepSigns(twinId: string, kind: EmbeddedKind, state: SignState): void;
}

export async function nearestUnits(tx: Tx, cache: SignCache, query: NearestQuery): Promise<NearUnit[]> {
  const found: NearUnit[] = [];
  const inMemory: Candidates[] = [];
  for (const kind of query.kinds.filter((one) => mayReadKind(query.audience, one))) {
    if (query.queryEmbedding.inDatabase) found.push(...(await nearestInDatabase(tx, kind, query)));
    else {
      const state = await signsOf(tx, cache, kind, query);
      inMemory.push({ kind, state, ids: candidates(state, kind, query) });
    }
  }
  if (inMemory.some(({ state, ids }) => ids.some((id) => !state.codes.has(id)))) {
    await readCodes(tx, inMemory, query);
    for (const { kind, state } of inMemory) cache.keepSigns(query.twinId, kind, state);
  }
  found.push(...inMemory.flatMap((chosen) => compared(chosen, query.queryEmbedding.vector)));
  found.sort((one, other) => other.similarity - one.similarity || one.id - other.id);
  const left = new Map(query.kinds.map((kind) => [kind, query.limit]));
  return found.filter(({ kind }) => {
    left.set(kind, left.get(kind)! - 1);
    return left.get(kind)! >= 0;
  });
}

const ID_COLUMNS = { chunk: "chunk_id", example: "reply_example_id", open: "open_reply_id" } as const;
export const idColumn = (kind: EmbeddedKind): string => ID_COLUMNS[kind];
const unitId = (kind: EmbeddedKind) => sql.raw(`e.${idColumn(kind)}`);

/** SQL for the twin's rows `u` with their embeddings `e` of the model. */
function vectorRows(
  kind: EmbeddedKind,
  { twinId, queryEmbedding }: Pick<NearestQuery, "twinId" | "queryEmbedding">,
): SQL {
  return sql`from ${unitRows[kind].from} join embeddings e on ${unitId(kind)} = u.id
    where e.twin_id = ${twinId} and e.model = ${queryEmbedding.model} and ${unitRows[kind].indexed}`;
}

/** Returns the sign bits, read again when the twin's embeddings have changed. */
async function signsOf(tx: Tx, cache: SignCache, kind: EmbeddedKind, query: NearestQuery): Promise<SignState> {
  const { twinId, queryEmbedding } = query;
  const stamp = `${query.stamp} ${queryEmbedding.model}`;
  const known = cache.signs(twinId, kind);
  if (known?.stamp === stamp) return known;
  const { rows } = await tx.execute(sql`
    select u.id, ${unitRows[kind].audience} as audience, e.signs ${vectorRows(kind, query)}
    and length(e.codes) = ${queryEmbedding.vector.length}`);
  const state: SignState = {
    stamp,
    ids: rows.map((row) => row.id as number),
    audiences: rows.map((row) => row.audience as number),
    table: new SignTable(rows.map((row) => row.signs as Buffer)),
    codes: new Map(),
  };
  cache.keepSigns(twinId, kind, state);
  return state;
}

function candidates({ ids, audiences, table }: SignState, kind: EmbeddedKind, query: NearestQuery): number[] {
  const allows = allowsOf(query.audience);
  const leftOut = query.leftOut.get(kind);
  const { signs } = encodeVector(query.queryEmbedding.vector);
  const allowed = (place: number) => allows(audiences[place]!) && !leftOut?.has(ids[place]!);
  return table.nearest(signs, query.limit, allowed).map((place) => ids[place]!);
}

interface Candidates {
  kind: EmbeddedKind;
  state: SignState;
  ids: number[];
}

/** Reads the bytes not read before, for all kinds at once. Deleted units and those hidden from this audience get none. */
async function readCodes(tx: Tx, chosen: readonly Candidates[], query: NearestQuery): Promise<void> {
  const queries = chosen.map(({ kind, state, ids }) => {
    const missing = sql.param(ids.filter((id) => !state.codes.has(id)));
    return sql`select ${kind}::text as kind, u.id, e.codes ${vectorRows(kind, query)}
      and ${unitId(kind)} = any(${missing}::bigint[]) and ${audienceCondition(query.audience, unitRows[kind].audience)}`;
  });
  const { rows } = await tx.execute(sql.join(queries, sql` union all `));
  for (const { kind, id, codes } of rows) {
    // Copied, because the row's bytes are a slice that keeps the whole response in memory.
    chosen.find((one) => one.kind === kind)!.state.codes.set(id as number, Buffer.from(codes as Buffer));
  }
}

/** Existence and visibility of the units are checked again when their texts are read. */
function compared({ kind, state, ids }: Candidates, vector: Float32Array): NearUnit[] {
  return ids.flatMap((id) => {
    const codes = state.codes.get(id);
    return codes === undefined ? [] : [{ kind, id, similarity: similarityTo(vector, codes) }];
  });
}

/** Searches with pgvector's columns (platform/db/pgvector.ts) instead of the cache: first by sign bits, then by cosine. */
async function nearestInDatabase(tx: Tx, kind: EmbeddedKind, query: NearestQuery): Promise<NearUnit[]> {
  const { audience, queryEmbedding, limit, leftOut } = query;
  const asked = sql`${`[${Array.from(queryEmbedding.vector, (value) => value.toFixed(5)).join()}]`}::halfvec`;
  const hidden = [...(leftOut.get(kind) ?? [])];
  const { rows } = await tx.execute(sql`
    select id, 1 - (near.direction <=> ${asked}) as similarity from (
      select u.id, e.direction ${vectorRows(kind, query)} and vector_dims(e.direction) = ${queryEmbedding.vector.length}
      and ${audienceCondition(audience, unitRows[kind].audience)} and u.id <> all(${sql.param(hidden)}::bigint[])
      order by bit_count(e.direction_signs # binary_quantize(${asked})) limit ${limit}
    ) near order by similarity desc`);
  return rows.map(({ id, similarity }) => ({ kind, id: id as number, similarity: similarity as number }));
}
