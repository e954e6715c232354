/** The owner's replies beside the twin's that are worth showing as unlike. */

interface Pair {
  ownerReply: string;
  twinReply: string;
}

/**
 * At most `limit` pairs, in their order: of short replies a classifier may doubt even the same words, and what stands there already
 * teaches nothing the second time.
 */
export function unlikePairs<P extends Pair>(pairs: readonly P[], limit: number): P[] {
  const kept: P[] = [];
  for (const pair of pairs) {
    if (kept.length === limit) break;
    if (saysTheSame(pair.ownerReply, pair.twinReply)) continue;
    const repeats = kept.some(
      (one) => saysTheSame(one.ownerReply, pair.ownerReply) && saysTheSame(one.twinReply, pair.twinReply),
    );
    if (!repeats) kept.push(pair);
  }
  return kept;
}

/**
 * Whether two replies are the same but for case, ё, marks and spaces; of replies without letters, digits and pictures the marks are what
 * they say.
 */
export function saysTheSame(one: string, other: string): boolean {
  const [first, second] = [saidIn(one), saidIn(other)];
  return first === "" && second === "" ? bare(one) === bare(other) : first === second;
}

const bare = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replace(/\s+/gu, "");
const saidIn = (text: string) => bare(text).replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, "");
