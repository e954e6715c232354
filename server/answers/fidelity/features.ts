/**
 * Features of a message for the verifier: hashed and weighted character n-grams of its text, and of the text with topical words masked
 * letter by letter (text distortion, Stamatatos 2018).
 */

/** Number of hash buckets; both kinds of features share them with different salts. */
export const DIMENSIONS = 2 ** 18;
const PLACE_MASK = DIMENSIONS - 1;
const COMMON_WORDS = 300;
const LONGEST_MESSAGE = 2000;
const PLAIN = { longest: 4, salt: 0x811c9dc5 };
const DISTORTED = { longest: 5, salt: 0x2f0b4c47 };
const WORD = /\p{L}+/gu;

export interface SparseVector {
  readonly places: Int32Array;
  readonly values: Float32Array;
}

export function commonWords(texts: Iterable<string>): Set<string> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const [word] of text.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return new Set(ranked.slice(0, COMMON_WORDS).map(([word]) => word));
}

/** Letters of uncommon words become `*` (lower case) and `#` (upper case). */
export function distort(text: string, common: ReadonlySet<string>): string {
  return text.replace(WORD, (word) =>
    common.has(word.toLowerCase()) ? word : word.replace(/\p{Lu}/gu, "#").replace(/\p{L}/gu, "*"),
  );
}

interface Counted {
  /** Bucket indexes in ascending order. */
  places: Int32Array;
  counts: Float32Array;
}

class Counter {
  readonly #counts = new Float32Array(DIMENSIONS);
  /** Sized for the worst case: n-grams of every length, starting at each UTF-16 unit of both texts. */
  readonly #touched = new Int32Array((LONGEST_MESSAGE + 2) * (PLAIN.longest + DISTORTED.longest));
  #distinct = 0;

  /** @param longest counts n-grams of 1 to `longest` UTF-16 units, with marks at both ends of the text */
  add(text: string, { longest, salt }: { longest: number; salt: number }): void {
    const marked = `\u0002${text.slice(0, LONGEST_MESSAGE)}\u0003`;
    for (let start = 0; start < marked.length; start++) {
      let hash = salt;
      const end = Math.min(marked.length, start + longest);
      for (let at = start; at < end; at++) {
        hash = Math.imul(hash ^ marked.charCodeAt(at), 0x01000193);
        const place = (hash ^ (hash >>> 15)) & PLACE_MASK;
        if (this.#counts[place] === 0) this.#touched[this.#distinct++] = place;
        this.#counts[place]! += 1;
      }
    }
  }

  take(): Counted {
    const places = this.#touched.slice(0, this.#distinct).sort();
    const counts = new Float32Array(places.length);
    for (let at = 0; at < places.length; at++) {
      counts[at] = this.#counts[places[at]!]!;
      this.#counts[places[at]!] = 0;
    }
    this.#distinct = 0;
    return { places, counts };
  }
}

interface FeatureOptions {
  /** Maximum n-gram length of the plain text; without `common` there are no other n-grams. */
  longest?: number;
  common?: ReadonlySet<string>;
}

/** Counts the n-grams of each text once, also for several feature spaces over the same texts. */
export class GramCounts {
  readonly #counter = new Counter();
  readonly #known = new Map<string, Counted>();
  readonly #plain: typeof PLAIN;
  readonly #common: ReadonlySet<string> | undefined;

  constructor({ longest = PLAIN.longest, common }: FeatureOptions) {
    this.#plain = { ...PLAIN, longest };
    this.#common = common;
  }

  /** Remembers what it returns. */
  learned(text: string): Counted {
    const known = this.#known.get(text) ?? this.of(text);
    this.#known.set(text, known);
    return known;
  }

  of(text: string): Counted {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#counter.add(text, this.#plain);
    if (this.#common !== undefined) this.#counter.add(distort(text, this.#common), DISTORTED);
    return this.#counter.take();
  }
}

interface FeatureSpace {
  /** Weights (1 + ln count) · ln((N + 1) / (df + 1)), normalised to length 1. */
  vector(text: string): SparseVector;
}

/** @param texts the documents of which N and df are counted */
export function featureSpace(texts: readonly string[], grams: GramCounts): FeatureSpace {
  const documents = new Int32Array(DIMENSIONS);
  for (const text of texts) for (const place of grams.learned(text).places) documents[place]!++;
  // Indexed by document frequency, because there are fewer frequencies than buckets.
  const weights = Float32Array.from({ length: texts.length + 1 }, (_, df) => Math.log((texts.length + 1) / (df + 1)));
  return {
    vector(text) {
      const { places, counts } = grams.of(text);
      const values = new Float32Array(places.length);
      let squares = 0;
      for (let at = 0; at < places.length; at++) {
        const n = counts[at]!;
        const value = (n === 1 ? 1 : 1 + Math.log(n)) * weights[documents[places[at]!]!]!;
        values[at] = value;
        squares += value * value;
      }
      const length = Math.sqrt(squares) || 1;
      for (let at = 0; at < values.length; at++) values[at]! /= length;
      return { places, values };
    },
  };
}
