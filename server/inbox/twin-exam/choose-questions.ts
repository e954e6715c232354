/** Chooses what a twin is asked in its exam: questions of letters, what its documents are about, and what customers usually ask. */
import { and, desc, eq } from "drizzle-orm";
import { TWIN_EXAM_QUESTIONS } from "#contract/twin-exam.ts";
import { standsAlone } from "#server/inbox/what-to-ask/choose-pair.ts";
import { USUAL_QUESTIONS } from "#server/inbox/what-to-ask/document-questions.ts";
import { listPairs, type StoredPair } from "#server/inbox/what-to-ask/history-pairs.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { chunks, documents } from "#server/platform/db/schema/knowledge.ts";

/** Most questions of one kind, while the other kinds have enough. */
const LETTERS = 8;
const USUAL = 6;
/** Number of the newest pieces of documents from which some are drawn, however many there are. */
const PIECES = 400;

/** A piece of a document that every asker may know. */
export interface Piece {
  documentId: string;
  title: string;
  heading: string | null;
  text: string;
}

export interface Chosen {
  letters: StoredPair[];
  pieces: Piece[];
  usual: string[];
}

/** Returns nothing at all when there are neither documents nor questions in letters: usual questions alone show nothing. */
export async function chooseQuestions(tx: Tx, twinId: string): Promise<Chosen> {
  const asked = (await listPairs(tx, twinId)).filter(({ incoming }) => standsAlone(incoming));
  const everyLetter = inTurns(
    distinct(asked, ({ incoming }) => incoming),
    ({ contactId }) => contactId,
  );
  const everyPiece = inTurns(await publicPieces(tx, twinId), ({ documentId }) => documentId);
  if (everyLetter.length + everyPiece.length === 0) return { letters: [], pieces: [], usual: [] };
  const pieces = everyPiece.slice(0, TWIN_EXAM_QUESTIONS - Math.min(everyLetter.length, LETTERS) - USUAL);
  const letters = everyLetter.slice(0, TWIN_EXAM_QUESTIONS - pieces.length - USUAL);
  const left = TWIN_EXAM_QUESTIONS - letters.length - pieces.length;
  return { letters, pieces, usual: USUAL_QUESTIONS.slice(0, Math.min(left, USUAL)) };
}

async function publicPieces(tx: Tx, twinId: string): Promise<Piece[]> {
  const rows = await tx
    .select({ documentId: chunks.documentId, title: documents.name, heading: chunks.heading, text: chunks.text })
    .from(chunks)
    .innerJoin(documents, eq(documents.id, chunks.documentId))
    .where(and(eq(chunks.twinId, twinId), eq(chunks.audience, 0)))
    .orderBy(desc(chunks.id))
    .limit(PIECES);
  return distinct(rows, ({ documentId, heading }) => `${documentId} ${heading ?? ""}`);
}

function distinct<T>(some: readonly T[], keyOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return some.filter((one) => {
    const key = keyOf(one).trim().toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

/** One of each group, then a second one of each: a long document or a talkative contact must not fill the exam. */
function inTurns<T>(some: readonly T[], groupOf: (one: T) => string | number): T[] {
  const groups = [...Map.groupBy(some, groupOf).values()];
  const most = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: most }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
