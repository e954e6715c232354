/** Chooses what a prompt shows of the found chunks: all of them, or the pieces that say most to the message. */
import type { ReplyChunk } from "#server/knowledge/search/chunk.ts";
import { quotationOf } from "../reading/quotation.ts";
import type { Citation } from "../reading/reader.ts";

/** Characters of a chunk in a prompt, its title included. */
export const sizeOfChunk = ({ text, heading, name }: ReplyChunk): number => text.length + heading.length + name.length;

/**
 * Whole chunks where they fit. Otherwise pieces that the author wrote as one (reading/quotation.ts): first those that the extractive
 * reader would say or quote, then the best of each chunk, because the right chunk is often not the first found, then the rest by the
 * scores of their sentences. They are shown in the order of the text. A chunk whose sentences were not ranked comes whole or not at all.
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
 * What the extractive reader would say or quote, and nothing else of the chunks.
 * @param budget characters: `first` of the likeliest piece, `all` of all pieces where that one is not longer
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

/** The first first, as long as they fit; in the order of the text. */
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

/** The place of each piece: its chunk and the first sentence that it contains. */
function placesOf(read: readonly Citation[], found: readonly ReplyChunk[]): Place[] {
  return read.flatMap(({ text, chunk: { id } }) => {
    const chunk = found.find((one) => one.id === id);
    const at = chunk?.sentences.findIndex((sentence) => text.includes(sentence.text.trim())) ?? -1;
    return chunk === undefined || at < 0 ? [] : [{ chunk, at, score: chunk.sentences[at]!.score }];
  });
}

/** Characters: less room than this is not worth using. */
const MIN_BUDGET = 200;
const GAP = "\n";
/** Index that stands for the whole of a chunk without sentences. */
const WHOLE = -1;

interface Place {
  chunk: ReplyChunk;
  /** Index among the chunk's sentences. */
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
  // The owner's corrections go before documents.
  best.sort((a, b) => taught(b) - taught(a));
  return [...best, ...places.flatMap(([, ...rest]) => rest).sort(byScore)];
}

const taught = ({ chunk }: Place): number => (chunk.documentId === "" ? 1 : 0);

/** Empty where the taken pieces already say it; the sentence alone where its piece would repeat part of them. */
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
