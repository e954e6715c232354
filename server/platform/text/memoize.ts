/**
 * Memoizes a function of a text with two generations: a full young generation replaces the old one, so memory is bounded and frequently
 * used results are kept.
 * @param generationSize results, or what `weightOf` says of them: bytes, where they are of words, of which there is no end
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
 * Computes once what is derived from an object, and keeps it on the object for as long as that lives; its copies have it not. Not in a
 * WeakMap: V8 marks what hangs on the entries of one at the end of a collection, while everything waits (docs/decisions/024-search-index-and-embeddings.md).
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

/** About what a map takes to keep a short text: the text itself, its place and that of its value. */
export const estimateTextBytes = (text: string): number => 64 + 2 * text.length;

/** V8 makes longer substrings as views of the original text, so that keeping one would keep the whole text alive. */
export function copyString(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
