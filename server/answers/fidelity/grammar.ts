/**
 * Measures how informative word order is: how much likelier the preceding word, and the one before it, make each word. Shuffled words
 * gain nothing from either; text glued from word pairs gains nothing from the word before last.
 */

const TOKEN = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Number of final letters that represent an uncommon word. */
const ENDING = 2;
/** Weight of the lower order, in observations (Dirichlet smoothing; Zhai & Lafferty 2004). */
const PRIOR = 2;
const PLACES = 2 ** 21;
const LONGEST_MESSAGE = 400;

/** Gain of one message, in nats, summed over its words and marks. */
export interface OrderGain {
  /** ln p(w | previous word) − ln p(w) */
  pair: number;
  /** ln p(w | two previous words) − ln p(w | previous word) */
  triple: number;
  tokens: number;
}

interface Grammar {
  /** @param learnt whether the message is in the training data; it is then scored as if it were not */
  gain(text: string, learnt?: boolean): OrderGain;
}

/** @param common lower-case words that are kept unchanged (features.ts) */
export function trainGrammar(texts: readonly string[], common: ReadonlySet<string>): Grammar {
  const numbers = new Map<string, number>();
  const singles: number[] = [];
  const counts = new Uint16Array(PLACES);
  let total = 0;
  const numberOf = (token: string): number => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, numbers.size);
    singles.push(0);
    return numbers.size - 1;
  };
  const add = (text: string, times: 1 | -1) => {
    const line = tokensOf(text, common).map(numberOf);
    for (let at = 0; at < line.length; at++) {
      total += times;
      singles[line[at]!]! += times;
      if (at >= 1) counts[placeOf(line[at - 1]!, line[at]!, 0)]! += times;
      if (at >= 2) counts[placeOf(line[at - 2]!, line[at - 1]!, line[at]! + 1)]! += times;
    }
    return line;
  };
  for (const text of texts) add(text, 1);
  const gainOf = (line: readonly number[]): OrderGain => {
    let [pair, triple] = [0, 0];
    for (let at = 1; at < line.length; at++) {
      const [token, before] = [line[at]!, line[at - 1]!];
      const one = (singles[token]! + 0.5) / (total + 1);
      const two = (counts[placeOf(before, token, 0)]! + PRIOR * one) / (singles[before]! + PRIOR);
      pair += Math.log(two / one);
      if (at < 2) continue;
      const first = line[at - 2]!;
      const seen = counts[placeOf(first, before, token + 1)]!;
      const three = (seen + PRIOR * two) / (counts[placeOf(first, before, 0)]! + PRIOR);
      triple += Math.log(three / two);
    }
    return { pair, triple, tokens: line.length - 1 };
  };
  return {
    gain(text, learnt = false) {
      if (!learnt) return gainOf(tokensOf(text, common).map(numberOf));
      const line = add(text, -1);
      const gain = gainOf(line);
      add(text, 1);
      return gain;
    },
  };
}

function placeOf(one: number, two: number, three: number): number {
  let hash = Math.imul(one + 1, 0x9e3779b1) ^ Math.imul(two + 1, 0x85ebca6b) ^ Math.imul(three, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & (PLACES - 1);
}

function tokensOf(text: string, common: ReadonlySet<string>): string[] {
  const tokens = (text.toLowerCase().match(TOKEN) ?? [])
    .slice(0, LONGEST_MESSAGE)
    .map((token) => (common.has(token) || token.length <= ENDING ? token : `~${token.slice(-ENDING)}`));
  return ["^", ...tokens, "$"];
}
