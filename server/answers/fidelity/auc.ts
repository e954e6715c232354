/** Area under the ROC curve: the probability that a positive scores above a negative; ties count one half. 0.5 when a side is empty. */
export function auc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) return 0.5;
  const all = [
    ...positives.map((score) => ({ score, own: true })),
    ...negatives.map((score) => ({ score, own: false })),
  ];
  all.sort((a, b) => a.score - b.score);
  // Mann–Whitney: the sum of the positives' ranks; equal scores share their mean rank.
  let ranks = 0;
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && all[end]!.score === all[at]!.score) end++;
    const shared = (at + end + 1) / 2;
    for (; at < end; at++) if (all[at]!.own) ranks += shared;
  }
  const least = (positives.length * (positives.length + 1)) / 2;
  return (ranks - least) / (positives.length * negatives.length);
}
