/**
 * Embeds the quotable pieces of chunks. A chunk's own embedding shows its subject; only those of its rows and sentences show which of
 * them answers.
 */
import { sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { encodeVector, similarityTo } from "./codes.ts";
import { LONGEST_TEXT } from "./embedder.ts";
import { type Learning, tokensOf } from "./learning.ts";
import type { QueryEmbedding } from "./query-embedder.ts";
import { unitRows } from "./twin-units.ts";

const BATCH = 8;
/** Maximum pieces per chunk; only the first rows of a longer table are embedded. */
const MAX_PIECES = 40;

interface CutChunk {
  /** Id of the chunk's row in `embeddings`. */
  id: number;
  /** The pieces as the model receives them: after the document's name and heading. */
  texts: string[];
}

/**
 * Embeds the pieces of all embedded chunks of a twin, newest first.
 * @param piecesOf splits a chunk's text; deterministic
 * @returns false when the day's tokens are spent
 */
export async function learnPieces(learning: Learning, piecesOf: (text: string) => readonly string[]): Promise<boolean> {
  for (;;) {
    const chunks = await learning.within((tx) => readUncut(tx, learning.twinId, piecesOf));
    if (chunks.length === 0) return true;
    const texts = chunks.flatMap((chunk) => chunk.texts);
    if ((await learning.affordable(texts)) < texts.length) return false;
    const { vectors, tokens = tokensOf(texts) } =
      texts.length === 0 ? { vectors: [], tokens: 0 } : await learning.embed(texts, "passage");
    await learning.within(async (tx) => {
      let from = 0;
      for (const { id, texts: own } of chunks) {
        const codes = vectors.slice(from, from + own.length).map((vector) => encodeVector(vector).codes);
        from += own.length;
        await tx.execute(sql`update embeddings set piece_codes = ${Buffer.concat(codes)} where id = ${id}`);
      }
      if (tokens > 0) await learning.count(tx, tokens);
    });
  }
}

async function readUncut(tx: Tx, twinId: string, piecesOf: (text: string) => readonly string[]): Promise<CutChunk[]> {
  const { from, heading } = unitRows.chunk;
  const { rows } = await tx.execute(sql`
    select e.id, ${heading} as heading, u.text from embeddings e, ${from}
    where e.twin_id = ${twinId} and u.id = e.chunk_id and e.piece_codes is null
    order by e.twin_id desc, e.id desc limit ${BATCH}`);
  return (rows as unknown as { id: number; heading: string; text: string }[]).map(({ id, heading: under, text }) => ({
    id,
    texts: piecesOf(text)
      .slice(0, MAX_PIECES)
      .map((piece) => `${under}. ${piece}`.slice(0, LONGEST_TEXT)),
  }));
}

/** Returns the cosine of every piece to the query, in order, by chunk id, for chunks with embedded pieces. */
export async function pieceSimilarities(
  tx: Pick<Tx, "execute">,
  chunkIds: readonly number[],
  { model, vector }: QueryEmbedding,
): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute(sql`
    select chunk_id as id, piece_codes as codes from embeddings
    where chunk_id = any(${sql.param(chunkIds)}::bigint[]) and model = ${model} and piece_codes is not null`);
  const found = rows as unknown as { id: number; codes: Buffer }[];
  return new Map(
    found.map(({ id, codes }) => [
      id,
      Array.from({ length: Math.floor(codes.length / vector.length) }, (_, at) =>
        similarityTo(vector, codes.subarray(at * vector.length, (at + 1) * vector.length)),
      ),
    ]),
  );
}
