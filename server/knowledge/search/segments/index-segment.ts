// An immutable piece of a twin's index: up to 65,535 units and, for each of two fields (stems, character 4-grams),
// the list of units every term occurs in. Units are numbered inside the segment in the order (audience, id), so what one
// audience may see is a handful of contiguous ranges: the filter costs nothing and happens before ranking.

/** One of the two fields of a segment. `n` terms, `u` units, `p` postings. */
export interface Field {
  /** 53-bit hashes of the terms, ascending (n). */
  keys: Float64Array;
  /** Where the keys of each equal slice of the hash space begin (a power of two, plus one). */
  directory: Uint32Array;
  /** Where the postings of each term begin (n + 1). */
  starts: Uint32Array;
  /** Units of the postings, ascending within a term (p). */
  units: Uint16Array;
  /** How often the term occurs in that unit, at most 255 (p). */
  counts: Uint8Array;
  /** For each term its greatest count and the shortest unit that it occurs in (n); they bound its BM25 score from above. */
  peakCounts: Uint8Array;
  shortest: Uint16Array;
  /** Terms in each unit, at most 65,535 (u), and in all units together. */
  lengths: Uint16Array;
  totalLength: number;
}

/** What a segment holds; units of unlike length (chunks, messages) live in segments of different kinds. */
export interface Segment {
  kind: string;
  /** Ids in the order (audience, id). */
  ids: Float64Array;
  /** Distinct audiences, ascending, and where each one's units begin (one more than audiences). */
  audiences: Float64Array;
  audienceStarts: Uint32Array;
  stems: Field;
  grams: Field;
}

export const maxUnits = 65_535;

const hashSpace = 2 ** 53;

/** A 53-bit hash of a term. Two lanes of multiply-and-shift mixing; half a million terms collide with odds of 1 in 70,000. */
export function termKey(term: string): number {
  let high = 0x2f0b4f31 ^ term.length;
  let low = 0x9a3c71d5;
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    high = Math.imul(high ^ code, 0x85ebca6b);
    low = Math.imul(low ^ code, 0xc2b2ae35);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (low >>> 16), 0x27d4eb2f);
  low = Math.imul(low ^ (high >>> 15), 0x165667b1);
  high ^= high >>> 13;
  low ^= low >>> 16;
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

/** The number of the term with this key in the field, or −1. */
export function findTerm(field: Field, key: number): number {
  const { keys, directory } = field;
  const slice = Math.floor((key / hashSpace) * (directory.length - 1));
  const end = directory[slice + 1]!;
  for (let at = directory[slice]!; at < end; at++) if (keys[at] === key) return at;
  return -1;
}

/** The directory of ascending keys: about four keys a slice. */
export function makeDirectory(keys: Float64Array): Uint32Array {
  let slices = 1;
  while (slices * 4 < keys.length) slices *= 2;
  const directory = new Uint32Array(slices + 1);
  for (const key of keys) directory[Math.floor((key / hashSpace) * slices) + 1]!++;
  for (let at = 1; at <= slices; at++) directory[at]! += directory[at - 1]!;
  return directory;
}
