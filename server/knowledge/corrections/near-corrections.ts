import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { QueryEmbedding } from "#server/knowledge/embeddings/query-embedder.ts";
import { likelihoodByEmbedding } from "#server/knowledge/question-similarity/question-match.ts";
import type { Tx } from "#server/platform/db/database.ts";
import type { ActiveCorrection } from "./active-corrections.ts";

/** Embeddings by correction and model, which never change: 20,000 of 1,024 dimensions take 20 MB. */
const kept = new LRUCache<string, Buffer>({
  max: 20_000,
  maxSize: 20 * 2 ** 20,
  sizeCalculation: (codes) => codes.length + 1,
});

/**
 * Returns by correction id the likelihood, 0..1, that its question and each other wording mean the same; only for those with embeddings.
 */
export async function nearCorrections(
  tx: Pick<Tx, "execute">,
  rows: readonly Pick<ActiveCorrection, "id" | "kind">[],
  queryEmbedding: QueryEmbedding,
): Promise<Map<string, number[]>> {
  const ids = rows.filter(({ kind }) => kind !== "style").map(({ id }) => id);
  const keyOf = (id: string) => `${queryEmbedding.model} ${id}`;
  const unknown = ids.filter((id) => !kept.has(keyOf(id)));
  if (unknown.length > 0) {
    const { rows } = await tx.execute(codesOf(unknown, queryEmbedding.model));
    for (const { id, codes } of rows) kept.set(keyOf(id as string), Buffer.from(codes as Buffer));
  }
  const near = new Map<string, number[]>();
  for (const id of ids) {
    const codes = kept.get(keyOf(id));
    if (codes !== undefined) near.set(id, likelihoods(codes, queryEmbedding));
  }
  return near;
}

const codesOf = (ids: readonly string[], model: string): SQL => sql`
  select id, embedding_codes as codes from corrections
  where id = any(${sql.param(ids)}::uuid[]) and embedding_model = ${model} and embedding_codes is not null`;

function likelihoods(codes: Buffer, { vector, scale }: QueryEmbedding): number[] {
  const all: number[] = [];
  for (let from = 0; from + vector.length <= codes.length; from += vector.length)
    all.push(likelihoodByEmbedding({ vector, scale }, codes.subarray(from, from + vector.length)));
  return all;
}
