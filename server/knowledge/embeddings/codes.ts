// Compact storage of embeddings. Only the direction matters, so one signed byte per dimension is enough. The signs alone, one bit per
// dimension, select the few that are compared exactly.

export interface EmbeddingCodes {
  /** One signed byte per dimension, scaled so that the largest is ±127. */
  codes: Buffer;
  /** Bit `i % 8` of byte `i / 8` is set when dimension `i` is positive; padded to whole 32-bit words. */
  signs: Buffer;
}

/** @param vector finite numbers, not all of them zero */
export function encodeVector(vector: ArrayLike<number>): EmbeddingCodes {
  let most = 0;
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at]!));
  const codes = Buffer.alloc(vector.length);
  const signs = Buffer.alloc(Math.ceil(vector.length / 32) * 4);
  for (let at = 0; at < vector.length; at++) {
    const code = Math.round((vector[at]! / most) * 127);
    codes.writeInt8(code, at);
    if (code > 0) signs[at >> 3]! |= 1 << (at & 7);
  }
  return { codes, signs };
}

/** Cosine of a vector of length 1 and a stored one, −1..1; 0 when their models differ. */
export function similarityTo(vector: Float32Array, codes: Buffer): number {
  if (vector.length !== codes.length) return 0;
  const signed = new Int8Array(codes.buffer, codes.byteOffset, codes.length);
  let dot = 0;
  let square = 0;
  for (let at = 0; at < signed.length; at++) {
    const code = signed[at]!;
    dot += code * vector[at]!;
    square += code * code;
  }
  return square === 0 ? 0 : dot / Math.sqrt(square);
}

/** Sign bits of many vectors of the same length, searched all at once. */
export class SignTable {
  readonly #signs: Uint32Array;
  readonly #words: number;
  readonly length: number;

  /** @param signs of `EmbeddingCodes`, all of one length */
  constructor(signs: readonly Buffer[]) {
    this.length = signs.length;
    this.#words = (signs[0]?.length ?? 0) / 4;
    const bytes = Buffer.concat(signs);
    // Copied, because a pooled buffer need not begin at a word boundary.
    this.#signs = new Uint32Array(new Uint8Array(bytes).buffer);
  }

  get size(): number {
    return this.#signs.byteLength;
  }

  /**
   * Returns the indexes of the `limit` vectors with the fewest differing signs, and of ties. The angle between two vectors is roughly
   * proportional to the share of differing signs (Charikar 2002).
   * @param allowed filters indexes before ranking
   */
  nearest(signs: Buffer, limit: number, allowed: (place: number) => boolean): number[] {
    const words = this.#words;
    if (signs.length !== words * 4) return [];
    const asked = new Uint32Array(new Uint8Array(signs).buffer);
    const distances = new Uint16Array(this.length);
    const counts = new Uint32Array(words * 32 + 1);
    for (let place = 0; place < this.length; place++) {
      if (!allowed(place)) {
        distances[place] = NEVER;
        continue;
      }
      let differing = 0;
      for (let word = 0, at = place * words; word < words; word++, at++) {
        // Counts the set bits of a word in parallel (Warren, Hacker's Delight, 5-1).
        let bits = this.#signs[at]! ^ asked[word]!;
        bits -= (bits >>> 1) & 0x5555_5555;
        bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
        differing += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
      }
      distances[place] = differing;
      counts[differing]!++;
    }
    let most = 0;
    for (let found = counts[0]!; found < limit && most < counts.length - 1; ) found += counts[++most]!;
    const near: number[] = [];
    for (let place = 0; place < this.length; place++) if (distances[place]! <= most) near.push(place);
    return near;
  }
}

const NEVER = 65_535;
