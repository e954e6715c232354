/**
 * Memoizes a function of a text with two generations: a full young generation replaces the old one, so memory is bounded and frequently
 * used results are kept.
 */
export function memoized<T>(generationSize: number, compute: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    let value = young.get(text);
    if (value !== undefined) return value;
    value = old.get(text);
    if (value === undefined) value = compute(text);
    if (young.size >= generationSize) {
      old = young;
      young = new Map();
    }
    young.set(ownCopy(text), value);
    return value;
  };
}

/** V8 makes longer substrings as views of the original text, so that keeping one would keep the whole text alive. */
export function ownCopy(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
