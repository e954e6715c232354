/**
 * A function of a text that remembers. Two generations: when the young one is full it becomes the old one, so memory is
 * bounded and what is asked often stays.
 */
export function remembered<T>(generationSize: number, compute: (text: string) => T): (text: string) => T {
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

/** V8 cuts longer pieces as views of their text; one that is kept would keep the whole text alive. */
export function ownCopy(word: string): string {
  return word.length < 13 ? word : Buffer.from(word, "utf16le").toString("utf16le");
}
