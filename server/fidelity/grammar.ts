/**
 * How much word order carries: what each word gains in likelihood from the word before it, and from the one before that. Shuffled words
 * gain nothing from their neighbours, text glued from pairs nothing from the word before last. The model is of the background, not of
 * the owner, so it judges order and not manner.
 */

const TOKEN = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Letters that stand for an uncommon word: its ending. */
const ENDING = 2;
/** Weight of the lower order, in observations (Dirichlet smoothing; Zhai & Lafferty 2004). */
const PRIOR = 2;

/** Nats per token, of a block of messages. */
export interface OrderGain {
  /** ln p(w | the word before) − ln p(w) */
  pair: number;
  /** ln p(w | the two words before) − ln p(w | the word before) */
  triple: number;
}

export interface Grammar {
  gain(texts: readonly string[]): OrderGain;
}

/** @param common words that stand for themselves, lower case (features.ts) */
export function trainGrammar(texts: readonly string[], common: ReadonlySet<string>): Grammar {
  const counts = new Map<string, number>();
  let total = 0;
  const count = (key: string) => counts.get(key) ?? 0;
  const add = (key: string) => counts.set(key, count(key) + 1);
  for (const text of texts) {
    const line = tokensOf(text, common);
    for (const [at, token] of line.entries()) {
      total++;
      add(token);
      if (at >= 1) add(`${line[at - 1]} ${token}`);
      if (at >= 2) add(`${line[at - 2]} ${line[at - 1]} ${token}`);
    }
  }
  return {
    gain(block) {
      let [pair, triple, tokens] = [0, 0, 0];
      for (const text of block) {
        const line = tokensOf(text, common);
        for (let at = 1; at < line.length; at++) {
          const [token, before] = [line[at]!, line[at - 1]!];
          const one = (count(token) + 0.5) / (total + 1);
          const two = (count(`${before} ${token}`) + PRIOR * one) / (count(before) + PRIOR);
          pair += Math.log(two / one);
          tokens++;
          if (at < 2) continue;
          const context = `${line[at - 2]} ${before}`;
          const three = (count(`${context} ${token}`) + PRIOR * two) / (count(context) + PRIOR);
          triple += Math.log(three / two);
        }
      }
      return { pair: pair / Math.max(1, tokens), triple: triple / Math.max(1, tokens) };
    },
  };
}

/** Words and marks between the ends of the message; an uncommon word is known by its ending. */
function tokensOf(text: string, common: ReadonlySet<string>): string[] {
  const tokens = [...text.toLowerCase().matchAll(TOKEN)].map(([token]) =>
    common.has(token) || token.length <= ENDING ? token : `~${token.slice(-ENDING)}`,
  );
  return ["^", ...tokens, "$"];
}
