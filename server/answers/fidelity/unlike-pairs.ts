interface Pair {
  ownerReply: string;
  twinReply: string;
}

/**
 * Returns at most `limit` pairs in their order. Pairs with the same wording are skipped, because a classifier may doubt short replies,
 * and so are repetitions, which show nothing new.
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
 * Whether two replies differ only in case, ё, punctuation and spaces. In replies without letters, digits and emoji the punctuation is the
 * content.
 */
export function saysTheSame(one: string, other: string): boolean {
  const [first, second] = [saidIn(one), saidIn(other)];
  return first === "" && second === "" ? bare(one) === bare(other) : first === second;
}

const bare = (text: string) => text.normalize("NFKC").toLowerCase().replaceAll("ё", "е").replace(/\s+/gu, "");
const saidIn = (text: string) => bare(text).replace(/[^\p{L}\p{N}\p{Extended_Pictographic}]/gu, "");
