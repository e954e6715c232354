/** Chooses the parts of the found chunks that a prompt contains: all, or the most relevant pieces. */
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { quotationOf } from "../extraction/quotation.ts";
import type { Citation } from "../extraction/reader.ts";

export const sizeOfChunk = ({ text, heading, name }: ReplyChunk): number => text.length + heading.length + name.length;

/**
 * Returns whole chunks if they fit, otherwise coherent pieces (extraction/quotation.ts). Pieces that the extractive reader would use come
 * first. The best piece of each chunk follows, because the right chunk is often not the first, then the rest by sentence score. Pieces
 * keep the order of the text. A chunk without ranked sentences comes whole or not at all.
 * @param budget characters
 * @param read pieces of these chunks, the likeliest first
 */
export function excerpts(found: readonly ReplyChunk[], budget: number, read: readonly Citation[] = []): ReplyChunk[] {
  if (found.reduce((sum, one) => sum + sizeOfChunk(one), 0) <= budget) return [...found];
  const kept = piecesAt([...placesOf(read, found), ...byUse(found)], found, budget);
  const [best] = found;
  if (kept.length > 0 || best === undefined || budget < MIN_BUDGET) return kept;
  return [{ ...best, text: best.text.slice(0, budget) }];
}

/**
 * Returns only the pieces that the extractive reader would use.
 * @param budget characters: `first` for the likeliest piece; `all` for all pieces, unless that one is longer
 * @param read pieces of these chunks, the likeliest first
 */
export function onlyPieces(
  found: readonly ReplyChunk[],
  { first, all }: { first: number; all: number },
  read: readonly Citation[],
): ReplyChunk[] {
  const taken = new Map<string, string[]>(found.map(({ id }) => [id, []]));
  let left = first;
  for (const { text, chunk } of read) {
    const pieces = taken.get(chunk.id);
    if (pieces === undefined || pieces.some((piece) => piece.includes(text))) continue;
    const cost = text.length + (pieces.length === 0 ? chunk.heading.length + chunk.name.length : GAP.length);
    if (cost > left) continue;
    left = Math.min(left, Math.max(all, cost)) - cost;
    taken.set(chunk.id, [...pieces.filter((piece) => !text.includes(piece)), text]);
  }
  return found.flatMap((chunk) => {
    const pieces = taken.get(chunk.id)!;
    return pieces.length === 0 ? [] : [{ ...chunk, text: pieces.join(GAP) }];
  });
}

/** Takes places in the given order while they fit; returns their pieces in the order of the text. */
function piecesAt(places: readonly Place[], found: readonly ReplyChunk[], budget: number): ReplyChunk[] {
  const taken = new Map(found.map((chunk) => [chunk, new Map<number, string>()]));
  let left = budget;
  for (const { chunk, at } of places) {
    const pieces = taken.get(chunk)!;
    const text = pieceAt(chunk, at, [...pieces.values()]);
    const cost = text.length + (pieces.size === 0 ? chunk.heading.length + chunk.name.length : GAP.length);
    if (text === "" || cost > left) continue;
    left -= cost;
    pieces.set(at, text);
  }
  return found.flatMap((chunk) => {
    const pieces = [...taken.get(chunk)!].sort(([a], [b]) => a - b).map(([, text]) => text);
    return pieces.length === 0 ? [] : [{ ...chunk, text: pieces.join(GAP) }];
  });
}

function placesOf(read: readonly Citation[], found: readonly ReplyChunk[]): Place[] {
  return read.flatMap(({ text, chunk: { id } }) => {
    const chunk = found.find((one) => one.id === id);
    const at = chunk?.sentences.findIndex((sentence) => text.includes(sentence.text.trim())) ?? -1;
    return chunk === undefined || at < 0 ? [] : [{ chunk, at, score: chunk.sentences[at]!.score }];
  });
}

/** Minimum room in characters; less is not worth using. */
const MIN_BUDGET = 200;
const GAP = "\n";
const WHOLE = -1;

interface Place {
  chunk: ReplyChunk;
  at: number;
  score: number;
}

function byUse(found: readonly ReplyChunk[]): Place[] {
  const byScore = (a: Place, b: Place) => b.score - a.score;
  const places = found.map((chunk) =>
    chunk.sentences.length === 0
      ? [{ chunk, at: WHOLE, score: chunk.score }]
      : chunk.sentences.map(({ score }, at) => ({ chunk, at, score })).sort(byScore),
  );
  const best = places.flatMap(([first]) => first ?? []);
  // The owner's corrections precede documents.
  best.sort((a, b) => taught(b) - taught(a));
  return [...best, ...places.flatMap(([, ...rest]) => rest).sort(byScore)];
}

const taught = ({ chunk }: Place): number => (chunk.documentId === "" ? 1 : 0);

/** Empty when the taken pieces already contain it; only the sentence when its piece would partly repeat them. */
function pieceAt(chunk: ReplyChunk, at: number, taken: readonly string[]): string {
  if (at === WHOLE) return chunk.text;
  const { text: sentence } = chunk.sentences[at]!;
  const piece = quotationOf(sentence, chunk)?.text ?? "";
  const said = taken.join(GAP);
  if (said === "" || piece === "") return piece;
  const plain = sentence.trim();
  if (said.includes(plain) || said.includes(piece)) return "";
  const again = chunk.sentences.some(({ text }) => piece.includes(text.trim()) && said.includes(text.trim()));
  return again ? plain : piece;
}
