/**
 * Detects text pieced together from remembered messages: a Markov chain over the owner's words, halves of two messages, random sentences.
 * All its runs occur in the memory, but in no single message. New text by a person repeats fewer runs, and a repeated message is
 * explained by one source.
 */

const TOKEN = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Lengths of token runs: text glued from word pairs shows in short runs, text from longer pieces in long ones. */
export const RUNS = [2, 3, 5] as const;
/** Length of a run that two messages of a person do not share by chance. */
const ECHO = 5;
/** Number of newest messages that are remembered; more do not improve the result. */
const REMEMBERED = 16_000;
const LONGEST_MESSAGE = 200;
/** Number of messages inspected per run; a run in more of them is common usage. */
const SOURCES = 64;
const HASHES = 2 ** 32;

export interface Patchwork {
  /** Number of runs found in some remembered message, minus those of the one message that explains most. */
  patched: number[];
  runs: number[];
}

interface Memory {
  /** @param own index of the text within `texts`, if it is one of them; it must not explain itself */
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

export interface Echo {
  /** Number of five-token runs that another, different message contains. */
  echoed: number;
  runs: number;
}

/**
 * Counts repeated runs among the replies: a generator that glues remembered pieces reuses them, which shows even without the memory. An
 * exact repetition of a whole message counts only once, because people repeat messages too.
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

function runOf(line: Int32Array, start: number, length: number): number {
  let hash = length;
  for (let at = start; at < start + length; at++) {
    hash = Math.imul(hash ^ line[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return (hash + HASHES) % HASHES;
}

function hashesOf(text: string): Int32Array {
  const tokens = text.toLowerCase().match(TOKEN)?.slice(0, LONGEST_MESSAGE) ?? [];
  return Int32Array.from(["^", ...tokens, "$"], hashOf);
}

function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at++) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}
