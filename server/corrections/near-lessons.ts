/** Which corrected questions mean what is asked now. */

import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Tx } from "#server/db/database.ts";
import { similarityTo } from "#server/search/meaning/codes.ts";
import { likelihoodOf } from "#server/search/meaning/meaning-scale.ts";
import type { Meaning } from "#server/search/meaning/meanings.ts";
import type { LearntRow } from "./learnt.ts";

/** Vectors of a correction never change but with its model: 20,000 of 1,024 dimensions are 20 MB. */
const kept = new LRUCache<string, Buffer>({
  max: 20_000,
  maxSize: 20 * 2 ** 20,
  sizeCalculation: (codes) => codes.length + 1,
});

/** By the correction's id: how likely it is that its question, and each rewording of it, means the same, 0..1. Those without a vector are not there. */
export async function nearLessons(
  tx: Pick<Tx, "execute">,
  rows: readonly Pick<LearntRow, "id" | "kind">[],
  meaning: Meaning,
): Promise<Map<string, number[]>> {
  const ids = rows.filter(({ kind }) => kind !== "style").map(({ id }) => id);
  const keyOf = (id: string) => `${meaning.model} ${id}`;
  const unknown = ids.filter((id) => !kept.has(keyOf(id)));
  if (unknown.length > 0) {
    const { rows } = await tx.execute(codesOf(unknown, meaning.model));
    for (const { id, codes } of rows) kept.set(keyOf(id as string), Buffer.from(codes as Buffer));
  }
  const near = new Map<string, number[]>();
  for (const id of ids) {
    const codes = kept.get(keyOf(id));
    if (codes !== undefined) near.set(id, likelihoods(codes, meaning));
  }
  return near;
}

const codesOf = (ids: readonly string[], model: string): SQL => sql`
  select id, meaning_codes as codes from corrections
  where id = any(${sql.param(ids)}::uuid[]) and meaning_model = ${model} and meaning_codes is not null`;

function likelihoods(codes: Buffer, { vector, scale }: Meaning): number[] {
  const all: number[] = [];
  for (let from = 0; from + vector.length <= codes.length; from += vector.length)
    all.push(likelihoodOf(similarityTo(vector, codes.subarray(from, from + vector.length)), scale.exemplar));
  return all;
}
