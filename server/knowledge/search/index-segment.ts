// An immutable part of a twin's index: up to 65,535 units and, for two fields (stems, character 4-grams), a posting list per term. Units
// are numbered by (audience, id), so the units visible to one audience form a few contiguous ranges: filtering precedes ranking at no
// cost.

/** One of the two fields of a segment. Array lengths: `n` terms, `u` units, `p` postings. */
export interface Field {
  /** 53-bit hashes of the terms, ascending (n). */
  keys: Float64Array;
  /** Start of the keys in each equal slice of the hash space (a power of two, plus one). */
  directory: Uint32Array;
  /** Start of each term's postings (n + 1). */
  starts: Uint32Array;
  /** Unit numbers of the postings, ascending within a term (p). */
  units: Uint16Array;
  /** Occurrences of the term in that unit, capped at 255 (p). */
  counts: Uint8Array;
  /** Each term's highest count in a unit (n). With `shortest` it bounds the term's BM25 score from above. */
  peakCounts: Uint8Array;
  /** Length of the shortest unit with each term (n). */
  shortest: Uint16Array;
  /** Number of terms in each unit, capped at 65,535 (u). */
  lengths: Uint16Array;
  /** Number of terms in all units together. */
  totalLength: number;
}

/** Units of unlike length (chunks, messages) are kept in segments of different kinds. */
export interface Segment {
  kind: string;
  /** Ids in the order (audience, id). */
  ids: Float64Array;
  /** Distinct audiences, ascending. */
  audiences: Float64Array;
  /** Start of each audience's units, and the end of the last one's. */
  audienceStarts: Uint32Array;
  stems: Field;
  grams: Field;
}

export const maxUnits = 65_535;

const hashSpace = 2 ** 53;

/** 53-bit hash of a term by two lanes of multiply-and-shift mixing; half a million terms collide with odds of 1 in 70,000. */
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

export function findTerm(field: Field, key: number): number {
  const { keys, directory } = field;
  const slice = Math.floor((key / hashSpace) * (directory.length - 1));
  const end = directory[slice + 1]!;
  for (let at = directory[slice]!; at < end; at++) if (keys[at] === key) return at;
  return -1;
}

/** Creates the directory of ascending keys, with about four keys per slice. */
export function makeDirectory(keys: Float64Array): Uint32Array {
  let slices = 1;
  while (slices * 4 < keys.length) slices *= 2;
  const directory = new Uint32Array(slices + 1);
  for (const key of keys) directory[Math.floor((key / hashSpace) * slices) + 1]!++;
  for (let at = 1; at <= slices; at++) directory[at]! += directory[at - 1]!;
  return directory;
}
