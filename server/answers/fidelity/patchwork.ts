/**
 * Recognises text pieced together from remembered messages: a chain over an owner's words, halves of two messages, random sentences.
 * Everything in such a text was said, but not by any one message. A person who writes anew repeats himself less, and a repeated message
 * explains itself.
 */

const TOKEN = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Lengths of runs of words and marks: text glued from pairs shows in the short ones, text from longer pieces in the long ones. */
export const RUNS = [2, 3, 5] as const;
/** Length of a run that no two messages of a person share by chance. */
const ECHO = 5;
/** Number of messages that are remembered, the newest: more say nothing new. */
const REMEMBERED = 16_000;
const LONGEST_MESSAGE = 200;
/** Number of messages looked at for a run; a run that more of them contain is common usage. */
const SOURCES = 64;
const HASHES = 2 ** 32;

/** The result for one text, for each of `RUNS`. */
export interface Patchwork {
  /** Number of runs that some remembered message holds, less those of the one message that explains most. */
  patched: number[];
  /** Number of runs of the text, its beginning and end included. */
  runs: number[];
}

interface Memory {
  /** @param own index of the text among `texts`, when it is one of them: it does not explain itself */
  patchwork(text: string, own?: number): Patchwork;
}

/** @param texts the remembered messages, normalised, oldest first */
export function remember(texts: readonly string[]): Memory {
  const first = Math.max(0, texts.length - REMEMBERED);
  const lines = texts.slice(first).map(hashesOf);
  const sources = RUNS.map((length) => sourcesOf(lines, length));
  return {
    patchwork(text, own) {
      const line = hashesOf(text);
      const found: Patchwork = { patched: [], runs: [] };
      for (const [at, length] of RUNS.entries()) {
        const held = new Map<number, number>();
        let [seen, most, runs] = [0, 0, 0];
        for (let start = 0; start + length <= line.length; start++) {
          runs++;
          let known = false;
          for (const source of sources[at]!(runOf(line, start, length))) {
            if (own !== undefined && source === own - first) continue;
            known = true;
            const count = (held.get(source) ?? 0) + 1;
            held.set(source, count);
            if (count > most) most = count;
          }
          if (known) seen++;
        }
        found.patched.push(Math.max(0, seen - most));
        found.runs.push(runs);
      }
      return found;
    },
  };
}

/** The echo of one message among others. */
export interface Echo {
  /** Number of runs of five that another, different message holds. */
  echoed: number;
  runs: number;
}

/**
 * A generator that glues remembered pieces reuses the same ones, which is visible without knowing the memory. A message that is said twice
 * has no runs the second time: repeating a whole message is something else.
 */
export function findEchoes(texts: readonly string[]): Echo[] {
  const holders = new Map<number, number>();
  const said = new Set<number>();
  const runs = texts.map((text) => {
    const line = hashesOf(text);
    const whole = runOf(line, 0, line.length);
    const starts = said.has(whole) ? 0 : Math.max(0, line.length - ECHO + 1);
    said.add(whole);
    return new Set(Array.from({ length: starts }, (_, start) => runOf(line, start, ECHO)));
  });
  for (const all of runs) for (const run of all) holders.set(run, (holders.get(run) ?? 0) + 1);
  return runs.map((all) => ({ echoed: [...all].filter((run) => holders.get(run)! > 1).length, runs: all.size }));
}

/** The lines that hold a run, from one sorted array of pairs of run and line. */
function sourcesOf(lines: readonly Int32Array[], length: number): (run: number) => Iterable<number> {
  const size = lines.reduce((sum, line) => sum + Math.max(0, line.length - length + 1), 0);
  const pairs = new Float64Array(size);
  let at = 0;
  for (const [source, line] of lines.entries()) {
    for (let start = 0; start + length <= line.length; start++) {
      pairs[at++] = runOf(line, start, length) * REMEMBERED + source;
    }
  }
  pairs.sort();
  return function* (run) {
    const [from, to] = [run * REMEMBERED, (run + 1) * REMEMBERED];
    let [low, high] = [0, size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[middle]! < from) low = middle + 1;
      else high = middle;
    }
    for (let place = low; place < size && place < low + SOURCES && pairs[place]! < to; place++) {
      if (place === low || pairs[place] !== pairs[place - 1]) yield pairs[place]! - from;
    }
  };
}

/** The hash of a run, 0 to 2^32 − 1. */
function runOf(line: Int32Array, start: number, length: number): number {
  let hash = length;
  for (let at = start; at < start + length; at++) {
    hash = Math.imul(hash ^ line[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return (hash + HASHES) % HASHES;
}

/** Hashes of the beginning, of each word and mark in lower case, and of the end. */
function hashesOf(text: string): Int32Array {
  const tokens = text.toLowerCase().match(TOKEN)?.slice(0, LONGEST_MESSAGE) ?? [];
  return Int32Array.from(["^", ...tokens, "$"], hashOf);
}

function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}
