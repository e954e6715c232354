/**
 * Vectors of the pieces that a passage may be quoted by. Of a passage as a whole a vector tells what it is about; which of its rows and
 * sentences answers, only theirs tell.
 */
import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { unitRows } from "../twin-units.ts";
import { encodeVector, similarityTo } from "./codes.ts";
import { LONGEST_TEXT } from "./embedder.ts";
import { type Learning, tokensOf } from "./learning.ts";
import type { Meaning } from "./meanings.ts";

/** Passages of one request. */
const BATCH = 8;
/** Of one passage: a table of more rows is known by its first. */
export const MOST_PIECES = 40;

interface CutPassage {
  /** Of its row of `embeddings`. */
  id: number;
  /** Under its document's name and heading, as the model is given them. */
  texts: string[];
}

/**
 * All of a twin's passages that have a vector, the newest first.
 * @param piecesOf what a passage's text is cut into; the same text gives the same pieces
 * @returns false when the day's tokens are spent
 */
export async function learnPieces(learning: Learning, piecesOf: (text: string) => readonly string[]): Promise<boolean> {
  for (;;) {
    const passages = await learning.within((tx) => readUncut(tx, learning.twinId, piecesOf));
    if (passages.length === 0) return true;
    const texts = passages.flatMap((passage) => passage.texts);
    if ((await learning.affordable(texts)) < texts.length) return false;
    const { vectors, tokens = tokensOf(texts) } =
      texts.length === 0 ? { vectors: [], tokens: 0 } : await learning.embed(texts, "passage");
    await learning.within(async (tx) => {
      let from = 0;
      for (const { id, texts: own } of passages) {
        const codes = vectors.slice(from, from + own.length).map((vector) => encodeVector(vector).codes);
        from += own.length;
        await tx.execute(sql`update embeddings set piece_codes = ${Buffer.concat(codes)} where id = ${id}`);
      }
      if (tokens > 0) await learning.count(tx, tokens);
    });
  }
}

async function readUncut(tx: Tx, twinId: string, piecesOf: (text: string) => readonly string[]): Promise<CutPassage[]> {
  const { from, heading } = unitRows.passage;
  const { rows } = await tx.execute(sql`
    select e.id, ${heading} as heading, u.text from embeddings e, ${from}
    where e.twin_id = ${twinId} and u.id = e.passage_id and e.piece_codes is null
    order by e.twin_id desc, e.id desc limit ${BATCH}`);
  return (rows as unknown as { id: number; heading: string; text: string }[]).map(({ id, heading: under, text }) => ({
    id,
    texts: piecesOf(text)
      .slice(0, MOST_PIECES)
      .map((piece) => `${under}. ${piece}`.slice(0, LONGEST_TEXT)),
  }));
}

/** Of each passage that has them, by id: the cosine of every piece to what is meant, in their order. */
export async function pieceSimilarities(
  tx: Pick<Tx, "execute">,
  passageIds: readonly number[],
  { model, vector }: Meaning,
): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute(sql`
    select passage_id as id, piece_codes as codes from embeddings
    where passage_id = any(${sql.param(passageIds)}::bigint[]) and model = ${model} and piece_codes is not null`);
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
