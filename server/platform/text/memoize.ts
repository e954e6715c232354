/**
 * Memoizes a function of a text with two generations. A full young generation replaces the old one, so memory is bounded and frequently
 * used results are kept.
 * @param generationSize number of results, or their total of `weightOf`, such as bytes, for texts of unbounded variety
 */
export function memoize<T>(
  generationSize: number,
  compute: (text: string) => T,
  weightOf: (text: string, value: T) => number = () => 1,
): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let weight = 0;
  return (text) => {
    let value = young.get(text);
    if (value !== undefined) return value;
    value = old.get(text);
    if (value === undefined) value = compute(text);
    if (weight >= generationSize) {
      old = young;
      young = new Map();
      weight = 0;
    }
    weight += weightOf(text, value);
    young.set(copyString(text), value);
    return value;
  };
}

/**
 * Computes a value derived from an object once, and stores it on the object itself; copies do not have it. A WeakMap is avoided: V8 marks
 * its entries at the end of a collection, during a pause (docs/decisions/024-search-index-and-embeddings.md).
 */
export function memoizeByObject<Source extends object, T>(compute: (source: Source) => T): (source: Source) => T {
  const place = Symbol("derived");
  return (source) => {
    const holder = source as { [place]?: T };
    if (!Object.hasOwn(holder, place)) Object.defineProperty(holder, place, { value: compute(source) });
    return holder[place] as T;
  };
}

export const MB = 1024 ** 2;

/** Estimates the memory of a short text in a map: the text, its entry and the value's slot. */
export const estimateTextBytes = (text: string): number => 64 + 2 * text.length;

/** Copies a substring: V8 makes longer substrings as views, so that keeping one would keep the whole original text in memory. */
export function copyString(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
